import de.learnlib.algorithm.LearningAlgorithm.DFALearner;
import de.learnlib.algorithm.kv.dfa.KearnsVaziraniDFABuilder;
import de.learnlib.algorithm.observationpack.dfa.OPLearnerDFABuilder;
import de.learnlib.algorithm.rivestschapire.RivestSchapireDFABuilder;
import de.learnlib.algorithm.ttt.dfa.TTTLearnerDFABuilder;
import de.learnlib.filter.cache.dfa.DFACaches;
import de.learnlib.filter.statistic.oracle.DFACounterOracle;
import de.learnlib.oracle.MembershipOracle;
import de.learnlib.oracle.equivalence.DFASimulatorEQOracle;
import de.learnlib.oracle.membership.DFASimulatorOracle;
import de.learnlib.query.DefaultQuery;
import net.automatalib.alphabet.Alphabet;
import net.automatalib.automaton.fsa.CompactDFA;

/** LearnLib's learners with a perfect teacher, which runs the automaton and knows words of difference. */
final class Learners {
    static void run(String name, int rounds, String file) throws Exception {
        CompactDFA<Integer> target = Automata.read(file);
        Alphabet<Integer> symbols = target.getInputAlphabet();
        long[] counts = new long[3];
        boolean cached = name.endsWith("-cache");
        double seconds = Measure.best(rounds, () -> {
            DFACounterOracle<Integer> queries = new DFACounterOracle<>(new DFASimulatorOracle<>(target));
            MembershipOracle<Integer, Boolean> oracle = cached ? DFACaches.createTreeCache(symbols, queries) : queries;
            DFALearner<Integer> learner = learner(name.replace("-cache", ""), symbols, oracle);
            DFASimulatorEQOracle<Integer> teacher = new DFASimulatorEQOracle<>(target);
            learner.startLearning();
            counts[2] = 1;
            while (true) {
                long begin = Measure.thread();
                DefaultQuery<Integer, Boolean> c = teacher.findCounterExample(learner.getHypothesisModel(), symbols);
                Measure.leaveOut(Measure.thread() - begin);
                if (c == null) {
                    break;
                }
                learner.refineHypothesis(c);
                counts[2]++;
            }
            counts[0] = queries.getQueryCounter().getCount();
            counts[1] = queries.getSymbolCounter().getCount();
        });
        System.out.printf("{\"seconds\": %.6f, \"membership_queries\": %d, \"symbols\": %d, \"equivalence_queries\": %d}%n", seconds, counts[0], counts[1], counts[2]);
    }

    private static DFALearner<Integer> learner(String name, Alphabet<Integer> symbols, MembershipOracle<Integer, Boolean> oracle) {
        return switch (name) {
            case "ttt" -> new TTTLearnerDFABuilder<Integer>().withAlphabet(symbols).withOracle(oracle).create();
            case "pack" -> new OPLearnerDFABuilder<Integer>().withAlphabet(symbols).withOracle(oracle).create();
            case "kv" -> new KearnsVaziraniDFABuilder<Integer>().withAlphabet(symbols).withOracle(oracle).create();
            case "lstar" -> new RivestSchapireDFABuilder<Integer>().withAlphabet(symbols).withOracle(oracle).create();
            default -> throw new IllegalArgumentException(name);
        };
    }

    private Learners() {}
}
