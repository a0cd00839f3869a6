#!/usr/bin/env python3
"""generate.py [-o DIR] [--seed N] [--list] [--selftest] [CASE...]: disk images made from the specifications.

Writes DIR/FORMAT/CASE/{diskN.img, expect.json} for every case whose name or FORMAT/NAME matches one of the
CASE patterns (all if none is given). DIR is build/generated if not given. One seed gives one result, to the byte.

This is written from the specifications of the formats and from nothing else: it shares no code with the parsers
that it tests. It only knows how to write; what a right reader must find is in expect.json (see README.md).

Every set holds the pattern: each 8-byte little-endian word of array sector n is (n + 1) XOR (seed << 48). All that
is not set data (tails, gaps, spares) is one byte, another on each disk and never zero; a disk that must not be read
holds a pattern of another seed. So a read from a wrong place gives a wrong sum.
"""
import argparse
import fnmatch
import hashlib
import json
import os
import random
import struct
import sys
from collections import namedtuple

SECTOR = 512
PATTERN = "each 8-byte little-endian word of array sector n is (n + 1) XOR (seed << 48)"


def pattern(seed, sectors):
    high = seed << 48
    return b"".join(((n + 1) ^ high).to_bytes(8, "little") * 64 for n in range(sectors))


# ---------------------------------------------------------------------------------------------------------------
# Where the sectors of an array lie.

# slots: how many members; chunk: sectors, 0 where nothing is striped; total: sectors of the whole array;
# layout: of raid5; shares: of linear, what each member holds.
Shape = namedtuple("Shape", "kind slots chunk total layout shares", defaults=(None, None))


