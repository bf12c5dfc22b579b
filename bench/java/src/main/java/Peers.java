import java.util.List;

/** The Java peers, asked by bench/table.py: Peers WORK ROUNDS FILE… prints one line of JSON. */
public final class Peers {
    public static void main(String[] args) throws Exception {
        List<String> files = List.of(args).subList(2, args.length);
        int rounds = Integer.parseInt(args[1]);
        switch (args[0]) {
            case "minimize", "compare" -> Automata.run(args[0], rounds, files);
            case "rpni", "edsm" -> Words.run(args[0], rounds, files);
            default -> Learners.run(args[0], rounds, files.get(0));
        }
    }

    private Peers() {}
}
