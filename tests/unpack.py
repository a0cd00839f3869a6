#!/usr/bin/env python3
"""unpack.py [-o DIR] [FOLDER...]: disk images out of the compressed fixtures.

Every case found below the FOLDERs (tests/images if none is given) becomes DIR/FORMAT/CASE/ with
diskN.img and expect.json. DIR is build/images if not given. The images keep their holes: some are as
large as real disks and hold a few KiB. What is there already and newer than its fixture is left alone.

  diskN.img.xz   an image compressed by xz
  disks.tar.xz   the images of a case in one archive
  diskN.extents  text: "size BYTES" and lines "OFFSET HEX [xN]", the HEX bytes N times at OFFSET; zeros elsewhere
"""
import argparse
import lzma
import os
import shutil
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor

TESTS = os.path.dirname(os.path.abspath(__file__))
BLOCK = 4096
ZEROS = bytes(BLOCK)


def write_sparse(data, out):
    """Blocks of zeros become holes; the last one is made by the length."""
    for at in range(0, len(data), BLOCK):
        block = data[at:at + BLOCK]
        if block != ZEROS[:len(block)]:
            out.seek(at)
            out.write(block)
    out.truncate(len(data))


def from_xz(source, out):
    with lzma.open(source) as packed:
        write_sparse(packed.read(), out)


def from_extents(source, out):
    with open(source, encoding="ascii") as lines:
        for words in map(str.split, lines):
            if not words:
                continue
            if words[0] == "size":
                out.truncate(int(words[1]))
                continue
            times = int(words[2].removeprefix("x")) if len(words) > 2 else 1
            out.seek(int(words[0]))
            out.write(bytes.fromhex(words[1]) * times)


def from_plain(source, out):
    with open(source, "rb") as plain:
        shutil.copyfileobj(plain, out)


def unpack_archive(source, folder):
    """disk0.img comes last: where it is current, all are."""
    with tarfile.open(source) as archive:
        for member in sorted(archive.getmembers(), key=lambda m: m.name, reverse=True):
            target = os.path.join(folder, os.path.basename(member.name))
            with open(target + ".part", "wb") as out:
                write_sparse(archive.extractfile(member).read(), out)
            os.replace(target + ".part", target)


# How a file of a fixture is unpacked: its ending, the ending of the result, and by what.
ARCHIVE = "disks.tar.xz"
KINDS = ((".img.xz", ".img", from_xz), (".extents", ".img", from_extents), (".json", ".json", from_plain),
         ("examine.txt", "examine.txt", from_plain))


def target_of(name):
    if name == ARCHIVE:
        return "disk0.img", None
    for ending, new, unpack in KINDS:
        if name.endswith(ending):
            return name.removesuffix(ending) + new, unpack
    return None, None


def is_current(source, target):
    try:
        return os.stat(target).st_mtime_ns >= os.stat(source).st_mtime_ns
    except FileNotFoundError:
        return False


def unpack_file(source, folder):
    """Through a temporary name, so that an interrupted run leaves no half image that looks done."""
    name, unpack = target_of(os.path.basename(source))
    target = os.path.join(folder, name)
    if is_current(source, target):
        return 0
    os.makedirs(folder, exist_ok=True)
    if unpack is None:
        unpack_archive(source, folder)
        return 1
    with open(target + ".part", "wb") as out:
        unpack(source, out)
    os.replace(target + ".part", target)
    return 1


def files_below(folder):
    """(fixture file, FORMAT/CASE) for every case: a folder with an expect.json is one."""
    for path, _, names in os.walk(folder):
        if "expect.json" in names:
            case = os.path.join(*os.path.abspath(path).split(os.sep)[-2:])
            for name in sorted(names):
                if target_of(name)[0]:
                    yield os.path.join(path, name), case


def main():
    parser = argparse.ArgumentParser(description="disk images out of the compressed fixtures")
    parser.add_argument("-o", dest="out", metavar="DIR", default=os.path.join(TESTS, "..", "build", "images"))
    parser.add_argument("folders", metavar="FOLDER", nargs="*", default=[os.path.join(TESTS, "images")])
    args = parser.parse_args()
    found = [pair for folder in args.folders for pair in files_below(folder)]
    if not found:
        sys.exit("unpack.py: no case in " + ", ".join(args.folders))
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # lzma works outside Python's lock
        done = sum(pool.map(lambda pair: unpack_file(pair[0], os.path.join(args.out, pair[1])), found))
    print(f"{done} of {len(found)} files unpacked to {os.path.normpath(args.out)}")


if __name__ == "__main__":
    main()