def columns(shape):
    """How many members hold different data in one row."""
    return {"raid0": shape.slots, "raid1": 1, "raid01": shape.slots // 2,
            "raid10": shape.slots // 2, "raid5": shape.slots - 1}[shape.kind]


def parity_slot(shape, row):
    at = row % shape.slots
    return shape.slots - 1 - at if shape.layout.startswith("left") else at


def slots_of(shape, row, column):
    """The members that hold the chunk in this row and column."""
    if shape.kind == "raid01":  # the whole first stripe, then the second
        return [column, column + columns(shape)]
    if shape.kind == "raid10":  # the two copies of a column are neighbours
        return [2 * column, 2 * column + 1]
    if shape.kind == "raid5":
        parity = parity_slot(shape, row)
        if shape.layout.endswith("asymmetric"):  # data in member order, parity skipped
            return [column + (column >= parity)]
        return [(parity + 1 + column) % shape.slots]  # data begins after the parity
    return [column]


def pieces(shape):
    """(array sector, sectors, members, member sector) for the whole array, in order."""
    if shape.kind == "linear":
        start = 0
        for slot, share in enumerate(shape.shares):
            yield start, share, [slot], 0
            start += share
    elif shape.kind == "raid1":
        yield 0, shape.total, list(range(shape.slots)), 0
    else:
        for start in range(0, shape.total, shape.chunk):
            row, column = divmod(start // shape.chunk, columns(shape))
            count = min(shape.chunk, shape.total - start)  # the last chunk may be cut
            yield start, count, slots_of(shape, row, column), row * shape.chunk


def rows(shape):
    return -(-shape.total // (shape.chunk * columns(shape)))


def xor(blocks):
    value = 0
    for block in blocks:
        value ^= int.from_bytes(block, "little")
    return value.to_bytes(len(blocks[0]), "little")


def span(at, count):
    return slice(at * SECTOR, (at + count) * SECTOR)


def lay(shape, data, members):
    """Writes the array's data, and its parity, into the members' buffers."""
    for start, count, slots, at in pieces(shape):
        for slot in slots:
            members[slot][span(at, count)] = data[span(start, count)]
    if shape.kind == "raid5":  # whole rows: parity covers what lies past a cut end too
        for row in range(rows(shape)):
            here, parity = span(row * shape.chunk, shape.chunk), parity_slot(shape, row)
            members[parity][here] = xor([m[here] for i, m in enumerate(members) if i != parity])


def gather(shape, members):
    """The array's data out of its members; None for one that is not there."""
    data = bytearray(shape.total * SECTOR)
    for start, count, slots, at in pieces(shape):
        good = [members[slot] for slot in slots if members[slot]]
        if good:
            data[span(start, count)] = good[0][span(at, count)]
        else:
            data[span(start, count)] = xor([m[span(at, count)] for m in members if m])
    return bytes(data)


def readable(shape, gone):
    """Whether the array can be read whole without the members in gone."""
    if shape.kind == "raid1":
        return len(gone) < shape.slots
    if shape.kind == "raid5":
        return len(gone) <= 1
    if shape.kind in ("raid01", "raid10"):
        return not any(set(slots_of(shape, 0, c)) <= gone for c in range(columns(shape)))
    return not gone


def member_sectors(shape, slot):
    """What one member holds; None where the last row is cut, for there is no one right answer."""
    if shape.kind == "linear":
        return shape.shares[slot]
    if shape.kind == "raid1":
        return shape.total
    whole = shape.total % (shape.chunk * columns(shape)) == 0
    return shape.total // columns(shape) if whole else None


# ---------------------------------------------------------------------------------------------------------------
# A case: drives, the sets on them, and what must be said of them.

class Drive:
    def __init__(self, case, size, record=None):
        self.size, self.record = size, record  # record: a function that puts the metadata into the buffer
        self.present, self.state, self.name, self.buffer = True, "ok", None, None
        self.index = self.fields = self.copies = None
        case.drives.append(self)


class Case:
    def __init__(self, fmt, name, seed):
        self.fmt, self.name = fmt, name
        self.rng = random.Random(f"{seed}/{fmt}/{name}")
        self.shuffle = False
        self.drives, self.sets, self.problems, self.never, self.seeds = [], [], [], [], set()

    def data_seed(self):
        """Another one for each use. Below 0x8000, so that sector 0 never ends in a boot sector's mark."""
        seed = self.rng.randrange(1, 0x8000)
        while seed in self.seeds:
            seed = self.rng.randrange(1, 0x8000)
        self.seeds.add(seed)
        return seed

    def name_disks(self):
        there = [d for d in self.drives if d.present]
        straight = list(there)
        while self.shuffle and len(there) > 1 and there == straight:
            self.rng.shuffle(there)
        for i, drive in enumerate(there):
            drive.name = f"disk{i}.img"
        return there

    def fill(self):
        for i, drive in enumerate(self.drives):
            drive.buffer = bytearray(bytes([0xE0 + i % 31]) * (drive.size * SECTOR))
        for one in self.sets:
            one.fill()
        for drive in self.drives:
            if drive.record:
                drive.record(drive)

    def expect(self, disks, notes, hostile):
        plain = sorted(self.sets, key=lambda s: s.identity)
        for i, one in enumerate(plain):  # of two sets with one name, the second is told apart
            if one.name in [other.name for other in plain[:i]]:
                one.name += one.name_suffix()
        by_name = lambda d: int(d.name[4:-4])
        problems = {d.name: about for d, about in self.problems if d.name}
        return {"case": self.name, "source": "generated by tests/generate.py",
                "disks": [d.name for d in disks],
                "sets": [one.entry() for one in self.sets if one.listed],
                "problems": [{"disk": d.name, "about": problems[d.name]} for d in disks if d.name in problems],
                "never": [d.name for d in sorted((d for d in self.never if d.name), key=by_name)],
                "notes": notes, "hostile": hostile}

    def write(self, folder, notes, hostile):
        disks = self.name_disks()
        self.fill()
        os.makedirs(folder, exist_ok=True)
        for drive in disks:
            write_sparse(os.path.join(folder, drive.name), drive.buffer)
        with open(os.path.join(folder, "expect.json"), "w", encoding="ascii") as out:
            json.dump(self.expect(disks, notes, hostile), out, indent=1)
            out.write("\n")


def write_sparse(path, buffer):
    with open(path, "wb") as out:
        if any(buffer):
            out.write(buffer)
        out.truncate(len(buffer))


class RaidSet:
    """One set of a case. The two formats below add the record and the sizes."""

    def __init__(self, case, shape, sizes):
        self.case, self.shape = case, shape
        self.seed, self.wrong_seed = case.data_seed(), case.data_seed()
        self.drives = [Drive(case, size, self.put_record) for size in sizes]
        for i, drive in enumerate(self.drives):
            drive.index, drive.fields = i, self.place(i)
        self.spares, self.twins = [], []
        self.facts, self.generation, self.listed, self.differs_from = {}, None, True, None
        case.sets.append(self)

    def fill(self):
        data = pattern(self.seed, self.shape.total)
        self.sum = hashlib.sha256(data).hexdigest()
        good = [d.buffer for d in self.drives]
        if all(len(b) > SECTOR * 64 for b in good):  # else too small to hold anything
            wrong = [bytearray(b) for b in good]
            lay(self.shape, data, good)
            self.fill_wrong(wrong)

    def fill_wrong(self, wrong):
        """What must not be read holds another pattern, laid out as the right one would be."""
        if not self.twins and self.differs_from is None and all(d.state == "ok" for d in self.drives):
            return
        lay(self.shape, pattern(self.wrong_seed, self.shape.total), wrong)
        for drive in self.drives + self.twins:
            if drive.state != "ok" or drive in self.twins:
                drive.buffer[:] = wrong[drive.index]
        if self.differs_from is not None:
            rest = span(self.differs_from, self.shape.total - self.differs_from)
            self.drives[1].buffer[rest] = wrong[1][rest]

    def member(self, drive):
        there = drive.present and drive.state != "missing"
        state = drive.state if there else "missing"
        return {"index": drive.index, "disk": drive.name if there else None, "offset": 0,
                "sectors": member_sectors(self.shape, drive.index), "state": state, "serial": None,
                "generation": drive.fields.get("generation", self.generation) if there else None}

    def entry(self):
        gone = {d.index for d in self.drives if not d.present or d.state != "ok"}
        whole = readable(self.shape, gone)
        mappable = self.facts.get("mappable", whole)
        striped = self.shape.kind not in ("linear", "raid1")
        found = {"name": self.name, "format": self.case.fmt, "id": None, "volume": None,
                 "level": self.shape.kind, "layout": self.shape.layout,
                 "chunk": self.shape.chunk if striped else None, "sectors": self.shape.total,
                 "state": "ok" if not gone else "degraded" if whole else "broken", "reasons": [],
                 "width": self.shape.slots, "members": [self.member(d) for d in self.drives],
                 "spares": [{"disk": d.name, "state": "ok"} for d in self.spares], "left_out": [],
                 "mappable": mappable, "on_request": False, "also_right": [],
                 "data": {"pattern": PATTERN, "seed": self.seed, "from_sector": 0, "sha256": self.sum}
                         if mappable else None}
        found.update(self.facts)
        return found


# ---------------------------------------------------------------------------------------------------------------
# The records. A field is (offset, struct letter).

def pack(table, fields, size, fill):
    out = bytearray([fill]) * size
    for name, (offset, letter) in table.items():
        if name in fields:
            value = fields[name]
            if isinstance(value, int):
                value &= (1 << 8 * struct.calcsize("<" + letter)) - 1
            struct.pack_into("<" + letter, out, offset, value)
    return out


NVIDIA = {
    "signature": (0x00, "8s"), "size_words": (0x08, "I"), "version": (0x10, "H"), "unit": (0x12, "B"),
    "reserved": (0x13, "B"), "capacity": (0x14, "I"), "sector_size": (0x18, "I"), "product": (0x1C, "16s"),
    "revision": (0x2C, "4s"), "unit_flags": (0x30, "I"), "array_version": (0x34, "I"), "id": (0x38, "16s"),
    "job": (0x48, "B"), "width": (0x49, "B"), "total": (0x4A, "B"), "original_width": (0x4B, "B"),
    "level": (0x4C, "I"), "chunk": (0x50, "I"), "chunk_bytes": (0x54, "I"), "chunk_power": (0x58, "I"),
    "chunk_mask": (0x5C, "I"), "stripe": (0x60, "I"), "stripe_bytes": (0x64, "I"), "job_mark": (0x68, "I"),
    "original_level": (0x6C, "I"), "original_capacity": (0x70, "I"), "flags": (0x74, "I"),
    "word30": (0x78, "I"),  # past the record: part of it only for a reader that believes a size of 31
}
NVIDIA_WORDS = 30
NVIDIA_LEVELS = {"stripe": 0x80, "mirror": 0x81, "raid5a": 0x85, "raid5s": 0x95, "raid01": 0x8180, "span": 0xFF}


def nvidia_chunk(chunk, width):
    """The chunk and all that follows from it."""
    return {"chunk": chunk, "chunk_bytes": chunk * 512, "chunk_power": max(chunk.bit_length() - 1, 0),
            "chunk_mask": chunk - 1, "stripe": chunk * width, "stripe_bytes": chunk * width * 512}


def nvidia_fields(level, width, total, chunk, capacity, **more):
    return {"signature": b"NVIDIA  ", "size_words": NVIDIA_WORDS, "version": 100, "unit": 0, "reserved": 0,
            "capacity": capacity, "sector_size": 512, "product": b" " * 16, "revision": b"\x00100",
            "unit_flags": 0, "array_version": 0x00640044, "job": 0, "width": width, "total": total,
            "original_width": width, "level": level, **nvidia_chunk(chunk, width), "job_mark": 0,
            "original_level": level, "original_capacity": capacity, "flags": 0, **more}


def nvidia_record(fields):
    """A sector; "checksum" among the fields is how far the sum is off."""
    out = pack(NVIDIA, fields, SECTOR, 0xFF)
    struct.pack_into("<I", out, 0x0C, 0)
    total = sum(struct.unpack_from(f"<{NVIDIA_WORDS}I", out))
    struct.pack_into("<I", out, 0x0C, (fields.get("checksum", 0) - total) & 0xFFFFFFFF)
    return out


def letters(digits):
    return digits.translate(str.maketrans("0123456789", "abcdefghij"))


def nvidia_name(identity):
    return "nvidia_" + letters(f"{sum(struct.unpack('<4I', identity)) & 0xFFFFFFFF:08x}")


def nvidia_shares(sizes, chunk, rule):
    return [{"rounded": (s - 2) // chunk * chunk, "whole": s - 2, "2048": s - 2048}[rule] for s in sizes]


def nvidia_shape(level, sizes, chunk, capacity, rule):
    per, count = (min(sizes) - 2) // chunk * chunk, len(sizes)
    if level == "span":
        shares = nvidia_shares(sizes, chunk, rule)
        return Shape("linear", count, 0, sum(shares), None, shares)
    if level == "mirror":
        return Shape("raid1", count, 0, capacity or per)
    if level == "stripe":
        return Shape("raid0", count, chunk, capacity or per * count)
    if level == "raid01":
        return Shape("raid01", count, chunk, capacity or per * (count // 2))
    layout = "left-symmetric" if level == "raid5s" else "left-asymmetric"
    return Shape("raid5", count, chunk, capacity or per * (count - 1), layout)


class NvidiaSet(RaidSet):
    def __init__(self, case, level, sizes, chunk=128, capacity=None, rule="whole", identity=None, **fields):
        shape = nvidia_shape(level, sizes, chunk, capacity, rule)
        width = shape.slots if shape.kind == "linear" else columns(shape)
        self.identity = identity or case.rng.randbytes(16)
        self.name = nvidia_name(self.identity)
        self.common = nvidia_fields(NVIDIA_LEVELS[level], width, shape.slots, chunk, shape.total)
        self.common["product"] = f"{level.upper():<9}{shape.total / 2**21:6.2f}G".encode()
        self.common["id"] = self.identity
        if shape.kind == "raid5":
            self.common["flags"] = 4  # the parity is valid
        self.common.update(fields)
        super().__init__(case, shape, sizes)
        if level == "raid5a":  # one implementation's word alone
            self.facts.update(on_request=True, also_right=["unsupported"])

    def name_suffix(self):
        return "_" + self.identity[:4].hex()

    def place(self, index):
        return {"unit": index}

    def put_record(self, drive):
        if drive.size >= 2:
            drive.buffer[span(drive.size - 2, 1)] = nvidia_record({**self.common, **drive.fields})


SIL = {
    "word0": (0x00, "H"), "serial": (0x14, "20s"), "firmware": (0x2E, "8s"), "model": (0x36, "40s"),
    "word48": (0x60, "H"), "word49": (0x62, "H"), "array_sectors": (0x6C, "Q"), "sectors28": (0x78, "I"),
    "sectors48": (0xC8, "Q"), "product": (0x104, "H"), "vendor": (0x106, "H"), "minor": (0x108, "H"),
    "major": (0x10A, "H"), "created": (0x10C, "6s"), "stride": (0x112, "H"), "unknown": (0x114, "H"),
    "disk_number": (0x116, "B"), "type": (0x117, "B"), "stripe_drives": (0x118, "B"), "stripe_set": (0x119, "B"),
    "mirror_drives": (0x11A, "B"), "mirror_set": (0x11B, "B"), "rebuild_lba": (0x11C, "Q"),
    "generation": (0x124, "I"), "disk_status": (0x128, "B"), "set_status": (0x129, "B"),
    "set_location": (0x12A, "B"), "disk_location": (0x12B, "B"), "auto_rebuild": (0x12C, "B"),
    "name": (0x12E, "16s"), "identify_sum": (0x1FE, "H"),
}
SIL_KEPT = 2048  # sectors that the firmware leaves at the end
SIL_COPIES = [1 + 512 * k for k in range(4)]  # from the end of the disk
SIL_TYPES = {"stripe": 0, "mirror": 1, "raid10": 2, "spare": 3, "concat": 4, "raid5": 0x10, "span": 0xFF}


def ata_text(text, size):
    """IDENTIFY text: padded, the two bytes of each word swapped."""
    raw = text.ljust(size).encode()
    return bytes(raw[i ^ 1] for i in range(size))


def sil_drive(serial, size):
    """The IDENTIFY part: what the drive says of itself."""
    return {"word0": 0x0C5A, "serial": ata_text(serial, 20), "firmware": ata_text("1.00", 8),
            "model": ata_text("TEST DISK", 40), "word48": 0, "word49": 0x2F00,
            "sectors28": min(size, 0x0FFFFFFF), "sectors48": size}


def sil_record(fields):
    """A sector; "checksum" among the fields is how far the sum is off."""
    out = pack(SIL, fields, SECTOR, 0)
    total = sum(struct.unpack_from("<159H", out))
    struct.pack_into("<H", out, 0x13E, (fields.get("checksum", 0) - total) & 0xFFFF)
    return out


def sil_name(created):
    second, minute, hour, day, month, year = created
    return "sil_" + letters("".join(f"{v:02d}" for v in (year, month, day, hour, minute % 60, second % 60)))


def sil_created(rng):
    """A time, a byte each in BCD: second, minute, hour, day, month, year."""
    return bytes(int(str(rng.randrange(low, high)), 16)
                 for low, high in ((0, 60), (0, 60), (0, 24), (1, 29), (1, 13), (3, 11)))


def sil_counts(level, slots):
    if level == "mirror":
        return {"stripe_drives": 0xFF, "stripe_set": 0xFF, "mirror_drives": slots, "mirror_set": 0}
    if level == "raid10":
        return {"stripe_drives": slots // 2, "mirror_drives": 2}
    return {"stripe_drives": slots, "stripe_set": 0, "mirror_drives": 0xFF, "mirror_set": 0xFF}


def sil_shape(level, sizes, stride, array):
    """The shape and array_sectors: the field rules, and the members' share follows from it."""
    count, room = len(sizes), min(sizes) - SIL_KEPT
    if level in ("span", "concat"):
        shares = [s - SIL_KEPT for s in sizes]
        return Shape("linear", count, 0, sum(shares), None, shares), sum(shares)
    if level == "mirror":
        array = array or room
        return Shape("raid1", count, 0, array), array
    kind = {"stripe": "raid0", "raid10": "raid10", "raid5": "raid5"}[level]
    layout = "left-symmetric" if kind == "raid5" else None
    wide = columns(Shape(kind, count, stride, 0))
    array = array or room // stride * stride * wide
    return Shape(kind, count, stride, array // wide // stride * stride * wide, layout), array


class SilSet(RaidSet):
    def __init__(self, case, level, sizes, stride=32, array=None, created=None, **fields):
        shape, array = sil_shape(level, sizes, stride, array)
        self.level, self.identity = level, created or sil_created(case.rng)
        self.name = sil_name(self.identity)
        self.common = {"array_sectors": array, "product": case.rng.choice((0x3112, 0x3114, 0x3512, 0x0680)),
                       "vendor": 0x1095, "minor": 0, "major": 2, "created": self.identity, "stride": stride,
                       "unknown": 0x64, "type": SIL_TYPES[level], **sil_counts(level, len(sizes)),
                       "rebuild_lba": 0, "generation": 5, "disk_status": 1, "set_status": 2, "set_location": 1,
                       "auto_rebuild": 0, "name": b"GENERATED\0", **fields}
        super().__init__(case, shape, sizes)
        self.generation = self.common["generation"]
        if level == "raid5":  # the layout is doubtful
            self.facts.update(on_request=True)

    def name_suffix(self):
        return "_" + self.identity.hex()

    def place(self, index):
        if self.level == "raid10":
            column, copy_number = divmod(index, 2)
            return {"disk_number": column, "mirror_set": column, "stripe_set": copy_number, "disk_location": index}
        return {"disk_number": index, "disk_location": index}

    def put_record(self, drive):
        serial = f"GEN{self.case.drives.index(drive):05d}"
        fields = {**sil_drive(serial, drive.size), "identify_sum": 0x5AA5, **self.common, **drive.fields}
        for k, back in enumerate(SIL_COPIES):
            other = drive.copies[k] if drive.copies else {}
            if other is not None and drive.size >= back:
                drive.buffer[span(drive.size - back, 1)] = sil_record({**fields, **other})


# ---------------------------------------------------------------------------------------------------------------
# The steps of a case: each takes the set that was made before it.

def unlisted(one):
    """The disks are of no set."""
    one.listed = False


def every(**fields):
    """Fields of all members."""
    def step(one):
        one.common.update(fields)
        one.generation = one.common.get("generation")
    return step


def change(slot, **fields):
    """Fields of one member, which stays good."""
    return lambda one: one.drives[slot].fields.update(fields)


def copies(slot, *four):
    """The four copies of a member: the fields that differ in each, from the end of the disk; None: not there."""
    def step(one):
        one.drives[slot].copies = four
    return step


def lose(*slots):
    """Disks that are not given at all."""
    def step(one):
        for slot in slots:
            one.drives[slot].present = False
    return step


def complain(slot, *about):
    return lambda one: one.case.problems.append((one.drives[slot], list(about)))


def stale(slot, about=None, state="stale", **fields):
    """A member whose record is right but which must not be read."""
    def step(one):
        drive = one.drives[slot]
        drive.fields.update(fields)
        drive.state = state
        one.case.never.append(drive)
        if about:
            complain(slot, about)(one)
    return step


def wrong(slot, about=None, **fields):
    """A disk whose record can not be believed: never a member. It may be in left_out or in problems alone."""
    def step(one):
        stale(slot, about, "missing", **fields)(one)
        one.facts["left_out"] = None
    return step


def all_wrong(about, **fields):
    """Every record is wrong: no set need be listed."""
    def step(one):
        unlisted(one)
        for drive in one.drives:
            wrong(drive.index, about, **fields)(one)
    return step


def expect(**facts):
    return lambda one: one.facts.update(facts)


def refused(state="broken", **facts):
    """Listed or not, but never mapped; who is a member then is left open."""
    return expect(state=state, mappable=False, **{"members": None, "left_out": None, **facts})


def spare(size, listed=True, **fields):
    def step(one):
        drive = Drive(one.case, size, one.put_record)
        drive.fields = fields
        if listed:
            one.spares.append(drive)
        one.case.never.append(drive)
    return step


def twin(slot, **fields):
    """One disk more that says it is the member in this slot."""
    def step(one):
        drive = Drive(one.case, one.drives[slot].size, one.put_record)
        drive.index, drive.fields = slot, {**one.drives[slot].fields, **fields}
        one.twins.append(drive)  # of the same size: it is filled like the member
        one.case.never.append(drive)
    return step


def foreign(size):
    """A disk without any metadata."""
    return lambda one: Drive(one.case, size)


def shuffled(one):
    one.case.shuffle = True


def differs(sector):
    """The second half of a mirror holds other data from this sector on: only the first one reads right."""
    return lambda one: setattr(one, "differs_from", sector)


def make(kind, *args, **fields):
    """A set of this class, the steps among args applied to it."""
    steps = [a for a in args if callable(a)]
    plain = [a for a in args if not callable(a)]

    def build(case):
        one = kind(case, *plain, **fields)
        for step in steps:
            step(one)
    return build


def nv(*args, **fields):
    return make(NvidiaSet, *args, **fields)


def sil(*args, **fields):
    return make(SilSet, *args, **fields)


# ---------------------------------------------------------------------------------------------------------------
# The cases.

CASES = {}


def add(fmt, name, *builders, notes="", hostile=False):
    assert f"{fmt}/{name}" not in CASES, name
    CASES[f"{fmt}/{name}"] = (builders, notes, hostile)


def odd_sizes(seed, base, count):
    """Unequal sizes, even and odd; the same for every case of one kind."""
    rng = random.Random(f"sizes/{seed}")
    return [base + rng.randrange(0, 150) for _ in range(count)]


def nvidia_named():
    """The cases that nvidia.md names."""
    two, three, four = [4000] * 2, [4000] * 3, [4000] * 4
    a = lambda name, *b, **k: add("nvidia", name, *b, **k)
    a("mirror2", nv("mirror", two))
    a("mirror2-missing1", nv("mirror", two, lose(1)))
    a("mirror2-rebuild0", nv("mirror", two, every(job=3, job_mark=1920, flags=2),
                             stale(0, state="rebuilding", unit_flags=0x100), expect(state="rebuilding")),
      notes="unit 0, the first leg, is being rebuilt")
    a("mirror2-degraded-both", nv("mirror", two, every(flags=2), expect(state="degraded")),
      notes="the error flag on both, and both are there")
    a("mirror2-duplicate-unit", nv("mirror", two, twin(1), refused()), hostile=True,
      notes="two disks are unit 1: never chosen between")
    a("mirror2-sync", nv("mirror", two, every(job=5, job_mark=640), differs(640),
                         expect(state="dirty", also_right=["initializing"])),
      notes="the halves differ beyond the mark: unit 0 is read")
    a("mirror2-job9", nv("mirror", two, every(job=9), differs(1000), expect(state="dirty", also_right=["unsupported"])),
      notes="an unknown job: unit 0 is read")
    a("mirror2-spare-counted", nv("mirror", two, every(total=3), spare(4100, unit=2)),
      notes="total counts the spare")
    a("raid01-4", nv("raid01", four))
    a("raid01-4-missing-cross", nv("raid01", four, lose(1, 2)), notes="a member of each half, of different columns")
    a("raid01-6-shuffled", nv("raid01", [4000] * 6, shuffled))
    a("raid5s-3", nv("raid5s", three))
    a("raid5s-3-missing2", nv("raid5s", three, lose(1, 2)))
    a("raid5s-4-16k", nv("raid5s", four, 32))
    a("stripe2-64k", nv("stripe", two))
    a("stripe2-badsum1", nv("stripe", two, wrong(1, "checksum", checksum=1)))
    a("stripe2-unequal", nv("stripe", [4333, 4000]))
    a("stripe3-missing", nv("stripe", three, lose(1)))
    a("stripe6-32k", nv("stripe", [4000] * 6, 64))
    a("span2", nv("span", [4000, 4333]), notes="each member less 2 sectors")
    a("span3-rounded", nv("span", [4000, 4133, 4277], rule="rounded"), notes="each member rounded down to the chunk")
    a("size31", nv("stripe", two, all_wrong("size", size_words=31, word30=0)), hostile=True)


def nvidia_hostile():
    two = [4000] * 2
    a = lambda name, *b, **k: add("nvidia", name, *b, hostile=True, **k)
    past = refused(sectors=None)
    a("h-capacity-huge", nv("stripe", two, every(capacity=0xFFFFFFFF, original_capacity=0xFFFFFFFF), past),
      notes="capacity past the members")
    a("h-capacity-past1", nv("stripe", two, every(capacity=7937, original_capacity=7937), past),
      notes="capacity one sector past the members")
    a("h-chunk-huge", nv("stripe", two, all_wrong("chunk", **nvidia_chunk(0x80000000, 2))))
    a("h-chunk96", nv("stripe", two, all_wrong("chunk", **nvidia_chunk(96, 2))))
    a("h-level0", nv("stripe", two, every(level=0, original_level=0), unlisted),
      notes="two free disks, no set")
    a("h-level1180", nv("stripe", two, every(level=0x1180, original_level=0x1180),
                        refused("unsupported", level="unknown", chunk=None, sectors=None, width=None,
                                also_right=["broken"])), notes="a level that nobody knows")
    a("h-levels-differ", nv("stripe", two, change(1, level=0x81),
                            refused(level=None, chunk=None, sectors=None, width=None)),
      notes="one says stripe, the other mirror, and nothing decides")
    a("h-total0", nv("stripe", two, all_wrong("total", total=0)))
    a("h-version", nv("stripe", two, all_wrong("version", version=200)))
    a("h-width0", nv("stripe", two, all_wrong("width", width=0)))
    a("h-width65", nv("stripe", two, all_wrong("width", width=65, total=65)), notes="more than 64 members")
    a("h-width33-raid01", nv("raid01", [4000] * 4, all_wrong("width", width=33, total=66)), notes="66 members")
    a("width64-two-there", nv("stripe", two, every(width=64, total=64, original_width=64), refused(width=64)),
      notes="as many members as are allowed, two of them there")
    a("h-tiny-disks", nv("stripe", [1, 2, 3, 64], refused(sectors=None), capacity=7936), nv("mirror", [700, 700]),
      notes="disks too small for what they say, and a good mirror beside them")
    a("h-product", nv("mirror", two, every(product=b"\x1b[2J\x00\xff%s\n\"\\</a>,")), notes="a product that bites")
    a("h-tail-zero", nv("mirror", two, every(word30=0)), notes="the bytes after the record are not part of it")
    for i in range(3):
        a(f"h-random-{i}", random_nvidia)


def noise(rng, table):
    return {name: rng.randbytes(struct.calcsize(letter)) if letter.endswith("s") else rng.getrandbits(64)
            for name, (_, letter) in table.items()}


def random_nvidia(case):
    """Only signature, size and sum are right; the version too on the second disk."""
    for version in (case.rng.randrange(200, 60000), 100):
        fields = {**noise(case.rng, NVIDIA), "signature": b"NVIDIA  ", "size_words": NVIDIA_WORDS, "version": version}

        def put(drive, fields=fields):
            drive.buffer[span(drive.size - 2, 1)] = nvidia_record(fields)
        case.problems.append((Drive(case, 1000, put), ["version"]))


def random_sil(case):
    """Only vendor, major and sum are right."""
    for _ in range(2):
        fields = {**noise(case.rng, SIL), "vendor": 0x1095, "major": 2}

        def put(drive, fields=fields):
            for back in SIL_COPIES:
                drive.buffer[span(drive.size - back, 1)] = sil_record(fields)
        case.problems.append((Drive(case, 2600, put), []))


def colliding_id(identity, step=True):
    """Another signature with the same name: one digit of the sum moved between 0..5 and a..f, or the same sum."""
    words = list(struct.unpack("<4I", identity))
    total = sum(words) & 0xFFFFFFFF
    digits = f"{total:08x}"
    at = next((i for i, d in enumerate(digits) if d not in "6789"), None) if step else None
    if at is not None:
        digit = int(digits[at], 16)
        other = digit - 10 if digit >= 10 else digit + 10
        total = int(digits[:at] + f"{other:x}" + digits[at + 1:], 16)
    words[0] ^= 0x5A
    words[3] = (total - sum(words[:3])) & 0xFFFFFFFF
    return struct.pack("<4I", *words)


def collision(step):
    def build(case):
        first = b"\x02" + case.rng.randbytes(15)
        while "0" not in f"{sum(struct.unpack('<4I', first)) & 0xFFFFFFFF:08x}":
            first = first[:1] + case.rng.randbytes(15)
        second = colliding_id(first, step)
        assert nvidia_name(first) == nvidia_name(second) and first != second
        case.shuffle = True
        NvidiaSet(case, "mirror", [4000, 4000], identity=second)
        NvidiaSet(case, "mirror", [4000, 4000], identity=first)
    return build


def nvidia_states():
    """Who is stale, what is degraded, spares, several sets."""
    two, four = [1500, 1433], [1500, 1433, 1611, 1550]
    a = lambda name, *b, **k: add("nvidia", name, *b, **k)
    a("h-name-collision", collision(True), hostile=True, notes="two signatures, one name")
    a("name-collision-same-sum", collision(False), notes="two signatures with the same sum")
    a("mirror2-whole", nv("mirror", [2600, 2600], capacity=2598), notes="a mirror of S - 2 sectors, not rounded")
    for slot in (0, 1):
        a(f"mirror2-flag-stale{slot}", nv("mirror", two, every(flags=2), stale(slot, flags=0)),
          notes="the half without the error flag came back from the dead")
        a(f"mirror2-job-stale{slot}", nv("mirror", two, every(flags=2), stale(slot, flags=0, job=5)))
        a(f"mirror2-capacity-stale{slot}", nv("mirror", two, every(flags=2), stale(slot, flags=0, capacity=1024)),
          notes="the flag decides whose capacity is right")
    for slot in range(4):
        a(f"raid01-4-flag-stale{slot}", nv("raid01", four, every(flags=2), stale(slot, flags=0)))
        a(f"raid01-4-lost{slot}", nv("raid01", four, shuffled, lose(slot)))
        a(f"raid5s-4-flag-stale{slot}", nv("raid5s", four, every(flags=6), stale(slot, flags=4)))
        a(f"raid5s-4-lost{slot}", nv("raid5s", four, shuffled, lose(slot)))
    a("raid01-4-lost-half", nv("raid01", four, lose(0, 1)), notes="the whole first stripe is gone")
    a("raid01-6-lost3", nv("raid01", [1500] * 6, 64, shuffled, lose(0, 4, 5)), notes="one of each column is left")
    a("raid01-6-lost-column", nv("raid01", [1500] * 6, 64, shuffled, lose(1, 4)))
    a("raid5s-4-lost-two", nv("raid5s", four, lose(0, 3)))
    a("raid5s-4-rebuild2", nv("raid5s", four, every(job=3, job_mark=900, flags=6), expect(state="rebuilding"),
                              stale(2, state="rebuilding", unit_flags=0x100)))
    a("raid5s-3-init-missing", nv("raid5s", [1500] * 3, every(job=2, flags=0), lose(1),
                                  refused(also_right=["initializing"])),
      notes="the parity was never made: nothing may be read from it")
    a("mirror2-rebuild-unmarked", nv("mirror", two, every(job=3, flags=2, job_mark=0), differs(0),
                                     expect(state="rebuilding", also_right=["broken", "dirty"], on_request=True,
                                            members=None)),
      notes="a rebuild, and nobody says of whom: unit 0, on request only")
    a("mirror2-jobs-differ", nv("mirror", two, change(1, job=5), refused()), notes="no flag decides")
    a("mirror2-capacities-differ", nv("mirror", two, change(1, capacity=1024), refused(sectors=None)),
      notes="no flag decides")
    a("raid5s-4-spare", nv("raid5s", four, shuffled, spare(1500, unit=4)))
    a("raid5s-4-two-spares", nv("raid5s", four, shuffled, every(total=6), spare(1500, unit=4), spare(1500, unit=5)))
    a("raid5s-3-duplicate1", nv("raid5s", [1500] * 3, twin(1), refused()), hostile=True,
      notes="two disks are unit 1; they are not chosen between though the others would do")
    a("mirror2-and-free", nv("mirror", two, spare(1500, listed=False, level=0, original_level=0, unit=0,
                                                  id=bytes(range(16)))),
      notes="a free disk: level 0, of no set")
    a("mirror2-and-foreign", nv("mirror", two, shuffled, foreign(1300)), notes="a disk without metadata")
    a("three-sets", nv("raid5s", [1500] * 3, 64, shuffled), nv("mirror", two), nv("stripe", two, 16, foreign(1500)),
      notes="three sets and a foreign disk, mixed")
    a("two-sets-one-lost", nv("raid01", four, shuffled, lose(3)), nv("stripe", two, lose(0)))
    a("span2-2048", nv("span", [4000, 4333], rule="2048"), notes="each member less 2048 sectors")
    a("span3-width1", nv("span", [1500, 1433, 1611], shuffled, every(width=1, original_width=1)),
      notes="width 1: total counts the members")
    a("span2-no-rule", nv("span", [4000, 4333], every(capacity=8000, original_capacity=8000), refused(sectors=None)),
      notes="no rule gives this capacity")


def nvidia_geometry():
    """Every level with every chunk; cut and small capacities."""
    a = lambda name, *b, **k: add("nvidia", name, *b, **k)
    for chunk in (16, 32, 64, 128, 256):
        for level, count in (("stripe", 3), ("raid01", 4), ("raid5s", 4), ("raid5a", 4), ("mirror", 2), ("span", 3)):
            sizes = odd_sizes(f"{level}{chunk}", 2100, count)
            rule = {"rule": "rounded"} if level == "span" else {}
            a(f"chunk{chunk}-{level}", nv(level, sizes, chunk, shuffled, **rule))
    for level, sizes, per in (("stripe", [1412] * 3, 3), ("raid01", [1412] * 4, 2), ("raid5s", [1412] * 4, 3)):
        whole = 11 * 128 * per  # 1410 sectors hold 11 chunks of 128
        for cut in (1, 77, 128, 129, 300):
            a(f"cut-{level}-{cut}", nv(level, sizes, shuffled, capacity=whole - cut),
              notes=f"the capacity ends {cut} sectors before the end of a row")
        a(f"small-{level}", nv(level, sizes, shuffled, capacity=6 * 128 * per), notes="half of what the members hold")
    for slot in range(4):
        a(f"cut-raid01-lost{slot}", nv("raid01", [1412] * 4, lose(slot), capacity=11 * 128 * 2 - 77))
        a(f"cut-raid5s-lost{slot}", nv("raid5s", [1412] * 4, lose(slot), capacity=11 * 128 * 3 - 200))
    a("cut-stripe-tiny", nv("stripe", [1412] * 3, capacity=5), notes="less than a chunk")
    a("small-mirror", nv("mirror", [1500, 1433], capacity=1001))


NVIDIA_WRONG = (
    # field, what the message is about, the wrong value, on which sets
    ("signature", None, {"signature": b"NVIDIA\0\0"}, "mirror stripe"),
    ("size-words", "size", {"size_words": 31, "word30": 0}, "mirror stripe"),
    ("checksum", "checksum", {"checksum": 1}, "mirror stripe raid5s"),
    ("version", "version", {"version": 101}, "mirror stripe"),
    ("array-version", "version", {"array_version": 0x00640048}, "mirror stripe"),
    ("sector-size", "sector", {"sector_size": 4096}, "mirror stripe"),
    ("level", "level", {"level": 0x42}, "mirror stripe raid5s"),
    ("level-high-bits", "level", {"level": 0x10000}, "mirror stripe raid5s"),  # added to the right one
    ("width", "width", {"width": 0}, "raid5s raid01 stripe"),
    ("total", "total", {"total": 0}, "mirror stripe raid5s"),
    ("total-small", "total", {"total": 1}, "mirror stripe raid5s"),
    ("unit", "unit", {"unit": 64}, "mirror stripe raid5s"),
    ("unit-huge", "unit", {"unit": 255}, "mirror stripe"),
    ("chunk", "chunk", nvidia_chunk(96, 3), "raid5s raid01 stripe"),
    ("chunk-zero", "chunk", nvidia_chunk(0, 3), "raid5s raid01 stripe"),
    ("chunk-small", "chunk", nvidia_chunk(4, 3), "raid5s stripe"),
    ("chunk-large", "chunk", nvidia_chunk(4096, 3), "raid5s stripe"),
    ("chunk-alone", "chunk", {"chunk": 64}, "raid5s stripe"),
    ("chunk-bytes", "chunk", {"chunk_bytes": 32768}, "raid5s raid01 stripe"),
    ("chunk-power", "chunk", {"chunk_power": 6}, "raid5s raid01 stripe"),
    ("chunk-mask", "chunk", {"chunk_mask": 128}, "raid5s raid01 stripe"),
    ("capacity", "capacity", {"capacity": 0}, "mirror raid5s stripe"),
)
NVIDIA_DIFFERENT = (  # right in itself, but not what the others say
    ("level-differs", "level", {"level": 0x85}),
    ("width-differs", "width", {"width": 2, "total": 4}),
    ("chunk-differs", "chunk", nvidia_chunk(64, 3)),
    ("capacity-less", "capacity", {"capacity": 1024}),
    ("capacity-huge", "capacity", {"capacity": 0xFFFFFFFF}),
    ("job", "job", {"job": 5}),
    ("original-width", "original", {"original_width": 2}),
    ("original-level", "original", {"original_level": 0x80}),
    ("original-capacity", "original", {"original_capacity": 1024}),
)


def nvidia_one_wrong(kind, fields):
    """One disk of a set with these fields, all else right."""
    sizes = {"mirror": 2, "stripe": 3, "raid01": 4, "raid5s": 4}[kind] * [1500]
    if fields.get("level") == 0x10000:
        fields = {"level": 0x10000 | NVIDIA_LEVELS[kind]}
    if kind == "raid01" and "chunk" in fields and "stripe" in fields:
        fields = nvidia_chunk(fields["chunk"], 2)
    return sizes, fields


def nvidia_wrong():
    """One field wrong on one disk, the sum made right again."""
    a = lambda name, *b, **k: add("nvidia", name, *b, hostile=True, **k)
    for field, about, values, kinds in NVIDIA_WRONG:
        for kind in kinds.split():
            sizes, fields = nvidia_one_wrong(kind, values)
            a(f"field-{field}-{kind}", nv(kind, sizes, wrong(1, about, **fields)))
    for field, about, values in NVIDIA_DIFFERENT:
        a(f"field-{field}-raid5s", nv("raid5s", [1500] * 4, stale(1, about, **values)),
          notes="three agree against one")
    for field, about, values in NVIDIA_DIFFERENT[2:5]:
        a(f"field-{field}-stripe", nv("stripe", [1500] * 3, change(1, **values), refused(chunk=None, sectors=None)),
          notes="nothing can be read without the one that differs")
    fits = expect(also_right=["degraded"], members=None, left_out=None)
    a("field-stripe-raid5s", nv("raid5s", [1500] * 4, change(1, stripe=999), fits),
      notes="nothing depends on it: the disk may be used or left out")
    a("field-unit-spare-mirror", nv("mirror", [1500] * 2, lose(1), spare(1500, unit=5)),
      notes="a unit past the members is a spare")
    a("field-unit-twice-raid5s", nv("raid5s", [1500] * 4, lose(2), twin(1), refused()),
      notes="units 0, 1, 1 and 3")
    a("field-unit-twice-stripe", nv("stripe", [1500] * 3, lose(2), twin(1), refused()))
    a("field-array-id-mirror", other_id(NvidiaSet, [1500, 1433]), notes="two halves, each of a set of its own")
    a("field-reserved-mirror", nv("mirror", [1500] * 2, change(0, reserved=0xFF), change(1, reserved=0x7E)),
      notes="means nothing")


def other_id(kind, sizes):
    """Two mirrors of which one half each is there."""
    def build(case):
        for slot in (0, 1):
            lose(1 - slot)(kind(case, "mirror", sizes))
        assert case.sets[0].name != case.sets[1].name
    return build


def sil_named():
    """The cases that sil.md names."""
    two, three, four = [5000] * 2, [5000] * 3, [5000] * 4
    a = lambda name, *b, **k: add("sil", name, *b, **k)
    same = ({},) * 3
    a("copy-1-differs", sil("stripe", two, copies(0, {"disk_location": 3}, *same), complain(0, "copy")),
      notes="the copy in the last sector is valid and unlike the other three")
    a("copy-1-other-set", sil("stripe", two, copies(1, {"created": b"\x11\x22\x03\x04\x05\x06"}, *same),
                              complain(1, "copy")),
      notes="the copy in the last sector is of another set: three outvote it")
    a("copy-last-lost", sil("stripe", two, copies(0, None, *same), copies(1, None, *same)),
      notes="the last sector is lost on both disks")
    a("minor3", sil("stripe", two, every(minor=3)), notes="SATARAID5's version, with counts that fit")
    a("word48-4000", sil("stripe", two, every(word48=0x4000)), notes="IDENTIFY word 48 is the drive's own")
    for size, stride in (("8k", 16), ("16k", 32), ("32k", 64)):
        a(f"stripe2-{size}", sil("stripe", two, stride))
    a("stripe2-64k-shorter", sil("stripe", two, 128, array=4096), notes="the members could hold more")
    a("stripe3-16k-shuffled", sil("stripe", three, shuffled))
    a("mirror2-missing0", sil("mirror", two, 128, lose(0)))
    a("mirror2-dirty", sil("mirror", two, 128, every(set_status=1), differs(2000), expect(state="dirty")),
      notes="not closed cleanly: the halves may differ, one is read")
    a("mirror2-rebuild1", sil("mirror", two, 128, expect(state="rebuilding"),
                              stale(1, state="rebuilding", disk_status=2, rebuild_lba=1024)))
    a("mirror2-older1", sil("mirror", two, 128, stale(1, generation=4)))
    a("mirror2-duplicate", sil("mirror", two, 128, twin(1), refused()), hostile=True,
      notes="two disks are member 1, of one generation")
    a("mirror2-odd-unequal", sil("mirror", [5301, 5000], 128))
    a("mirror2-spare", sil("mirror", two, 128, spare(5000, listed=False, type=3, disk_number=0, mirror_set=0xFF,
                                                     generation=1, created=b"\x01\x02\x03\x04\x05\x06")),
      notes="a spare belongs to no set")
    a("raid10-4-missing1", sil("raid10", four, lose(1)))
    a("raid10-4-missing-column", sil("raid10", four, lose(2, 3)))
    a("raid10-6", sil("raid10", [5000] * 6))
    a("raid5-3-ls-missing1", sil("raid5", three, 128, lose(1)))
    a("raid5-4-ls-16k", sil("raid5", four))
    a("span2-ff", sil("span", [5000, 5300], 128))
    a("jbod1", sil("span", [5000], 128))
    a("two-sets", sil("stripe", two, shuffled), sil("mirror", two, 128))


def sil_hostile():
    two, four = [5000] * 2, [5000] * 4
    a = lambda name, *b, **k: add("sil", name, *b, hostile=True, **k)
    a("h-array0", sil("stripe", two, all_wrong("array", array_sectors=0)))
    a("h-drives0", sil("stripe", two, all_wrong("drives", stripe_drives=0)))
    a("h-drives255", sil("stripe", two, all_wrong("drives", stripe_drives=255)))
    a("h-index7", sil("stripe", two, wrong(1, "disk number", disk_number=7)), notes="member 7 of 2")
    a("h-mirror1", sil("mirror", two, all_wrong("drives", mirror_drives=1)))
    a("h-raid10-nomirror", sil("raid10", four, all_wrong("drives", mirror_drives=0xFF)))
    a("h-stride-33", sil("stripe", two, all_wrong("stride", stride=33)))
    a("h-stride0", sil("stripe", two, all_wrong("stride", stride=0)))
    a("h-type77", sil("stripe", two, all_wrong("type", type=0x77)))
    a("h-name-collision", sil("mirror", two, shuffled, created=bytes.fromhex("134211120705")),
      sil("stripe", two, created=bytes.fromhex("130611120705")), notes="minutes 06 and 42 give one name")
    a("h-array-past1", sil("mirror", two, all_wrong("array", array_sectors=5000 - 2047)),
      notes="one sector more than the members may hold")
    a("h-tiny-disks", sil("stripe", [1, 2, 600, 2049], unlisted, array=5888), sil("mirror", [2600, 2600]),
      notes="disks too small for what they say, and a good mirror beside them")


def sil_noise():
    for i in range(3):
        add("sil", f"h-random-{i}", random_sil, hostile=True)


def sil_states():
    two, four = [2900, 2833], [2900, 2833, 3011, 2950]
    a = lambda name, *b, **k: add("sil", name, *b, **k)
    for slot in range(4):
        a(f"raid10-4-lost{slot}", sil("raid10", four, shuffled, lose(slot)))
        a(f"raid10-4-older{slot}", sil("raid10", four, shuffled, stale(slot, generation=2)))
        a(f"raid5-4-lost{slot}", sil("raid5", four, shuffled, lose(slot)))
    a("raid10-4-older-column", sil("raid10", four, stale(2, generation=4), stale(3, generation=4)),
      notes="both copies of a column are behind")
    a("raid10-4-failed3", sil("raid10", four, stale(3, state="failed", disk_status=4)))
    a("raid10-4-rebuild0", sil("raid10", four, stale(0, state="rebuilding", disk_status=2, rebuild_lba=500),
                               expect(state="rebuilding")))
    a("raid10-4-numbers", sil("raid10", four, change(1, disk_number=2), change(2, disk_number=1),
                              change(3, disk_number=3), complain(1, "disk number"), complain(3, "disk number")),
      notes="disk_number is not the column, but gives the same order inside each copy")
    a("raid10-6-lost3", sil("raid10", [2900] * 6, shuffled, lose(0, 3, 5)), notes="one of each column is left")
    a("raid10-8", sil("raid10", [2900] * 8, 64, shuffled))
    a("mirror3", sil("mirror", [2900] * 3, shuffled))
    a("mirror3-one-left", sil("mirror", [2900] * 3, lose(0), stale(1, generation=3)))
    a("stripe2-older1", sil("stripe", two, stale(1, generation=4)), notes="a stale member of a stripe breaks it")
    a("stripe2-dirty", sil("stripe", two, every(set_status=1), expect(state="dirty", also_right=["ok"])))
    a("three-sets", sil("raid10", four, shuffled), sil("mirror", two, 128), sil("stripe", two, 16, foreign(2700)),
      notes="three sets and a foreign disk, mixed")
    a("mirror2-arrays-differ", sil("mirror", two, change(1, array_sectors=512), refused(sectors=None)),
      notes="one generation, two sizes: nothing decides")
    a("mirror2-one-too-small", sil("mirror", two, wrong(1, "array"), array=820),
      notes="only the first disk has room for what both say")
    a("mirror2-stride0", sil("mirror", two, every(stride=0)), notes="a mirror's stride is never used")
    a("stripe2-mirror0", sil("stripe", two, every(mirror_drives=0, mirror_set=0, stripe_set=0xFF)),
      notes="not mirrored, said by 0")
    for name, old, new in (("wrap", 0xFFFFFFFF, 2), ("half", 0x7FFFFFFF, 0x80000001)):
        a(f"{name}-mirror2", sil("mirror", two, every(generation=new), stale(0, generation=old)),
          notes="the generation is a signed distance")
        a(f"{name}-raid10", sil("raid10", four, shuffled, every(generation=new), stale(2, generation=old)))
    a("wrap-same", sil("stripe", two, every(generation=0xFFFFFFFF)))
    sil_shrunk()
    sil_votes()


def sil_shrunk():
    two = [2900, 2833]
    a = lambda name, *b, **k: add("sil", name, *b, **k)
    a("shrunk-mirror2", sil("mirror", two, wrong(0, "shrunk", sectors28=4000, sectors48=4000)),
      notes="the firmware saw more sectors than there are")
    a("shrunk-stripe2", sil("stripe", two, wrong(1, "shrunk", sectors28=2834, sectors48=2834)))
    a("shrunk-lba28-mirror2", sil("mirror", two, wrong(1, "shrunk", sectors28=4000, sectors48=0)),
      notes="an old drive: only the short count")
    a("grown-mirror2", sil("mirror", two, change(0, sectors28=2800, sectors48=2800)),
      notes="the disk has more sectors than the firmware saw: a note, no more")
    a("no-lba48", sil("stripe", two, every(sectors48=0)), notes="old drives give only the short count")


def sil_votes():
    """The four copies of a disk do not agree."""
    two = [2900, 2833]
    old, new, lost, other = {"generation": 4}, {}, None, {"created": b"\x11\x22\x03\x04\x05\x06"}
    bad, say = {"checksum": 1}, complain(1, "copy")

    def a(name, four, *steps, notes="", **k):
        add("sil", f"vote-{name}", sil("mirror", two, copies(1, *four), *steps), notes=notes, **k)

    for k in range(4):
        four = [new] * 4
        four[k] = other
        a(f"foreign-{k + 1}", four, say, notes="one valid copy of another set")
    a("tie-newer-end", (new, new, old, old), say, notes="two against two: the newer generation")
    a("tie-newer-front", (old, old, new, new), say, notes="two against two: the newer generation")
    a("tie-crossed", (old, new, old, new), say)
    a("tie-nearest", (new, new, {"disk_status": 4}, {"disk_status": 4}), say,
      notes="two against two, one generation: the copy nearest the end")
    a("tie-nearest-failed", ({"disk_status": 4}, {"disk_status": 4}, new, new), stale(1, state="failed"), say,
      notes="the same the other way round")
    a("four-ways", ({"generation": 2}, {"generation": 3}, new, old), say, notes="each alone: the newest")
    a("two-damaged", (bad, new, bad, new), say)
    a("only-2", (lost, new, lost, lost))
    a("only-3", (bad, bad, new, bad), say, notes="three copies damaged")
    a("majority-older", ({"generation": 5}, {}, {}, {}), stale(1, generation=4), say,
      notes="the largest group wins, and is behind")
    a("all-damaged", (bad, bad, bad, bad), wrong(1, "checksum"))


def sil_geometry():
    a = lambda name, *b, **k: add("sil", name, *b, **k)
    for stride in (16, 32, 64, 128, 256):
        for level, count in (("stripe", 3), ("raid10", 4), ("raid5", 4), ("mirror", 2), ("span", 3), ("concat", 2)):
            sizes = odd_sizes(f"{level}{stride}", 3600, count)
            a(f"stride{stride}-{level}", sil(level, sizes, stride, shuffled))
    for level, wide, count in (("stripe", 3, 3), ("raid10", 2, 4), ("raid5", 3, 4)):
        sizes = [3600] * count
        a(f"round-{level}", sil(level, sizes, shuffled, array=1000 * wide + 1),
          notes="array_sectors is not a multiple of the stride: each share is rounded down")
        a(f"small-{level}", sil(level, sizes, shuffled, array=512 * wide), notes="the members could hold more")
    a("small-mirror", sil("mirror", [3600, 3533], array=1001))


SIL_WRONG = (
    ("vendor", None, {"vendor": 0x1096}, "mirror raid10 stripe"),
    ("major", "version", {"major": 3}, "mirror raid10 stripe"),
    ("checksum", "checksum", {"checksum": 1}, "mirror raid10 stripe"),
    ("stride", "stride", {"stride": 24}, "raid10 stripe"),
    ("stride-zero", "stride", {"stride": 0}, "raid10 stripe"),
    ("stride-small", "stride", {"stride": 4}, "raid10 stripe"),
    ("stride-large", "stride", {"stride": 4096}, "raid10 stripe"),
    ("disk-number", "disk number", {"disk_number": 8}, "mirror raid10 stripe"),
    ("disk-number-past", "disk number", {"disk_number": 4}, "mirror raid10 stripe"),
    ("stripe-drives", "drives", {"stripe_drives": 1}, "raid10 stripe"),
    ("stripe-drives-many", "drives", {"stripe_drives": 9}, "raid10 stripe"),
    ("mirror-drives", "drives", {"mirror_drives": 1}, "mirror raid10"),
    ("mirror-drives-many", "drives", {"mirror_drives": 9}, "mirror raid10"),
    ("mirror-drives-stripe", "drives", {"mirror_drives": 2}, "stripe"),
    ("stripe-set", "stripe set", {"stripe_set": 2}, "raid10"),
    ("mirror-set", "mirror set", {"mirror_set": 2}, "raid10"),
    ("type", "type", {"type": 0x42}, "mirror raid10 stripe"),
    ("array-sectors", "array", {"array_sectors": 0}, "mirror raid10 stripe"),
    ("array-sectors-huge", "array", {"array_sectors": 1 << 40}, "mirror raid10 stripe"),
    ("array-sectors-wrap", "array", {"array_sectors": (1 << 64) - 1}, "mirror raid10 stripe"),
)


def sil_wrong():
    a = lambda name, *b, **k: add("sil", name, *b, hostile=True, **k)
    counts = {"mirror": 2, "stripe": 3, "raid10": 4}
    for field, about, values, kinds in SIL_WRONG:
        for kind in kinds.split():
            a(f"field-{field}-{kind}", sil(kind, counts[kind] * [2900], wrong(1, about, **values)))
    a("field-stripe-drives-raid5", sil("raid5", [2900] * 4, wrong(1, "drives", stripe_drives=2)))
    for field, about, values in (("stride-differs", "stride", {"stride": 64}),
                                 ("array-sectors-differs", "array", {"array_sectors": 512})):
        a(f"field-{field}-raid10", sil("raid10", [2900] * 4, stale(1, about, **values)), notes="three against one")
        a(f"field-{field}-stripe", sil("stripe", [2900] * 3, change(1, **values), refused(chunk=None, sectors=None)))
    a("field-disk-number-twice-raid10", sil("raid10", [2900] * 4, lose(3), twin(1), refused()),
      notes="copy 1 of column 0 twice")
    a("field-disk-number-twice-stripe", sil("stripe", [2900] * 3, lose(2), twin(1), refused()))
    a("field-created-mirror", other_id(SilSet, [2900, 2833]), notes="two halves, each of a set of its own")
    a("field-identify-sum-mirror", sil("mirror", [2900] * 2, change(0, identify_sum=0), change(1, identify_sum=1)),
      notes="never checked")


for family in (nvidia_named, nvidia_hostile, nvidia_states, nvidia_geometry, nvidia_wrong,
               sil_named, sil_hostile, sil_noise, sil_states, sil_geometry, sil_wrong):
    family()


# ---------------------------------------------------------------------------------------------------------------
# Does the generator itself hold?

VECTOR_A = """
    4e 56 49 44 49 41 20 20 1e 00 00 00 e5 f2 4c 97 64 00 03 ff 00 e2 43 25 00 02 00 00 53 54 52 49
    50 45 20 20 20 32 39 38 2e 31 32 47 00 31 30 30 00 00 00 00 44 00 64 00 23 39 3e 02 fb 29 19 43
    27 40 13 29 82 d5 d8 2e 00 04 04 04 80 00 00 00 80 00 00 00 00 00 01 00 07 00 00 00 7f 00 00 00
    00 02 00 00 00 00 04 00 00 00 00 00 80 00 00 00 00 e2 43 25 00 00 00 00"""
VECTOR_B = """
    4e 56 49 44 49 41 20 20 1e 00 00 00 60 02 15 4b 64 00 00 00 00 b2 38 3a 00 02 00 00 53 54 52 49
    50 45 20 20 20 34 36 35 2e 37 37 47 00 31 30 30 00 00 00 00 44 00 64 00 c7 b2 fa 1a a7 34 ef 40
    3f e1 69 18 9e fb 42 4f 00 02 02 02 80 00 00 00 80 00 00 00 00 00 01 00 07 00 00 00 7f 00 00 00
    00 01 00 00 00 00 02 00 00 00 00 00 80 00 00 00 00 b2 38 3a 01 00 00 00"""
VECTOR_C = """
    4e 56 49 44 49 41 20 20 1e 00 00 00 0a 64 6e 32 64 00 00 00 80 0f 00 00 00 02 00 00 4d 49 52 52
    4f 52 20 20 20 20 20 30 2e 30 30 47 00 31 30 30 00 01 00 00 44 00 64 00 77 21 11 11 49 15 0a 23
    e5 82 f0 18 ff ff c0 00 03 01 02 01 81 00 00 00 80 00 00 00 00 00 01 00 07 00 00 00 7f 00 00 00
    80 00 00 00 00 00 01 00 80 07 00 00 81 00 00 00 80 0f 00 00 00 00 00 00"""
VECTOR_SIL = {  # all other bytes are 0
    0x000: "5a 0c", 0x014: "41 4c 30 42 30 30 30 32 20 20 20 20 20 20 20 20 20 20 20 20",
    0x02E: "2e 31 30 30 20 20 20 20 41 4c 20 42 49 44 4b 53" + " 20" * 32, 0x063: "2f", 0x06C: "00 17",
    0x078: "88 13", 0x0C8: "88 13",
    0x104: "12 31 95 10 00 00 02 00 14 02 02 03 03 05 20 00 00 00 00 00 02 00 ff ff",
    0x124: "05 00 00 00 01 02 01", 0x13E: "88 bd"}


def selftest_records():
    words = lambda *w: struct.pack("<4I", *w)
    a_id = words(0x023E3923, 0x431929FB, 0x29134027, 0x2ED8D582)
    a = nvidia_fields(0x80, 4, 4, 128, 625205760, unit=3, reserved=0xFF, product=b"STRIPE   298.12G", id=a_id)
    assert nvidia_record(a) == bytes.fromhex(VECTOR_A) + b"\xff" * 392
    b_id = words(452637383, 1089418407, 409592127, 1329789854)
    b = nvidia_fields(0x80, 2, 2, 128, 976794112, product=b"STRIPE   465.77G", id=b_id, flags=1)
    assert nvidia_record(b) == bytes.fromhex(VECTOR_B) + b"\xff" * 392
    second = bytearray(bytes.fromhex(VECTOR_B))
    second[0x12], second[0x0C:0x10] = 1, bytes.fromhex("6002144b")
    assert nvidia_record({**b, "unit": 1})[:120] == second
    c = nvidia_fields(0x81, 1, 2, 128, 3968, unit_flags=0x100, job=3, job_mark=1920, product=b"MIRROR     0.00G",
                      id=bytes.fromhex(VECTOR_C)[0x38:0x48])
    assert nvidia_record(c)[:120] == bytes.fromhex(VECTOR_C)
    assert [nvidia_name(i) for i in (a_id, b_id, c["id"])] == ["nvidia_jdedhich", "nvidia_cdjgceeb", "nvidia_edccbjae"]


def selftest_sil():
    wanted = bytearray(SECTOR)
    for at, text in VECTOR_SIL.items():
        raw = bytes.fromhex(text)
        wanted[at:at + len(raw)] = raw
    case = Case("sil", "vector", 0)
    one = SilSet(case, "stripe", [5000, 5000], created=bytes.fromhex("140202030305"),
                 product=0x3112, unknown=0, name=b"")
    drive = {**sil_drive("LAB00020", 5000), "model": ata_text("LAB DISK", 40)}
    assert sil_record({**drive, **one.common, **one.place(0)}) == wanted
    assert one.name == "sil_afadadacacca" and one.shape.total == 5888
    assert sil_name(bytes.fromhex("533114120705")) == "sil_afahbicaejcd"
    assert sil_name(b"\xff" * 6) == "sil_cffcffcffcffbfbf"
    assert sil_name(bytes([0x21, 0x38, 0x07, 0x10, 0x09, 0x09])) == "sil_ajajbgahfgdd"


def selftest_mapping():
    """What is laid down is read back, with every one member missing where there is redundancy."""
    shapes = [Shape("raid0", 3, 16, 16 * 9), Shape("raid0", 3, 16, 131), Shape("raid1", 2, 0, 100),
              Shape("raid01", 6, 8, 8 * 12), Shape("raid10", 6, 8, 93), Shape("linear", 3, 0, 60, None, [10, 20, 30])]
    shapes += [Shape("raid5", n, 8, total, f"{side}-{kind}") for n in (3, 4, 5) for total in (96, 101)
               for side in ("left", "right") for kind in ("symmetric", "asymmetric")]
    for shape in shapes:
        members = [bytearray(bytes([0xE0 + i]) * SECTOR * 128) for i in range(shape.slots)]
        data = pattern(7, shape.total)
        lay(shape, data, members)
        assert gather(shape, members) == data, shape
        for gone in range(shape.slots):
            if readable(shape, {gone}):
                assert gather(shape, [None if i == gone else m for i, m in enumerate(members)]) == data, shape
    # where the first four chunks of three members lie, from the definition of the layouts
    first = {"left-symmetric": [[0], [1], [2], [0]], "left-asymmetric": [[0], [1], [0], [2]],
             "right-symmetric": [[1], [2], [2], [0]], "right-asymmetric": [[1], [2], [0], [2]]}
    for layout, slots in first.items():
        assert [s for _, _, s, _ in pieces(Shape("raid5", 3, 8, 32, layout))] == slots, layout


def selftest():
    selftest_records()
    selftest_sil()
    selftest_mapping()
    fixtures = os.path.join(os.path.dirname(os.path.abspath(__file__)), "images")
    twice = [name for name in CASES if os.path.exists(os.path.join(fixtures, name))]
    assert not twice, f"named like a fixture: {twice}"
    print("generate.py: the vectors, the names and the mapping hold")


def chosen(patterns):
    if not patterns:
        return list(CASES)
    found = [name for name in CASES
             if any(fnmatch.fnmatch(name, p) or fnmatch.fnmatch(name.split("/")[1], p) for p in patterns)]
    if not found:
        sys.exit("generate.py: no case matches " + " ".join(patterns))
    return found


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description="disk images made from the specifications")
    parser.add_argument("-o", dest="out", metavar="DIR", default=os.path.join(here, "..", "build", "generated"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="the cases, and nothing else")
    parser.add_argument("--selftest", action="store_true", help="check the generator against known bytes")
    parser.add_argument("cases", metavar="CASE", nargs="*", help="NAME or FORMAT/NAME, with * and ?")
    args = parser.parse_args()
    if args.selftest:
        return selftest()
    for name in chosen(args.cases):
        builders, notes, hostile = CASES[name]
        if args.list:
            print(f"{name:42} {notes}".rstrip())
            continue
        case = Case(*name.split("/"), args.seed)
        for build in builders:
            build(case)
        case.write(os.path.join(args.out, name), notes, hostile)


if __name__ == "__main__":
    main()
