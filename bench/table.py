#!/usr/bin/env python3
"""Quotient beside its peers, as tables: processor time of the same work on the same inputs.

    go build ./cmd/quotient
    python3 bench/table.py --quotient ./quotient
    python3 bench/table.py --quotient ./quotient --write docs/performance.md

The inputs are written by the sections of 'quotient bench'. Peers are AutomataLib 0.11
and LearnLib 0.17, which Maven brings (bench/java), FlexFringe, built from its source (--flexfringe), and AALpy, scikit-learn,
PyTorch and safetensors, run by --python; a tree is measured against the bytes of its own states, growth and size against nothing.
Each row is measured in turns, the least time of each counts, and a ratio above 1 says that Quotient is faster. Where a peer is not
installed, it says so and shows our time alone. A peer that takes longer than --limit, for all of its rounds, is stopped, and the
table says so. Where a round takes long there is one alone, as the functions below say. Behind each section stands how long it took.

With --write every section that is done puts its table into a document: in place of the first table behind a line that is indented,
as commands are there, and has --sections and the name of the section alone. So an hour's work is not lost if something
fails in the next; what failed is said at the end.
"""
import argparse
import functools
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent


def pairs(text):
    """The type of an argument that is a list of two numbers each, as "100000:1,1000000:1"."""
    list_ = [x.split(":") for x in text.split(",")]
    if not all(len(pair) == 2 and all(n.isdigit() for n in pair) for pair in list_):
        raise argparse.ArgumentTypeError(f"{text!r} is no list of pairs of numbers such as 50:10000,200:60000")
    return list_


parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
parser.add_argument("--quotient", default="quotient", help="the program")
parser.add_argument("--sections", default="automata,growth,learn,words,formats,kmeans,files,network,tree,size")
parser.add_argument("--states", default="100000,1000000", help="of the automata")
parser.add_argument("--families", default="cycle,counter,blown-up,random,near-minimal,sparse")
parser.add_argument("--learned", default="50,200,1000,5000", help="states of the automata that are learned")
parser.add_argument("--symbols", default="2,10,64", help="of the automata that are learned")
parser.add_argument("--words", default="10000,50000,500000", help="numbers of words that RPNI learns from")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--turns", type=int, default=1, help="how often each row is measured, ours and theirs in turns")
parser.add_argument("--python", default=sys.executable, help="which Python has the peers of kmeans, files and network")
parser.add_argument("--edsm", type=pairs, default="50:10000,200:10000,200:60000,500:60000,1000:200000", help="states:words that EDSM learns from")
parser.add_argument("--flexfringe", default="flexfringe", help="the program")
parser.add_argument("--limit", type=float, default=40, help="seconds by the clock after which a peer is stopped")
parser.add_argument("--points", type=pairs, default="100000:1,100000:10,1000000:1", help="points:starts of k-means")
parser.add_argument("--clouds", default="states,early,normal", help="points of k-means")
parser.add_argument("--write", metavar="DOCUMENT", help="where the tables are put")
parser.add_argument("--nodes", default="4250000", help="of the prefix tree")
args = parser.parse_args()
printed = []  # lines of the section that is measured


def tell(line):
    printed.append(line)
    print(line, flush=True)


@functools.cache
def java():
    """The command that runs the Java peers, or None."""
    if not (shutil.which("java") and shutil.which("mvn")):
        print("Java or Maven is not installed here: our times alone are shown", file=sys.stderr)
        return None
    target = HERE / "java" / "target"
    paths = target / "classpath"
    built = subprocess.run(["mvn", "-q", "-B", "-Dstyle.color=never", "-f", str(HERE / "java"), "compile", "dependency:build-classpath",
                            f"-Dmdep.outputFile={paths.resolve()}"], stdout=sys.stderr)
    if built.returncode != 0:
        print("Maven cannot build the Java peers here: our times alone are shown", file=sys.stderr)
        return None
    return ["java", "-Xmx12g", "-XX:+UseSerialGC", "-cp", f"{target / 'classes'}:{paths.read_text().strip()}", "Peers"]


