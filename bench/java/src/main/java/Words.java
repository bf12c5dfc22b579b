import de.learnlib.algorithm.PassiveLearningAlgorithm.PassiveDFALearner;
import de.learnlib.algorithm.rpni.BlueFringeEDSMDFA;
import de.learnlib.algorithm.rpni.BlueFringeRPNIDFA;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import net.automatalib.alphabet.Alphabet;
import net.automatalib.alphabet.Alphabets;
import net.automatalib.automaton.fsa.DFA;
import net.automatalib.word.Word;
import net.automatalib.word.WordBuilder;

/** LearnLib's learners from labeled words, which are in memory: their prefix tree, and merging it. */
final class Words {
    private final List<Word<Integer>> accepted = new ArrayList<>(), rejected = new ArrayList<>();
    private int symbols;

    /** rpni or edsm, ROUNDS, the file to learn from and the file to judge by. */
    static void run(String name, int rounds, List<String> files) throws Exception {
        Words train = read(files.get(0)), test = read(files.get(1));
        Alphabet<Integer> alphabet = Alphabets.integers(0, train.symbols - 1);
        List<DFA<?, Integer>> found = new ArrayList<>();
        double seconds = Measure.best(rounds, () -> {
            PassiveDFALearner<Integer> learner = name.equals("edsm") ? new BlueFringeEDSMDFA<>(alphabet) : new BlueFringeRPNIDFA<>(alphabet);
            learner.addPositiveSamples(train.accepted);
            learner.addNegativeSamples(train.rejected);
            found.clear();
            found.add(learner.computeModel());
        });
        DFA<?, Integer> d = found.get(0);
        long right = test.accepted.stream().filter(d::accepts).count() + test.rejected.stream().filter(w -> !d.accepts(w)).count();
        System.out.printf("{\"seconds\": %.6f, \"states\": %d, \"accuracy\": %.4f}%n", seconds, d.size(),
                (double) right / (test.accepted.size() + test.rejected.size()));
    }

    /** Reads the format of the Abbadingo competition. */
    private static Words read(String file) throws Exception {
        Words w = new Words();
        try (BufferedReader in = Files.newBufferedReader(Path.of(file))) {
            StringTokenizer first = new StringTokenizer(in.readLine());
            first.nextToken();
            w.symbols = Integer.parseInt(first.nextToken());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                StringTokenizer columns = new StringTokenizer(line);
                boolean accept = columns.nextToken().equals("1");
                WordBuilder<Integer> word = new WordBuilder<>(Integer.parseInt(columns.nextToken()));
                while (columns.hasMoreTokens()) {
                    word.add(Integer.valueOf(columns.nextToken()));
                }
                (accept ? w.accepted : w.rejected).add(word.toWord());
            }
        }
        return w;
    }

    private Words() {}
}
