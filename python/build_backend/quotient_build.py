"""Builds wheels that have the Go program inside, by PEP 517 and 660, with nothing but Python and Go.

The environment variables GOOS and GOARCH choose another platform, as they do for Go. The same
sources give the same bytes: files are in order, and their times are fixed.
"""

import base64
import csv
import hashlib
import io
import json
import os
import platform
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
NAME, MODULE = "quotient_automata", "quotient"

# The program is static, so one wheel serves every Linux. Go 1.26 wants macOS 12.
TAGS = {
    ("linux", "amd64"): "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ("linux", "arm64"): "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ("darwin", "amd64"): "macosx_12_0_x86_64",
    ("darwin", "arm64"): "macosx_12_0_arm64",
    ("windows", "amd64"): "win_amd64",
    ("windows", "arm64"): "win_arm64",
}


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    target = _platform()
    files = [(p.relative_to(HERE / "src").as_posix(), p.read_bytes(), 0o644) for p in _sources()]
    return _wheel(wheel_directory, target, [*files, _program(target)])


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    target = _platform()
    name, data, _ = _program(target)
    inside = HERE / "src" / name  # beside the sources, where the package looks for it
    inside.parent.mkdir(exist_ok=True)
    inside.write_bytes(data)
    inside.chmod(0o755)
    return _wheel(wheel_directory, target, [(f"{NAME}.pth", f"{HERE / 'src'}\n".encode(), 0o644)])


def build_sdist(sdist_directory, config_settings=None):
    """Packs this folder, and below go/ the sources of the program for all platforms."""
    base = f"{NAME}-{_project()['version']}"
    files = {p.relative_to(HERE).as_posix(): p for p in [*_sources(), *sorted((HERE / "tests").glob("*.py"))]}
    files.update({name: HERE / name for name in ("pyproject.toml", "README.md", "build_backend/quotient_build.py")})
    files.update(_go_sources())
    path = Path(sdist_directory) / f"{base}.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as tar:
        for name, data in [("PKG-INFO", _metadata().encode()), *((n, p.read_bytes()) for n, p in sorted(files.items()))]:
            info = tarfile.TarInfo(f"{base}/{name}")
            info.size, info.mode = len(data), 0o644
            tar.addfile(info, io.BytesIO(data))
    return path.name


def _platform():
    """Returns the platform to build for: that of GOOS and GOARCH, or this one."""
    machine = platform.machine().lower()
    here = (
        {"linux": "linux", "darwin": "darwin", "win32": "windows"}.get(sys.platform, sys.platform),
        {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine),
    )
    target = (os.environ.get("GOOS") or here[0], os.environ.get("GOARCH") or here[1])
    if target not in TAGS:
        raise SystemExit(f"there are no wheels for {target[0]} on {target[1]}: build the program with go build ./cmd/quotient, "
                         "and let the environment variable QUOTIENT name it")
    return target


def _root():
    """Returns the folder of the Go module: beside this one, or inside of what build_sdist packed."""
    for folder in (HERE.parent, HERE / "go"):
        if (folder / "go.mod").is_file() and (folder / "cmd" / "quotient").is_dir():
            return folder
    raise SystemExit("the sources of the program are missing: this folder belongs into the repository of quotient")


def _go(*args, target):
    env = {**os.environ, "CGO_ENABLED": "0", "GOOS": target[0], "GOARCH": target[1], "GOFLAGS": ""}
    try:
        return subprocess.run(["go", *args], cwd=_root(), env=env, check=True, stdout=subprocess.PIPE).stdout
    except FileNotFoundError:
        raise SystemExit("building this package needs Go; a wheel that is built needs nothing") from None


def _program(target):
    """Returns the program, as a file of the wheel."""
    name = "quotient.exe" if target[0] == "windows" else "quotient"
    out = HERE / "build" / "-".join(target) / name
    out.parent.mkdir(parents=True, exist_ok=True)
    _go("build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", "-o", str(out), "./cmd/quotient", target=target)
    return f"{MODULE}/bin/{name}", out.read_bytes(), 0o755


def _go_sources():
    """Returns what go build reads of this module, on whichever platform, by its name in a source distribution."""
    root, found = _root(), {}
    for target in TAGS:
        text = _go("list", "-deps", "-json=Dir,Standard,Module,GoFiles,SFiles,HFiles,EmbedFiles", "./cmd/quotient", target=target).decode()
        decoder, at = json.JSONDecoder(), 0
        while at < len(text.rstrip()):
            package, at = decoder.raw_decode(text, at)
            at += len(text[at:]) - len(text[at:].lstrip())
            if not package.get("Standard") and package["Module"].get("Main"):
                for kind in ("GoFiles", "SFiles", "HFiles", "EmbedFiles"):
                    for name in package.get(kind, []):
                        path = Path(package["Dir"]) / name
                        found["go/" + path.relative_to(root).as_posix()] = path
    return {**found, "go/go.mod": root / "go.mod", "go/go.sum": root / "go.sum"}


def _sources():
    return sorted([*(HERE / "src" / MODULE).glob("*.py"), HERE / "src" / MODULE / "py.typed"])


def _project():
    """Returns the table [project]. Python 3.10 has no reader of TOML, so these few lines are read by hand."""
    table = re.search(r"^\[project\]\n(.*?)^\[", (HERE / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL).group(1)
    pairs = re.findall(r'^([a-z-]+) = (".*?"|\[.*?\])$', table, re.MULTILINE | re.DOTALL)
    return {key: json.loads(re.sub(r",\s*\]$", "]", value)) for key, value in pairs}


def _metadata():
    project = _project()
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {project['version']}", f"Summary: {project['description']}",
             f"Keywords: {','.join(project['keywords'])}", *(f"Classifier: {c}" for c in project["classifiers"]),
             f"Requires-Python: {project['requires-python']}", "Description-Content-Type: text/markdown"]
    return "\n".join(lines) + "\n\n" + (HERE / project["readme"]).read_text(encoding="utf-8")


def _wheel(folder, target, files):
    """Writes a wheel, and returns its name."""
    base = f"{NAME}-{_project()['version']}"
    about = f"{base}.dist-info"
    tag = TAGS[target]
    tags = "".join(f"Tag: py3-none-{t}\n" for t in tag.split("."))
    files = [*files,
             (f"{about}/METADATA", _metadata().encode(), 0o644),
             (f"{about}/WHEEL", f"Wheel-Version: 1.0\nGenerator: quotient_build\nRoot-Is-Purelib: false\n{tags}".encode(), 0o644),
             (f"{about}/entry_points.txt", f"[console_scripts]\nquotient = {MODULE}._program:main\n".encode(), 0o644)]
    record = io.StringIO()
    rows = csv.writer(record, lineterminator="\n")
    for name, data, _ in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.writerow([name, f"sha256={digest}", len(data)])
    rows.writerow([f"{about}/RECORD", "", ""])
    name = f"{base}-py3-none-{tag}.whl"
    with zipfile.ZipFile(Path(folder) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data, mode in [*files, (f"{about}/RECORD", record.getvalue().encode(), 0o644)]:
            info = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
            info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, (0o100000 | mode) << 16
            archive.writestr(info, data)
    return name