def ours(folder, section, *flags, rounds=None):
    write = ["--write", folder] if folder else []
    command = [args.quotient, "bench", section, "--json", "--rounds", str(rounds or args.rounds), *write, *flags]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def theirs(work, files, rounds=None):
    """What a Java peer says, or None."""
    if java() is None:
        return None
    try:
        done = subprocess.run([*java(), work, str((rounds or args.rounds) + 1), *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=args.limit)
    except subprocess.TimeoutExpired:
        return {"stopped": args.limit}
    if done.returncode == 0:
        return json.loads(done.stdout)
    print(f"{work} fails in Java on {files}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
    return None


def row(work, figure, name, peer):
    """Prints a measurement. Of several, taken in turns, the least times count; behind the ratio stand the extremes."""
    figures, peers = (x if isinstance(x, list) else [x] for x in (figure, peer))
    figure, peer = figures[0], peers[0]
    us = min(f["seconds"] for f in figures)
    cells = [work, figure["input"], f"{us * 1e3:.2f} ms", name]
    if peer and "stopped" in peer:
        cells += [f"stopped after {peer['stopped']:.0f} s", "-"]
    elif peer:
        them, ratios = min(p["seconds"] for p in peers), [p["seconds"] / f["seconds"] for f, p in zip(figures, peers)]
        spread = f" ({min(ratios):.2f} to {max(ratios):.2f})" if len(ratios) > 1 else ""
        cells += [f"{them * 1e3:.2f} ms", f"{them / us:.2f}{spread}"]
    else:
        cells += ["-", "-"]
    remarks = [remark(x) for x in (figure, peer)] if remark(figure) else []
    tell("| " + " | ".join(cells + remarks) + " |")


def remark(x):
    """What else is known of a measurement: queries, or what was learned from words."""
    if x and "membership_queries" in x:
        return f"{x['membership_queries']} queries"
    if x and "accuracy" in x:
        return f"{x['states']} states, {100 * x['accuracy']:.2f}%"
    return ""


def flexfringe(search, files):
    """What FlexFringe's merging takes, or None."""
    program = shutil.which(args.flexfringe)
    if program is None:
        print("FlexFringe is not installed here: our times alone are shown", file=sys.stderr)
        return None
    return python("flexfringe.py", program, *files, search, args.limit)


def compare(*remarks):
    """Prints the head of a table of rows."""
    head("work", "input", "Quotient", "peer", "its time", "ratio", *remarks)


def turns(measure):
    """Prints the rows of a measurement, which is a generator of them, after several turns."""
    for taken in zip(*(list(measure()) for _ in range(args.turns))):
        work, figure, name, peer = zip(*taken)
        row(work[0], list(figure), name[0], list(peer))


PEERS = {
    "ttt": [("ttt", "LearnLib's TTT"), ("pack", "LearnLib's ObservationPack")],
    "lstar": [("lstar", "LearnLib's Rivest and Schapire"), ("lstar-cache", "the same with its cache")],
    "kv": [("kv", "LearnLib's Kearns and Vazirani"), ("aalpy", "AALpy's Kearns and Vazirani")],
}


def automata(folder):
    def pair(states, family):
        for f in ours(folder, "automata", "--families", family, "--states", states):
            f["input"] += f", {f['size']} states"
            name = "AutomataLib's Hopcroft" if f["work"] == "minimize" else "AutomataLib's near-linear test"
            rounds = min(args.rounds, 2) if int(states) > 100_000 else args.rounds  # it takes seconds, and needs no more to be warm
            yield f["work"], f, name, theirs(f["work"], f["files"], rounds)

    compare()
    for states in args.states.split(","):
        for family in args.families.split(","):
            turns(lambda: pair(states, family))


def growth(_):
    """How minimizing grows with the states, by medians of ten runs each in turns: no peer."""
    few, many = args.states.split(",")[0], args.states.split(",")[-1]
    head("family", "states", "median", "states", "median", "growth")
    for family in args.families.split(","):
        a, b = (ours(None, "automata", "--families", family, "--states", n, rounds=10)[0]["median"] for n in (few, many))
        cells(family, few, f"{a * 1e3:.2f} ms", many, f"{b * 1e3:.2f} ms", f"{b / a:.1f}")


def learn(folder):
    def pair(symbols, states):
        size = int(states) * int(symbols)
        rounds = 1 if size > 20000 else min(args.rounds, 2) if size > 5000 else None  # equivalence queries take minutes there
        for f in ours(folder, "learn", "--states", states, "--symbols", symbols, rounds=rounds):
            for work, name in PEERS[f["work"]]:
                if work != "aalpy":
                    yield f["work"], f, name, theirs(work, f["files"], rounds)
                elif int(states) <= 1000:
                    yield f["work"], f, name, python("queries.py", *f["files"], limit=args.limit)

    compare("ours", "its")
    for symbols in args.symbols.split(","):
        for states in args.learned.split(","):
            turns(lambda: pair(symbols, states))


def words(folder):
    def pair(method, states, n):
        for f in ours(folder, "words", "--methods", method, "--states", states, "--words", n):
            yield method, f, f"LearnLib's {method.upper()}", theirs(method, f["files"])

    def edsm(states, n):
        for f in ours(folder, "words", "--methods", "edsm", "--states", states, "--words", n):
            for search, name in (("default", "FlexFringe's merging"), ("full", "the same, full search")):
                yield "edsm", f, name, flexfringe(search, f["files"])

    compare("ours", "its")
    for n in args.words.split(","):
        turns(lambda: pair("rpni", "50", n))
    for states, n in args.edsm:
        turns(lambda: edsm(states, n))


def formats(_):
    def pair():
        found = {(f["work"], f["input"]): f for f in ours(None, "formats")}
        for work in ("read", "write"):
            for other, name in (("att", "our own AT&T"), ("encoding/json", "encoding/json alone")):
                f = found[work, "json"]
                yield work, {**f, "input": f"JSON, {f['size']} states"}, name, found[work, other]

    compare()
    turns(pair)


def python(program, *words, limit=None):
    """What a Python peer says, or nothing."""
    try:
        done = subprocess.run([args.python, HERE / program, *map(str, words)], stdout=subprocess.PIPE, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"stopped": limit}
    return json.loads(done.stdout or "{}") if done.returncode == 0 else {}


def head(*columns):
    tell("| " + " | ".join(columns) + " |")
    tell("|---" * len(columns) + "|")


def cells(*values):
    tell("| " + " | ".join(map(str, values)) + " |")


def over(peer, ours_, key):
    """The peer's figure over ours."""
    return f"{peer[key] / ours_[key]:.2f}" if key in peer else "-"


def kmeans(folder):
    head("points", "starts", "threads", "an iteration", "scikit-learn's", "ratio", "all", "ratio", "inertia, ours over its")
    for points, starts in args.points:
        long = int(points) * int(starts) > 100_000
        for cloud in args.clouds.split(","):
            for threads in ("1", "2"):
                if long and cloud == "normal":
                    continue  # which takes all of 300 iterations
                rounds = args.rounds
                if long or cloud == "normal":
                    rounds = 1 if starts != "1" or cloud == "normal" else min(4, rounds)  # what one start ends with is luck
                f, = ours(folder, "kmeans", "--inputs", cloud, "--points", points, "--starts", starts, "--threads", threads, rounds=rounds)
                peer = python("kmeans.py", f["files"][0], starts, threads, rounds)
                its = f"{peer['iteration'] * 1e3:.1f} ms" if peer else "-"
                inertia = f"{f['inertia'] / peer['inertia']:.4f}" if peer else "-"
                cells(f"{cloud}, {points}", starts, threads, f"{f['iteration'] * 1e3:.1f} ms", its, over(peer, f, "iteration"),
                      f"{f['seconds']:.2f} s", over(peer, f, "seconds"), inertia)


def files(folder):
    head("file", "Quotient", "memory over file", "peer", "its time", "with every number checked", "ratio of the latter", "its memory over file")
    made, = ours(folder, "files")
    path = Path(made["files"][0])
    torch = path.with_suffix(".pt")
    subprocess.run([args.python, HERE / "files.py", "convert", path, torch])
    for file, name in ((path, "safetensors"), (torch, "torch.load")):
        if file.exists():
            f, = ours(None, "files", str(file))
            peer = python("files.py", "read", file, args.rounds)
            its = [f"{peer[k] * 1e3:.1f} ms" for k in ("seconds", "checked")] if peer else ["-", "-"]
            cells(file.name, f"{f['seconds'] * 1e3:.1f} ms", f"{f['memory'] / f['size']:.2f}", name, *its,
                  f"{peer['checked'] / f['seconds']:.2f}" if peer else "-", f"{peer['memory'] / f['size']:.2f}" if peer else "-")


def network(_):
    head("a step of", "Quotient", "PyTorch", "ratio")
    f, = ours(None, "network")
    peer = python("network.py", 1024, 3, 64, f["size"], 2, args.rounds)
    cells(f"{f['size']} states, {f['input']}", f"{f['seconds']:.2f} s", f"{peer['seconds']:.2f} s" if peer else "-", over(peer, f, "seconds"))


def tree(_):
    head("merging", "nodes", "Quotient", "memory", "over the states' own bytes")
    for f in ours(None, "tree", "--nodes", args.nodes):
        cells(f["work"], f["size"], f"{f['seconds']:.2f} s", f"{f['memory'] / 1e9:.2f} GB", f"{f['memory'] / f['states_bytes']:.2f}")


# What the symbols of the program belong to, by the beginnings of their names. What go:embed holds has none: it is measured as files.
PARTS = {
    "NATS: server": ("github.com/nats-io/nats-server", "github.com/nats-io/jwt", "github.com/minio", "github.com/klauspost"),
    "NATS: client": ("github.com/nats-io/nats", "github.com/nats-io/n"),
    "fonts, and drawing with them": ("github.com/go-fonts", "golang.org/x/image", "codeberg.org/go-fonts"),
    "gonum": ("gonum.org",),
    "HTTP, TLS and cryptography": ("net", "crypto", "vendor/golang.org/x", "golang.org/x/crypto"),
    "Quotient itself": ("quotient/", "main."),
    "Go's runtime": ("runtime", "internal/"),
}
EMBEDDED = {"the bundled networks": "zoo/networks", "the page": "web/page", "documents and pictures": "docs"}


def segments(program):
    """How large the parts of a program's file are, where there is a tool that says so."""
    names = {".text": "code", ".gopclntab": "tables of lines and frames", ".rodata": "data that is only read, embedded files among it"}
    if not shutil.which("size"):
        print("size, of the binutils, is not installed here: the parts of the file are not shown", file=sys.stderr)
        return
    for line in subprocess.run(["size", "-A", program], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines():
        name, n = (line.split() + ["", ""])[:2]
        if name in names:
            yield names[name], int(n)


def size(folder):
    """What the program's size is made of."""
    program, stripped, root = Path(folder) / "program", Path(folder) / "stripped", HERE.parent
    for flags, path in (("", program), ("-s -w", stripped)):
        subprocess.run(["go", "build", "-trimpath", "-ldflags", flags, "-o", path, "./cmd/quotient"], cwd=root, check=True)
    symbols = subprocess.run(["go", "tool", "nm", "-size", program], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = dict.fromkeys(PARTS, 0)
    for line in symbols.splitlines():
        _, n, kind, name = (line.split(None, 3) + ["", "", "", ""])[:4]
        name = re.sub(r"^(type:(\.\w+\.)?|go:itab\.)?\*?", "", name)
        part = next((p for p, begins in PARTS.items() if name.startswith(begins)), None)
        if n.isdigit() and kind not in "bB" and part and not name.startswith("runtime.pclntab"):
            found[part] += int(n) if int(n) < 1 << 24 else 0  # a table of all embedded files is nobody's symbol
    head("part", "MB")
    cells("as it is built", f"{program.stat().st_size / 1e6:.1f}")
    cells("without symbols and debugging information, as it is released", f"{stripped.stat().st_size / 1e6:.1f}")
    for name, n in segments(stripped):
        cells(f"of that, {name}", f"{n / 1e6:.1f}")
    for name, n in found.items():
        cells(f"by its symbols, {name}", f"{n / 1e6:.1f}")
    for name, path in EMBEDDED.items():
        n = sum(f.stat().st_size for f in (root / path).rglob("*") if f.is_file())
        cells(f"as embedded files, {name}", f"{n / 1e6:.1f}")


SECTIONS = {f.__name__: f for f in (automata, growth, learn, words, formats, kmeans, files, network, tree, size)}


def write(section, table):
    """Puts a table into the document in place of the one behind the section's command."""
    path = Path(args.write)
    lines = path.read_text().splitlines()
    command = re.compile(rf"    .*--sections {section}(\s|$)")
    begin = next((i for i, line in enumerate(lines) if command.match(line)), None)
    first = next((i for i in range(begin or 0, len(lines)) if lines[i].startswith("|")), None)
    if begin is None or first is None:
        raise LookupError(f"{path} has no command with --sections {section} and a table behind it")
    last = next((i for i in range(first, len(lines)) if not lines[i].startswith("|")), len(lines))
    path.write_text("\n".join(lines[:first] + table + lines[last:]) + "\n")


def main():
    failed = []
    for section in args.sections.split(","):
        if section not in SECTIONS:
            parser.error(f"there is no section {section}; there are {', '.join(SECTIONS)}")
    for section in args.sections.split(","):
        printed.clear()
        print(f"\n{section}:\n", flush=True)
        begin = time.monotonic()
        try:
            with tempfile.TemporaryDirectory() as folder:
                SECTIONS[section](folder)
            if args.write:
                write(section, printed)
        except (KeyError, LookupError, OSError, ValueError, subprocess.CalledProcessError) as err:
            failed.append(section)
            print(f"{section}: {type(err).__name__}: {err}", file=sys.stderr)
        print(f"\n({section}: {time.monotonic() - begin:.0f} s)", flush=True)
    if failed:
        sys.exit(f"not done: {', '.join(failed)}")


if __name__ == "__main__":
    main()
