import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.automatalib.alphabet.Alphabet;
import net.automatalib.alphabet.Alphabets;
import net.automatalib.automaton.fsa.CompactDFA;
import net.automatalib.util.automaton.equivalence.NearLinearEquivalenceTest;
import net.automatalib.util.automaton.minimizer.hopcroft.HopcroftMinimization;

/** AutomataLib on automata that 'quotient bench automata --write FOLDER' has written. */
final class Automata {
    /** minimize ROUNDS FILE, or compare ROUNDS FILE FILE. */
    static void run(String work, int rounds, List<String> files) throws Exception {
        CompactDFA<Integer> first = read(files.get(0));
        Alphabet<Integer> symbols = first.getInputAlphabet();
        if (work.equals("minimize")) {
            int[] states = new int[1];
            double seconds = Measure.best(rounds, () -> states[0] = HopcroftMinimization.minimizeDFA(first, symbols).size());
            System.out.printf("{\"seconds\": %.6f, \"states\": %d}%n", seconds, states[0]);
            return;
        }
        CompactDFA<Integer> second = read(files.get(1));
        boolean[] same = new boolean[1];
        double seconds = Measure.best(rounds, () -> same[0] = NearLinearEquivalenceTest.findSeparatingWord(first, second, symbols) == null);
        System.out.printf("{\"seconds\": %.6f, \"same\": %b}%n", seconds, same[0]);
    }

    /** Reads AT&T text whose symbols are s0, s1, …; what is missing leads to a state of its own, since Hopcroft's algorithm wants a total automaton. */
    static CompactDFA<Integer> read(String file) throws Exception {
        int[] edges = new int[1 << 20];
        int count = 0, states = 0, symbols = 0, start = -1;
        List<Integer> accepting = new ArrayList<>();
        try (BufferedReader in = Files.newBufferedReader(Path.of(file))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] columns = line.split("\t");
                int from = Integer.parseInt(columns[0]);
                start = start < 0 ? from : start;
                states = Math.max(states, from + 1);
                if (columns.length == 1) {
                    accepting.add(from);
                } else if (columns.length > 2) {
                    if (count + 3 > edges.length) {
                        edges = Arrays.copyOf(edges, 2 * edges.length);
                    }
                    edges[count++] = from;
                    edges[count++] = Integer.parseInt(columns[1]);
                    edges[count++] = Integer.parseInt(columns[2].substring(1));
                    states = Math.max(states, edges[count - 2] + 1);
                    symbols = Math.max(symbols, edges[count - 1] + 1);
                }
            }
        }
        boolean total = count == 3L * states * symbols;
        CompactDFA<Integer> d = new CompactDFA<>(Alphabets.integers(0, symbols - 1), states + 1);
        for (int q = 0; q < (total ? states : states + 1); q++) {
            d.addIntState(false);
            for (int s = 0; !total && s < symbols; s++) {
                d.setTransition(q, s, states);
            }
        }
        accepting.forEach(q -> d.setAccepting((int) q, true));
        d.setInitialState(start);
        for (int i = 0; i < count; i += 3) {
            d.setTransition(edges[i], edges[i + 2], edges[i + 1]);
        }
        return d;
    }

    private Automata() {}
}
