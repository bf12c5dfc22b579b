"""Checks wheels: names, tags and records, and that the program inside is static and of the platform.

    python check_wheels.py dist/*.whl
"""

import base64
import csv
import hashlib
import io
import struct
import sys
import zipfile

# By the beginning of a platform tag: how a program begins, and where it says which machine it is for.
MACHINES = {
    ("linux", "x86_64"): (b"\x7fELF", 18, 62),
    ("linux", "aarch64"): (b"\x7fELF", 18, 183),
    ("macosx", "x86_64"): (b"\xcf\xfa\xed\xfe", 4, 0x0007),
    ("macosx", "arm64"): (b"\xcf\xfa\xed\xfe", 4, 0x000C),
    ("win", "amd64"): (b"MZ", None, 0x8664),
    ("win", "arm64"): (b"MZ", None, 0xAA64),
}


def main(paths):
    wrong = [f"{path}: {what}" for path in paths for what in check(path)]
    print("\n".join(wrong) if wrong else f"{len(paths)} wheels are right")
    return 1 if wrong or not paths else 0


def check(path):
    """Yields what is wrong with a wheel."""
    name = path.rsplit("/", 1)[-1].removesuffix(".whl")
    distribution, version, _, _, platforms = name.split("-")
    about = f"{distribution}-{version}.dist-info"
    with zipfile.ZipFile(path) as archive:
        yield from records(archive, f"{about}/RECORD")
        told = sorted(line[5:] for line in archive.read(f"{about}/WHEEL").decode().splitlines() if line.startswith("Tag: "))
        if told != sorted(f"py3-none-{p}" for p in platforms.split(".")):
            yield f"the tags inside are {told}"
        programs = [i for i in archive.infolist() if i.filename.startswith("quotient/bin/")]
        if len(programs) != 1 or not (programs[0].external_attr >> 16) & 0o100:
            yield "there is not one program that may be executed"
            return
        program = archive.read(programs[0])
    for tag in platforms.split("."):
        kind = next(k for k in MACHINES if tag.replace("manylinux", "linux").replace("musllinux", "linux").startswith(k[0]) and tag.endswith(k[1]))
        if not fits(program, *MACHINES[kind]):
            yield f"the program is not one for {tag}"
    if program[:4] == b"\x7fELF" and not static(program):
        yield "the program is not static"


def records(archive, record):
    """Yields files that are not what the record says."""
    listed = {row[0]: row[1] for row in csv.reader(io.StringIO(archive.read(record).decode()))}
    if sorted(listed) != sorted(archive.namelist()):
        yield "the record lists other files than there are"
    for name, digest in listed.items():
        got = base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode()
        if name != record and digest != f"sha256={got}":
            yield f"{name} is not the file that was recorded"


def fits(program, magic, offset, machine):
    if not program.startswith(magic):
        return False
    if offset is None:
        offset = struct.unpack_from("<I", program, 0x3C)[0] + 4
    return struct.unpack_from("<H", program, offset)[0] == machine


def static(program):
    """Reports whether a program of Linux asks for no loader: it has no segment of type PT_INTERP."""
    at, size, count = struct.unpack_from("<Q", program, 32)[0], *struct.unpack_from("<HH", program, 54)
    return all(struct.unpack_from("<I", program, at + i * size)[0] != 3 for i in range(count))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
