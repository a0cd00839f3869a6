#!/usr/bin/env python3
"""generate.py [-o DIR] [--seed N] [--list] [--selftest] [CASE...]: disk images made from the specifications.

Writes DIR/FORMAT/CASE/{diskN.img, expect.json} for every case whose name or FORMAT/NAME matches one of the
CASE patterns (all if none is given). DIR is build/generated if not given. One seed gives one result, to the byte.

This is written from the specifications of the formats and from nothing else: it shares no code with the parsers
that it tests. It only knows how to write; what a right reader must find is in expect.json (see README.md).

Every set holds the pattern: each 8-byte little-endian word of array sector n is (n + 1) XOR (seed << 48). All that
is not set data (tails, gaps, spares) is one byte, another on each disk and never zero; a disk that must not be read
holds a pattern of another seed. So a read from a wrong place gives a wrong sum. Disks of more than LARGE sectors are
holes, and of their sets only some sectors hold the pattern.
"""
import argparse
import copy
import fnmatch
import hashlib
import json
import os
import random
import struct
import sys
from collections import namedtuple

SECTOR = 512
LARGE = 1 << 14
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


def place_of(shape, n):
    """The members that hold array sector n, and the sector in them."""
    if shape.kind == "linear":
        for slot, share in enumerate(shape.shares):
            if n < share:
                return [slot], n
            n -= share
    if shape.kind == "raid1":
        return list(range(shape.slots)), n
    number, within = divmod(n, shape.chunk)
    row, column = divmod(number, columns(shape))
    return slots_of(shape, row, column), row * shape.chunk + within


def some_sectors(shape):
    """Array sectors at the edges of all that has edges."""
    chunk, total = shape.chunk or 128, shape.total
    row = chunk * (columns(shape) if shape.chunk else 1)
    edges = [0, 1, chunk - 1, chunk, row - 1, row, total // 2, total - row, total - chunk, total - 1, 1 << 32]
    edges += [sum(shape.shares[:i]) for i in range(shape.slots)] if shape.shares else []
    return sorted({n for n in edges if 0 <= n < total})


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
        self.size, self.records = size, [record] if record else []  # functions that put metadata into the buffer
        self.present, self.state, self.name, self.buffer = True, "ok", None, None
        self.index = self.fields = self.copies = self.serial = self.frozen = None
        self.is_named = True  # its serial is the one in the records
        case.drives.append(self)


class Holes:
    """The bytes of a large disk: zeros but for what was written."""

    def __init__(self, size):
        self.size, self.parts = size, []

    def __len__(self):
        return self.size

    def __setitem__(self, where, data):
        self.parts.append((where.start, bytes(data)))


class Case:
    def __init__(self, fmt, name, seed):
        self.fmt, self.name = fmt, name
        self.rng = random.Random(f"{seed}/{fmt}/{name}")
        self.shuffle, self.turned, self.block = False, False, SECTOR
        self.drives, self.sets, self.problems, self.never, self.seeds = [], [], [], [], set()
        self.finish = []   # what is to be done when all is said of the case
        self.in_order = []  # disks that are told apart by the order in which they are given

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
        for drives in self.in_order:
            drives = [d for d in drives if d.present]
            for place, drive in zip(sorted(there.index(d) for d in drives), drives):
                there[place] = drive
        for i, drive in enumerate(there):
            drive.name = f"disk{i}.img"
        return there

    def fill(self):
        for i, drive in enumerate(self.drives):
            if drive.size > LARGE:
                drive.buffer = Holes(drive.size * SECTOR)
            else:
                drive.buffer = bytearray(bytes([0xE0 + i % 31]) * (drive.size * SECTOR))
        for one in self.sets:
            one.fill()
        for drive in self.drives:
            for record in drive.records:
                record(drive)

    def expect(self, disks, notes, hostile):
        plain = sorted(self.sets, key=lambda s: s.identity)
        for i, one in enumerate(plain):  # of two sets with one name, the second is told apart
            if one.name in [other.name for other in plain[:i]]:
                one.name += one.name_suffix()
        by_name = lambda d: int(d.name[4:-4])
        problems = {d.name: about for d, about in self.problems if d.name}
        found = {"case": self.name, "source": "generated by tests/generate.py",
                 "disks": [d.name for d in disks],
                 "sets": [one.entry() for one in self.sets if one.listed],
                 "problems": [{"disk": d.name, "about": problems[d.name]} for d in disks if d.name in problems],
                 "never": [d.name for d in sorted({d for d in self.never if d.name}, key=by_name)],
                 "notes": notes, "hostile": hostile}
        if any(d.serial for d in disks):
            found["serials"] = {d.name: d.serial for d in disks if d.serial}
            by_serial = [one.entry(True) for one in self.sets if one.listed]
            if by_serial != found["sets"]:
                found["sets_by_serial"] = by_serial
            if self.turned:
                found["order_counts"] = True
        if self.block != SECTOR:
            found["sector_size"] = self.block
        return found

    def write(self, folder, notes, hostile):
        for finish in self.finish:
            finish()
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
        if isinstance(buffer, Holes):
            for at, data in buffer.parts:
                out.seek(at)
                out.write(data)
        elif any(buffer):
            out.write(buffer)
        out.truncate(len(buffer))


class RaidSet:
    """One set of a case, with disks of its own from sector 0 on. The formats add the record and the sizes."""

    fmt = None

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

    def entry(self, _by_serial=False):
        gone = {d.index for d in self.drives if not d.present or d.state != "ok"}
        whole = readable(self.shape, gone)
        mappable = self.facts.get("mappable", whole)
        striped = self.shape.kind not in ("linear", "raid1")
        found = {"name": self.name, "format": self.fmt, "id": None, "volume": None,
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


class Part:
    """A set on a part of its disks, beside others: an Intel volume, a Promise array. A slot's disk never changes, but
    what is known of it may."""

    def __init__(self, case, fmt, shape, drives, offsets):
        self.case, self.fmt, self.shape, self.drives, self.offsets = case, fmt, shape, drives, offsets
        self.seed, self.wrong_seed = case.data_seed(), case.data_seed()
        self.name = self.identity = self.volume = None
        self.ghosts = []   # (slot, disk): holds another copy of the slot's data, which must not be read
        self.differs = {}  # slot -> the sector from which on its copy is another
        self.facts, self.spares, self.left_out, self.listed = {}, [], [], True
        self.by_serial = {}  # facts where the serials are known
        self.aliases = []
        self.given = None  # the disks by slot as the order in which they are given tells, where that is not right
        self.unsure = False  # whether that order tells nothing
        self.gaps = False  # whether it cannot tell which places are empty
        self.only = None
        self.states, self.generations = {}, {}  # of a disk in this set, where they are not those of the disk
        case.sets.append(self)

    def name_suffix(self):
        return ""

    def length(self, slot):
        if self.shape.kind == "linear":
            return self.shape.shares[slot]
        return self.shape.total if self.shape.kind == "raid1" else rows(self.shape) * self.shape.chunk

    def laid(self, seed):
        """What the members hold, each from the sector on at which the set begins."""
        members = [bytearray(b"\xDF") * (self.length(slot) * SECTOR) for slot in range(self.shape.slots)]
        lay(self.shape, pattern(seed, self.shape.total), members)
        return members

    def put(self, drive, slot, data, start=0):
        at = self.offsets[slot] + start
        count = min(len(data) // SECTOR - start, drive.size - at)
        if count > 0:
            drive.buffer[span(at, count)] = data[span(start, count)]

    def fill(self):
        everywhere = [(s, d, self.state_of(d) == "ok") for s, d in enumerate(self.drives)]
        everywhere += [(s, d, False) for s, d in self.ghosts]
        if any(d.size > LARGE for _, d, _ in everywhere):
            self.fill_some(everywhere)
            return
        good, wrong = self.laid(self.seed), None
        self.sum = hashlib.sha256(pattern(self.seed, self.shape.total)).hexdigest()
        if self.differs or not all(ok for _, _, ok in everywhere):
            wrong = self.laid(self.wrong_seed)
        for slot, drive, ok in everywhere:
            self.put(drive, slot, (good if ok else wrong)[slot])
        for slot, start in self.differs.items():
            self.put(self.drives[slot], slot, wrong[slot], start)

    def fill_some(self, everywhere):
        self.sum, self.only, parity = None, some_sectors(self.shape), {}
        for n in self.only:
            slots, at = place_of(self.shape, n)
            if self.shape.kind == "raid5":  # here the sum of what is written, as all else is zeros
                row, here = at // self.shape.chunk, (n + 1) ^ self.seed << 48
                slot = parity_slot(self.shape, row)
                parity[slot, at] = parity.get((slot, at), 0) ^ here
            for slot, drive, ok in everywhere:
                if slot in slots:
                    word = (n + 1) ^ (self.seed if ok else self.wrong_seed) << 48
                    drive.buffer[span(self.offsets[slot] + at, 1)] = word.to_bytes(8, "little") * 64
        for (slot, at), word in parity.items():
            self.drives[slot].buffer[span(self.offsets[slot] + at, 1)] = word.to_bytes(8, "little") * 64

    def state_of(self, drive):
        if drive is None or not drive.present:
            return "missing"
        return self.states.get(drive, drive.state)

    def member(self, slot, drive):
        state = self.state_of(drive)
        there = state != "missing"
        return {"index": slot, "disk": drive.name if there else None,
                "offset": self.offsets[slot] if there else None,
                "sectors": member_sectors(self.shape, slot), "state": state,
                "serial": drive.serial if there and drive.is_named else None,
                "generation": self.generations.get(drive) if there else None}

    def is_right(self, seats, gone):
        """Whether the data can be told from these disks, which need not be in their slots."""
        return all(s in gone or d is self.drives[s] or self.shape.kind == "raid1" for s, d in enumerate(seats))

    def entry(self, by_serial=False):
        seats, shape = self.drives if by_serial or self.given is None else self.given, self.shape
        gone = {s for s, d in enumerate(seats) if self.state_of(d) != "ok"}
        whole = readable(shape, gone)
        mappable = self.facts.get("mappable", whole)
        found = {"name": self.name, "format": self.fmt, "id": None, "volume": self.volume,
                 "level": shape.kind, "layout": shape.layout, "chunk": shape.chunk or None, "sectors": shape.total,
                 "state": "ok" if not gone else "degraded" if whole else "broken", "reasons": [],
                 "width": shape.slots, "members": [self.member(s, d) for s, d in enumerate(seats)],
                 "spares": [{"disk": d.name, "state": "ok"} for d in self.spares],
                 "left_out": [{"disk": d.name, "index": None, "state": "stale", "reason": None}
                              for d in self.left_out if d.name],
                 "mappable": mappable, "on_request": False, "also_right": [], "data": None}
        if self.aliases:
            found["aliases"] = self.aliases
        if mappable and self.is_right(seats, gone):
            found["data"] = {"pattern": PATTERN, "seed": self.seed, "from_sector": 0, "sha256": self.sum}
            if self.only:
                found["data"]["only_sectors"] = self.only
        found.update(self.facts)
        if by_serial:
            found.update(self.by_serial)
        elif self.gaps and shape.kind in ("raid5", "raid10"):  # a wrong guess reads rubbish
            found.update(on_request=True)
        if self.unsure and not by_serial:
            found.update(members=None, left_out=None, data=found["data"] if shape.kind == "raid1" else None)
        if not whole and not found["on_request"]:
            found.update(mappable=False, data=None)
            found["state"] = "broken" if found["state"] != "unsupported" else "unsupported"
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
    fmt = "nvidia"

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
    fmt = "sil"

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
# isw. Sizes are kept in sectors of 512 bytes here, and written in blocks of the disk's own size.

ISW_HEADER = {
    "signature": (0x00, "24s"), "version": (0x18, "6s"), "mpb_size": (0x24, "I"), "family": (0x28, "I"),
    "generation": (0x2C, "I"), "error_log_size": (0x30, "I"), "attributes": (0x34, "I"), "num_disks": (0x38, "B"),
    "num_volumes": (0x39, "B"), "error_log_pos": (0x3A, "B"), "cache_size": (0x3C, "I"), "orig_family": (0x40, "I"),
    "power_cycles": (0x44, "I"), "log_size": (0x48, "I"), "volumes_created": (0x4C, "H"), "creation_time": (0x50, "Q"),
}
ISW_DISK = {
    "serial": (0x00, "16s"), "total": (0x10, "I"), "scsi_id": (0x14, "I"), "status": (0x18, "I"), "owner": (0x1C, "I"),
    "total_high": (0x20, "I"),
}
ISW_VOLUME = {
    "name": (0x00, "16s"), "size": (0x10, "Q"), "status": (0x18, "I"), "reserved": (0x1C, "I"), "tid": (0x22, "B"),
    "master": (0x23, "B"),
    "cng_state": (0x26, "B"), "number": (0x28, "H"), "cache_mode": (0x2A, "B"), "cache_flags": (0x2B, "B"),
    "cache_family": (0x2C, "I"), "cache_number": (0x30, "H"), "rwh": (0x32, "B"), "unit": (0x50, "I"),
    "migrating": (0x58, "B"), "migration": (0x59, "B"), "dirty": (0x5A, "B"), "fs_state": (0x5B, "B"),
}
ISW_MAP = {
    "start": (0x00, "I"), "blocks": (0x04, "I"), "stripes": (0x08, "I"), "strip": (0x0C, "H"), "state": (0x0E, "B"),
    "level": (0x0F, "B"), "members": (0x10, "B"), "domains": (0x11, "B"), "failed": (0x12, "B"), "ddf": (0x13, "B"),
    "start_high": (0x14, "I"), "blocks_high": (0x18, "I"), "stripes_high": (0x1C, "I"),
}
ISW_SIGNATURE = b"Intel Raid ISM Cfg Sig. "
ISW_OUT = 1 << 24       # in the order table: out of sync
ISW_HIGH = 0x04000000   # attribute: the high words count
ISW_CHECKED = 0x80000000
ISW_TAIL = 264          # sectors of a member behind its data
ISW_LEVELS = {"raid0": 0, "raid1": 1, "raid10": 1, "raid5": 5}
NORMAL, UNINITIALISED, DEGRADED, FAILED = range(4)
INIT, REBUILD, VERIFY, RESHAPE, CHANGE, REPAIR = range(6)


def isw_scaled(fields, block, names):
    """The sizes in blocks; a size that is no whole number of them is for the caller to avoid."""
    scale = block // SECTOR
    return {**fields, **{name: fields[name] // scale for name in names if name in fields}}


def isw_map(one, block):
    fields = isw_scaled(one, block, ("start", "blocks", "strip"))
    for name in ("start", "blocks", "stripes"):
        fields.setdefault(name + "_high", fields.get(name, 0) >> 32)
    return bytes(pack(ISW_MAP, fields, 0x30, 0)) + b"".join(struct.pack("<I", n) for n in one["order"])


def isw_volume(one, block):
    fields = isw_scaled(one, block, ("size",))
    return bytes(pack(ISW_VOLUME, fields, 0x70, 0)) + b"".join(isw_map(m, block) for m in one["maps"])


def isw_disk(one, block):
    fields = isw_scaled(one, block, ("total",))
    return bytes(pack(ISW_DISK, {"total_high": fields["total"] >> 32, **fields}, 0x30, 0))


def isw_log(entries, block, signature=0xABADB10C, count=None):
    """Of (disk, sector, sectors): the sectors are of one run of at most 256."""
    scale = block // SECTOR
    out = struct.pack("<II", signature, len(entries) if count is None else count)
    for disk, sector, sectors in entries:
        out += bytes([sectors // scale - 1, disk]) + (sector // scale).to_bytes(6, "little")
    return out


def isw_record(state, block=SECTOR):
    """The whole record. "checksum" in the header is how far the sum is off, "odd" bytes past the last word."""
    header = state["header"]
    disks = b"".join(isw_disk(d, block) for d in state["disks"])
    volumes = b"".join(isw_volume(v, block) for v in state["volumes"])
    log = isw_log(state["log"], block, **state.get("log_fields", {})) if state["log"] is not None else b""
    size = 0xD8 + len(disks) + len(volumes) + len(log) + header.get("odd", 0)
    fields = {"mpb_size": size, "num_disks": len(state["disks"]), "num_volumes": len(state["volumes"]),
              "log_size": len(log), **header}
    fields["mpb_size"] += header.get("size_off", 0)
    out = pack(ISW_HEADER, fields, 0xD8, 0) + disks + volumes + log + b"\xCC" * header.get("odd", 0)
    words = min(fields["mpb_size"], len(out)) // 4
    total = sum(struct.unpack_from(f"<{words}I", out))
    struct.pack_into("<I", out, 0x20, (total + header.get("checksum", 0)) & 0xFFFFFFFF)
    return out


def isw_put(buffer, sectors, record, block, back=2):
    """The anchor `back` blocks before the end, what is more before it; then rubbish to the end of the block."""
    blocks = -(-len(record) // block)
    record = bytes(record) + b"\xEE" * (blocks * block - len(record))
    end = sectors * SECTOR - (back - 1) * block
    parts = [record[block:], record[:block]]
    at = end - blocks * block
    for part in parts:
        if part and at >= 0:
            buffer[at:at + len(part)] = part
        at += len(part)


def isw_letters(family):
    return letters(str(family))


def isw_name(family, volume):
    """From the raw bytes of the volume's name."""
    raw = volume.split(b"\0")[0][:16]
    plain = "".join(chr(c) if chr(c).isascii() and (chr(c).isalnum() or c in b"-_") else "_" for c in raw)
    return f"isw_{isw_letters(family)}_{plain}"


def isw_aliases(header, volume):
    """The name as Debian's dmraid has it, where it is safe, and the one from before disks were replaced."""
    found = []
    if all(chr(c).isascii() and chr(c).isalnum() or c in b"#+-.:=@_" for c in volume):
        found.append(f"isw_{isw_letters(header['family'])}_{volume.decode('ascii')}")
    if header["orig_family"]:
        found.append(isw_name(header["orig_family"], volume))
    return [name for name in found if name != isw_name(header["family"], volume)]


def isw_serial(serial):
    """As it stands in the disk table."""
    return "".join(c for c in serial if c > " ").replace(":", ";")[-16:].encode()


def isw_marked(serial, mark):
    """Of a disk that failed: 15 characters from the end."""
    return (serial + mark.encode())[-15:]


def isw_version(state):
    levels = {m["level"] for v in state["volumes"] for m in v["maps"]}
    widest = max((m["members"] for v in state["volumes"] for m in v["maps"]), default=0)
    if len(state["volumes"]) > 1:
        return b"1.3.00"
    if widest > 4:
        return b"1.2.04"
    return b"1.2.02" if 5 in levels else b"1.2.01" if widest > 2 else b"1.1.00" if 1 in levels else b"1.0.00"


# A volume as it is to be made: per: sectors of each member; cut: sectors less than these hold; order: by slot the
# entries of the disk table, at random if None; code: the level's number.
Vol = namedtuple("Vol", "level chunk per cut start order name code fields")


def vol(level, chunk=128, per=None, cut=0, start=None, order=None, name=None, code=None, **fields):
    if per is None:
        unit = chunk * {"raid1": 2, "raid10": 2}.get(level, 1)
        per = max(384 // unit, 1 if unit > chunk else 2) * unit
    return Vol(level, chunk, per, cut, start, order, name, code, fields)


def isw_shape(plan, members):
    kind = plan.level
    wide = 1 if kind == "raid1" else columns(Shape(kind, members, plan.chunk, 0))
    layout = "left-asymmetric" if kind == "raid5" else None
    return Shape(kind, members, 0 if kind == "raid1" else plan.chunk, plan.per * wide - plan.cut, layout)


class Facts:
    """What is expected of all sets of a record at once."""

    def __init__(self, sets):
        self.sets = sets

    def update(self, *more, **facts):
        for one in self.sets:
            one.facts.update(*more, **facts)

    def __setitem__(self, key, value):
        self.update({key: value})


class Container:
    """Disks with records that tell of several sets: the steps speak of its disks, and of all its sets at once."""

    def __init__(self, case):
        self.case, self.sets, self.drives, self.twins, self.generation = case, [], [], [], None
        self.facts = Facts(self.sets)
        case.finish.append(self.settle)

    @property
    def listed(self):
        return all(s.listed for s in self.sets)

    @listed.setter
    def listed(self, value):
        for one in self.sets:
            one.listed = value

    def adopt(self, sizes):
        """Disks of these sizes; one that is there already gets one record more."""
        for size in sizes:
            drive = size if isinstance(size, Drive) else Drive(self.case, size)
            drive.records.append(self.put_record)
            drive.fields = {}
            self.drives.append(drive)

    def put_record(self, drive):
        raise NotImplementedError

    def settle(self):
        raise NotImplementedError


class IswSet(Container):
    """One family: self.drives are the entries of the disk table. A step changes self.state, the newest record; a disk
    that did not see it keeps the one before as drive.frozen."""

    def __init__(self, case, disks, *plans, block=SECTOR, back=2, log=None, family=None, **header):
        super().__init__(case)
        self.block, self.back, case.block = block, back, block
        count = disks if isinstance(disks, int) else len(disks)
        family = family or case.rng.getrandbits(32) | 1
        self.state = {"header": {"signature": ISW_SIGNATURE, "family": family, "orig_family": family,
                                 "generation": case.rng.randrange(3, 1000), "attributes": ISW_CHECKED,
                                 "volumes_created": len(plans), "creation_time": 1700000000},
                      "disks": [], "volumes": [], "log": log}
        shapes, end = [], 0
        for number, plan in enumerate(plans):
            shape, end = self.add_volume(number, plan, count, end)
            shapes.append(shape)
        self.end = end
        if isinstance(disks, int):
            room = end + self.blocks() * block // SECTOR + back * block // SECTOR
            disks = [(room + case.rng.randrange(8, 120)) // 8 * 8 + (block == SECTOR) * case.rng.randrange(8)
                     for _ in range(count)]
        self.state["header"].update({"version": isw_version(self.state), **header})
        self.common = self.state["header"]
        self.adopt(disks)
        for drive in self.drives:
            self.add_entry(drive)
        for volume, shape in zip(self.state["volumes"], shapes):
            self.add_part(volume, shape)
        if any(d.size > 0xFFFFFFFF for d in self.drives):
            self.common["attributes"] |= ISW_HIGH

    def blocks(self):
        return -(-len(isw_record(self.state, self.block)) // self.block)

    def add_volume(self, number, plan, count, end):
        order = plan.order
        if order is None:
            order = list(range(count))
            self.case.rng.shuffle(order)
        shape = isw_shape(plan, len(order))
        start = (end + (64 if end else 0)) if plan.start is None else plan.start
        mirrored = plan.level in ("raid1", "raid10")
        one = {"start": start, "blocks": plan.per + ISW_TAIL, "stripes": plan.per // (plan.chunk * (1 + mirrored)),
               "strip": plan.chunk, "state": NORMAL, "members": len(order), "domains": 1 + mirrored, "failed": 0xFF,
               "level": ISW_LEVELS[plan.level] if plan.code is None else plan.code, "ddf": 1, "order": list(order)}
        name = plan.name if plan.name is not None else f"Volume{number}"
        name = name.encode() if isinstance(name, str) else name
        fields = {name: value for name, value in plan.fields.items() if name in ISW_VOLUME}
        one.update({name: value for name, value in plan.fields.items() if name not in ISW_VOLUME})
        self.state["volumes"].append({"name": name, "size": shape.total, "status": 0x0C, "number": number + 1, "rwh": 0,
                                      "fs_state": 0xFF, "maps": [one], **fields})
        return shape, start + plan.per + ISW_TAIL

    def add_entry(self, drive, **fields):
        if drive.serial is None:
            drive.serial = f"{self.case.rng.choice(('WD-', 'S2R6', '5QM', ''))}{self.case.rng.getrandbits(28):07X}" \
                           f"{len(self.case.drives):02d}"
        number = len(self.state["disks"])
        self.state["disks"].append({"serial": isw_serial(drive.serial), "total": drive.size, "scsi_id": number << 16,
                                    "status": 0x13A, **fields})

    def add_part(self, volume, shape):
        order = volume["maps"][0]["order"]
        part = Part(self.case, "isw", shape, [self.drives[e] for e in order], [volume["maps"][0]["start"]] * len(order))
        part.family = self.common["family"]
        part.entries, raw = list(order), volume["name"].split(b"\0")[0][:16]
        text = raw.decode(errors="replace")
        part.volume = text if text.isprintable() and "\ufffd" not in text else None
        part.raw = raw
        self.sets.append(part)

    def record_of(self, drive):
        state = copy.deepcopy(drive.frozen or self.state)
        state["header"].update(drive.fields)
        return state

    def put_record(self, drive):
        isw_put(drive.buffer, drive.size, isw_record(self.record_of(drive), self.block), self.block, self.back)

    def settle(self):
        for number, part in enumerate(self.sets):
            part.identity = struct.pack("<IB", self.common["family"] & 0xFFFFFFFF, number)
            if part.name is None:
                part.name = isw_name(self.common["family"], part.raw)
                part.aliases = isw_aliases(self.common, part.raw)
            part.ghosts += [(part.entries.index(t.index), t) for t in self.twins if t.index in part.entries]
        for drive in self.drives + self.twins:
            drive.generation = self.record_of(drive)["header"]["generation"] & 0xFFFFFFFF
            for part in self.sets:
                part.generations[drive] = drive.generation
        self.case.in_order.append(self.drives + self.twins)
        self.give_in_order()

    def give_in_order(self):
        """Without a serial the disks take the entries that are not failed, newer ones first."""
        disks = [d for d in self.drives if d.present and d.state != "missing" and self.put_record in d.records and
                 self.record_of(d)["header"]["family"] == self.common["family"]]
        free = [self.drives[e] for e, entry in enumerate(self.state["disks"])
                if not entry["status"] & 4 and b":" not in entry["serial"]]
        for part in self.sets:
            part.gaps = len(disks) < len(free)
        newest = self.common["generation"]
        in_turn = sorted(disks, key=lambda d: (newest - d.generation) & 0xFFFFFFFF)  # keeps the order of equal ones
        taken = list(zip(free, in_turn))
        if all(a is b for a, b in taken) and all(d.state != "ok" or (d, d) in taken for d in disks):
            return
        for part in self.sets:
            part.given = [dict(taken).get(d) for d in part.drives]
            part.unsure = in_turn != disks and len(disks) <= len(free)


# ---------------------------------------------------------------------------------------------------------------
# pdc

PDC = {
    "signature": (0x000, "24s"), "fixed": (0x018, "I"), "disk_id": (0x01C, "Q"), "volume48": (0x024, "6s"),
    "integrity": (0x200, "I"), "flags": (0x204, "B"), "number": (0x205, "B"), "channel": (0x206, "B"),
    "device": (0x207, "B"), "own_id": (0x208, "Q"), "offset": (0x210, "I"), "member_sectors": (0x214, "I"),
    "rebuild": (0x218, "I"), "generation": (0x21C, "H"), "status": (0x21E, "B"), "type": (0x21F, "B"),
    "members": (0x220, "B"), "shift": (0x221, "B"), "width": (0x222, "B"), "array_number": (0x223, "B"),
    "total": (0x224, "I"), "cylinders": (0x228, "H"), "heads": (0x22A, "B"), "track": (0x22B, "B"),
    "volume_id": (0x22C, "Q"), "table": (0x234, "96s"), "label": (0x294, "32s"), "after_label": (0x2B4, "32s"),
    "activity": (0x2D4, "I"), "array_rebuild": (0x2D8, "Q"), "magic4": (0x2E0, "I"), "magic5": (0x2E4, "I"),
    "total_high": (0x2E8, "I"), "magic6": (0x2EC, "B"), "sector_size": (0x2ED, "B"), "backup_time": (0x36C, "I"),
    "offset_high": (0x372, "I"), "member_sectors_high": (0x376, "I"), "rebuild_high": (0x37A, "I"),
}
PDC_SIZE = 2048
PDC_SIGNATURE, PDC_FREEBSD = b"Promise Technology, Inc.", b"FreeBSD ATA driver RAID "
PDC_TYPES = {"raid0": 0, "raid1": 1, "raid01": 1, "raid5": 4, "span": 8, "jbod": 0x10}
PDC_FILL = {  # the background: what stands at offset o where no field is
    "filler": lambda o: -o & 0xFF, "zero": lambda o: 0, "freebsd": lambda o: (255 - o) & 0xFF}


def pdc_record(fields, background):
    """"checksum" among the fields is how far the sum is off; "absent" names fields that are left as background."""
    out = bytearray(PDC_FILL[background](o) for o in range(PDC_SIZE))
    for name, (offset, letter) in PDC.items():
        if name in fields and name not in fields.get("absent", ()):
            value, size = fields[name], struct.calcsize("<" + letter)
            if isinstance(value, int):
                value &= (1 << 8 * size) - 1
            struct.pack_into("<" + letter, out, offset, value)
    total = sum(struct.unpack_from("<511I", out))
    struct.pack_into("<I", out, 0x7FC, (total + fields.get("checksum", 0)) & 0xFFFFFFFF)
    return out


def pdc_table(members):
    """Of (flags, second byte, channel, device, id)."""
    return b"".join(struct.pack("<4BQ", *m) for m in members).ljust(96, b"\0")


def pdc_name(volume_id):
    return "pdc_" + letters(str(volume_id & 0xFFFFFFFF))


def pdc_last_track(heads, sectors, n):
    return n // (heads * sectors) * heads * sectors - sectors


# An array as it is to be made: per: sectors of each member, or one number for each (span); cut: sectors less than these
# hold; offset: the first sector on each disk; slot: which of the four records; order: by number the disks; kept: what
# the record says that a member has, per if None.
Arr = namedtuple("Arr", "level chunk per cut offset slot order kept volume_id fields")


def arr(level, chunk=128, per=None, cut=0, offset=None, slot=None, order=None, kept=None, volume_id=None, **fields):
    if per is None:
        per = 400 if level in ("raid1", "span", "jbod") else max(384 // chunk, 2) * chunk
    return Arr(level, chunk, per, cut, offset, slot, order, kept, volume_id, fields)


def pdc_shape(plan, members):
    kind, per = plan.level, plan.per
    if kind == "span":
        shares = list(per) if isinstance(per, (list, tuple)) else [per + 37 * i for i in range(members)]
        return Shape("linear", members, 0, sum(shares), None, shares)
    if kind == "jbod":
        return Shape("linear", 1, 0, per, None, [per])
    if kind == "raid1":
        return Shape("raid1", members, 0, per - plan.cut)
    wide = columns(Shape(kind, members, plan.chunk, 0))
    return Shape(kind, members, plan.chunk, per * wide - plan.cut, "left-asymmetric" if kind == "raid5" else None)


class PdcSet(Container):
    """The arrays of one controller on its disks. place: where record 0 is, sectors before the end or a function of the
    disk's size."""

    def __init__(self, case, disks, *plans, place=63, background=None, **common):
        super().__init__(case)
        self.place = place if callable(place) else lambda size: size - place
        self.background = background or case.rng.choice(("filler", "zero"))
        self.common, self.arrays, self.extras = dict(common), [], []
        count = disks if isinstance(disks, int) else len(disks)
        shapes, end = [], 0
        for plan in plans:
            members = len(plan.order) if plan.order is not None else count
            shapes.append(pdc_shape(plan, members))
            offset = (end + (19 if end else 0)) if plan.offset is None else plan.offset
            end = max(end, offset + max(self.share(plan, shapes[-1], i) for i in range(members)))
            self.arrays.append({"offset": offset})
        if isinstance(disks, int):
            disks = [end + (place if isinstance(place, int) else 0) + 14 * 3 + case.rng.randrange(1, 90)
                     for _ in range(count)]
        self.adopt(disks)
        for drive in self.drives:
            drive.id = case.rng.getrandbits(63) | 1
        for number, (plan, shape) in enumerate(zip(plans, shapes)):
            self.add_array(number, plan, shape)

    def share(self, plan, shape, i):
        return shape.shares[i] if shape.kind == "linear" else plan.per

    def add_array(self, number, plan, shape):
        order = plan.order
        if order is None:
            order = list(range(shape.slots))
            self.case.rng.shuffle(order)
        drives, volume_id = [self.drives[d] for d in order], plan.volume_id
        if volume_id is None:
            volume_id = self.case.rng.getrandbits(63) | 1 << 40
        offset = self.arrays[number]["offset"]
        part = Part(self.case, "pdc", shape, drives, [offset] * shape.slots)
        part.name, part.identity = pdc_name(volume_id), volume_id.to_bytes(8, "big")
        part.name_suffix = lambda: f"-{volume_id >> 32:08x}"
        if plan.level == "jbod":
            part.facts.update(level=None, chunk=None)
        self.sets.append(part)
        spread = shape.slots // 2 if plan.level == "raid01" else 1 if plan.level == "raid1" else shape.slots
        fields = {"volume_id": volume_id, "volume48": (volume_id & (1 << 48) - 1).to_bytes(6, "little"),
                  "type": PDC_TYPES[plan.level], "members": shape.slots, "shift": plan.chunk.bit_length() - 1,
                  "width": spread, "array_number": number, "total": shape.total, "offset": offset,
                  "cylinders": max(shape.total // 16065, 1) - 1, "heads": 254, "track": 63, "generation": 17,
                  "status": 0x8F, **self.newer(shape, number, offset)}
        kept = plan.kept or [self.share(plan, shape, i) for i in range(shape.slots)]
        kept = kept if isinstance(kept, list) else [kept] * shape.slots
        table = [[0x07, 0 if i == 0 else 1, i // 2, i % 2, d.id] for i, d in enumerate(drives)]
        own = [{"number": i, "own_id": d.id, "disk_id": d.id, "flags": 0x07, "channel": i // 2, "device": i % 2,
                "member_sectors": kept[i], "member_sectors_high": kept[i] >> 32} for i, d in enumerate(drives)]
        self.arrays[number].update(part=part, drives=drives, slot=number if plan.slot is None else plan.slot,
                                   fields={**fields, **plan.fields}, table=table, own=own, frozen={})

    def newer(self, shape, number, offset):
        """What old firmware does not write."""
        if self.background != "zero":
            return {"rebuild": 0xFFFFFFFF} if offset or self.background == "freebsd" else \
                   {"rebuild": 0xFFFFFFFF, "absent": ("offset",)}
        return {"rebuild": 0xFFFFFFFF, "rebuild_high": 0xFFFFFFFF, "label": f"LD {number + 1}".encode().ljust(32),
                "after_label": b"", "activity": 0x03000000, "array_rebuild": (1 << 64) - 1, "magic4": 0x04010101,
                "magic5": 0, "total_high": shape.total >> 32, "magic6": 0, "sector_size": 1,
                "offset_high": offset >> 32, "backup_time": 0}

    def fields_of(self, array, i, drive):
        fields = {"signature": PDC_FREEBSD if self.background == "freebsd" else PDC_SIGNATURE, "fixed": 0x20000,
                  "integrity": 0x80, **array["fields"], **array["own"][i], "table": pdc_table(array["table"])}
        if self.background != "zero":
            del fields["member_sectors_high"]
        fields = {**fields, **self.common, **array["frozen"].get(i, {}), **drive.fields}
        fields["absent"] = tuple(fields.get("absent", ())) + tuple(drive.fields.get("also_absent", ()))
        return fields

    def put_at(self, drive, slot, fields):
        at = self.place(drive.size) + 14 * slot
        if 0 <= at <= drive.size - 4:
            drive.buffer[span(at, 4)] = pdc_record(fields, self.background)

    def put_record(self, drive):
        for array in self.arrays:
            for i, member in enumerate(array["drives"]):
                if member is drive or drive in self.twins and drive.index == self.drives.index(member):
                    slot = array["slot"] if isinstance(array["slot"], int) else array["slot"][i]
                    self.put_at(drive, slot, self.fields_of(array, i, drive))
        for owner, slot, fields in self.extras:
            if owner is drive:
                self.put_at(drive, slot, fields)

    def settle(self):
        for array in self.arrays:
            drives, part = array["drives"], array["part"]
            for drive in self.twins:
                if self.drives[drive.index] in drives:
                    part.ghosts.append((drives.index(self.drives[drive.index]), drive))
            for i, drive in enumerate(drives):
                part.generations[drive] = self.fields_of(array, i, drive)["generation"] & 0xFFFF


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
        if about is not None:
            complain(slot, *filter(None, [about]))(one)
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
        for slot in range(len(one.drives)):
            wrong(slot, about, **fields)(one)
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


# ---- steps of isw ----

def in_volume(number, **fields):
    return lambda one: one.state["volumes"][number].update(fields)


def in_map(number, which=0, **fields):
    return lambda one: one.state["volumes"][number]["maps"][which].update(fields)


def in_entry(number, **fields):
    return lambda one: one.state["disks"][number].update(fields)


def of(number, *steps):
    """Steps that concern one of the sets alone."""
    def step(one):
        for other in steps:
            other(one.sets[number])
    return step


def alone(entry, *steps):
    """What only the record of this disk says."""
    def step(one):
        newest, one.drives[entry].frozen = one.state, copy.deepcopy(one.drives[entry].frozen or one.state)
        one.state = one.drives[entry].frozen
        for other in steps:
            other(one)
        one.state = newest
    return step


def serial(entry, text, written=None):
    """The disk's real serial, and what the disk table says, if it is not that."""
    def step(one):
        one.drives[entry].serial = text
        one.state["disks"][entry]["serial"] = isw_serial(text or "") if written is None else written
    return step


def answers(entry, text):
    """The disk gives another serial than the one in the table; None: none at all."""
    def step(one):
        one.drives[entry].serial, one.drives[entry].is_named = text, False
    return step


def failing(entry, mark=":0", present=True, behind=2, absent=False):
    """A member failed: the others say so, its own record is that of before."""
    def step(one):
        drive, written = one.drives[entry], one.state["disks"][entry]
        drive.frozen, drive.present, drive.state = copy.deepcopy(one.state), present, "stale"
        for volume in drive.frozen["volumes"]:
            volume["dirty"] = int(volume["maps"][0]["level"] != 0)
        written.update(status=written["status"] | 4, serial=isw_marked(written["serial"], mark))
        if absent:
            written["scsi_id"] = 0xFFFFFFFF
        for volume, part in zip(one.state["volumes"], one.sets):
            if entry in part.entries:
                mark_out(volume, part, part.entries.index(entry))
        one.common["generation"] += behind
        one.case.never.append(drive)
    return step


def mark_out(volume, part, slot):
    first = volume["maps"][0]
    first["order"][slot] |= ISW_OUT
    first["failed"] = min(first["failed"], slot)
    gone = {s for s, index in enumerate(first["order"]) if index & ISW_OUT}
    first["state"] = DEGRADED if readable(part.shape, gone) else FAILED


def replaced(entry, unit=5):
    """A new disk takes the place of the failed one, as the last of the table, and is being rebuilt."""
    def step(one):
        old, new = one.drives[entry], Drive(one.case, one.drives[entry].size, one.put_record)
        new.fields, new.state = {}, "rebuilding"
        one.drives.append(new)
        one.add_entry(new, status=2)
        for volume, part in zip(one.state["volumes"], one.sets):
            if entry in part.entries:
                rebuild_in(volume, part, part.entries.index(entry), len(one.drives) - 1, unit)
                part.left_out.append(old)
        drop_entry(one, entry)
        one.common["generation"] += 12
        one.common["family"] = (one.common["family"] + one.case.rng.getrandbits(31) | 1) & 0xFFFFFFFF
        one.case.never.append(new)
    return step


def rebuild_in(volume, part, slot, index, unit):
    first, old = volume["maps"][0], part.drives[slot]
    first["order"][slot] = part.entries[slot] = index
    first["state"] = DEGRADED if any(i & ISW_OUT for i in first["order"]) else NORMAL
    second = copy.deepcopy(first)
    second["order"][slot] |= ISW_OUT
    second["state"] = DEGRADED
    volume.update(migrating=1, migration=REBUILD, unit=unit, maps=[first, second])
    if old.present:
        part.ghosts.append((slot, old))
    part.facts["state"] = "rebuilding"


def drop_entry(one, entry):
    """Takes a disk out of the table: those behind it move up."""
    del one.drives[entry], one.state["disks"][entry]
    for volume, part in zip(one.state["volumes"], one.sets):
        for each in volume["maps"]:
            each["order"] = [i - ((i & 0xFFFFFF) > entry) for i in each["order"]]
        part.entries = [i - (i > entry) for i in part.entries]
        part.drives = [one.drives[i] for i in part.entries]


def rebuilt(one):
    """The rebuild is done: the new disk is as good as the others."""
    for volume, part in zip(one.state["volumes"], one.sets):
        first = volume["maps"][0]
        first.update(state=DEGRADED if any(i & ISW_OUT for i in first["order"]) else NORMAL, failed=0xFF)
        volume.update(migrating=0, migration=0, unit=0, maps=[first])
        part.facts.pop("state", None)
    for drive in one.drives:
        if drive.state == "rebuilding":
            drive.state = "ok"
            one.case.never.remove(drive)
    one.common["generation"] += 5


def second_map(number, migration, was, unit=9, now=NORMAL, **fields):
    """Something is going on in a volume: what it was before is in a second map."""
    def step(one):
        volume = one.state["volumes"][number]
        volume["maps"][0]["state"] = now
        volume["maps"] = [volume["maps"][0], {**copy.deepcopy(volume["maps"][0]), "state": was}]
        volume.update(migrating=1, migration=migration, unit=unit, **fields)
    return step


def reshaping(number, members, **source):
    """A volume that had fewer members is spread over all of them; the first map is the new one."""
    def step(one):
        second_map(number, RESHAPE, NORMAL, unit=3)(one)
        second = one.state["volumes"][number]["maps"][1]
        second.update(members=members, order=second["order"][:members], **source)
        one.sets[number].facts.update(state="migrating", mappable=False)
    return step


def isw_spare(extra=0, **entry):
    """A disk with a record of its own that says it is a spare, and of nobody."""
    def step(one):
        size = max(d.size for d in one.drives) + extra
        other = IswSet(one.case, [size], family=one.case.rng.getrandbits(32) | 1, orig_family=0, generation=1,
                       block=one.block, back=one.back)
        other.state["disks"][0].update({"status": 1, **entry})
        one.case.never.append(other.drives[0])
        for part in one.case.sets:
            part.facts.update(spares=None)
    return step


def hollow(one):
    """Nothing of the set is laid down: its sectors are another's."""
    for part in one.sets:
        part.fill = lambda: None
        part.sum = None


# ---- steps of pdc: a member by its number in the array, a disk by its place in the set ----

def in_array(of_array=0, **fields):
    return lambda one: one.arrays[of_array]["fields"].update(fields)


def own(member, of_array=0, **fields):
    """Fields of the member's own record."""
    return lambda one: one.arrays[of_array]["own"][member].update(fields)


def in_table(member, flags, of_array=0):
    """What all records say of a member."""
    return lambda one: one.arrays[of_array]["table"][member].__setitem__(0, flags)


def marked(member, flags, state, of_array=0, status=0x1F, **fields):
    """A member that is there and not to be read."""
    def step(one):
        array = one.arrays[of_array]
        array["table"][member][0] = flags
        array["own"][member].update({"flags": flags | 0x04, **fields})  # without it, it would be no member's record
        array["fields"]["status"] = status
        drive = array["drives"][member]
        array["part"].states[drive] = state
        if len(one.arrays) == 1:
            one.case.never.append(drive)
        if state == "rebuilding":
            array["part"].facts["state"] = "rebuilding"
    return step


def gone(*members, of_array=0):
    """Members, by number, that are not there."""
    def step(one):
        for member in members:
            one.arrays[of_array]["drives"][member].present = False
    return step


def behind(member, generation, of_array=0, state="stale"):
    """A member with an older record."""
    def step(one):
        array = one.arrays[of_array]
        array["frozen"][member] = {"generation": generation, "status": 0x8F}
        drive = array["drives"][member]
        array["part"].states[drive] = state
        if len(one.arrays) == 1:
            one.case.never.append(drive)
    return step


def one_record(disk, slot, **fields):
    """One more record on a disk, with these fields alone."""
    def step(one):
        signature = PDC_FREEBSD if one.background == "freebsd" else PDC_SIGNATURE
        one.extras.append((one.drives[disk], slot, {"signature": signature, "fixed": 0x20000, "integrity": 0x80,
                                                    "own_id": one.drives[disk].id, "disk_id": one.drives[disk].id,
                                                    "rebuild": 0xFFFFFFFF, **fields}))
    return step


def free_space(disk, slot, **fields):
    return one_record(disk, slot, **{"flags": 0x03, "number": 0xFF, "members": 0, "volume_id": 0, "volume48": b"",
                                     "type": 0, "generation": 17, "table": b"", "offset": 900, "member_sectors": 50,
                                     "shift": 0, "width": 0, "total": 0, **fields})


def pdc_spare(listed=True, **fields):
    """A disk more, with a spare's record and no array."""
    def step(one):
        other = PdcSet(one.case, [max(d.size for d in one.drives)], background=one.background)
        other.place = one.place
        usable = other.place(other.drives[0].size)
        free_space(0, 0, **{"flags": 0x0B, "offset": 0, "member_sectors": usable, **fields})(other)
        one.case.never.append(other.drives[0])
        for part in one.case.sets:
            if listed:
                part.spares.append(other.drives[0])
            else:
                part.facts.update(spares=None)
    return step


def stranger(of_array=0, member=0, generation=3, listed=True):
    """A disk that was replaced long ago in this array and is back: its id is in no table but its own."""
    def step(one):
        array = one.arrays[of_array]
        drive = Drive(one.case, array["drives"][member].size)
        drive.id = one.case.rng.getrandbits(63) | 1
        table = copy.deepcopy(array["table"])
        table[member][4] = drive.id
        slot = array["slot"] if isinstance(array["slot"], int) else array["slot"][member]
        fields = {"own_id": drive.id, "disk_id": drive.id, "table": pdc_table(table), "generation": generation}
        drive.fields = fields
        drive.records.append(lambda d: one.put_at(d, slot, one.fields_of(array, member, d)))
        array["part"].ghosts.append((member, drive))
        if listed:
            array["part"].left_out.append(drive)
        else:
            array["part"].facts["left_out"] = None
        one.case.never.append(drive)
    return step


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


def isw(*args, **fields):
    return make(IswSet, *args, **fields)


def pdc(*args, **fields):
    return make(PdcSet, *args, **fields)


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


def isw_named():
    """The cases that isw.md names and the fixtures do not have."""
    a = lambda name, *b, **k: add("isw", name, *b, **k)
    a("ext-3-sectors", isw(6, vol("raid0", 64), vol("raid5", 32), log=[(0, 1200, 8), (5, 1300, 256)]),
      notes="a record of three sectors")
    a("hi-words-without-attr", isw(2, vol("raid0", start_high=0xDEAD, blocks_high=0xBEEF, stripes_high=7),
                                   in_entry(0, total_high=0x5A), in_entry(1, total_high=0xA5)),
      notes="rubbish in the high words, and no attribute that makes them count")
    a("hpa-gafr", isw(2, vol("raid1"), hpa(1200, True)), notes="$GAFR in the last sector says where the anchor is")
    a("matrix-degraded", isw(2, vol("raid0", 64), vol("raid1"), failing(1, present=False)),
      notes="the stripe is lost, the mirror beside it is not")
    a("matrix-raid0-raid1", isw(2, vol("raid0", 64), vol("raid1")))
    a("name-16-chars", isw(2, vol("raid0", name="ABCDEFGHIJKLMNOP", cut=768 - 0x241)),
      notes="no NUL behind the name, and a letter in the size field behind it")
    a("raid0-2d-4k", isw(2, vol("raid0", 8)))
    a("raid0-odd-size", isw(2, vol("raid0", 128, 1024, 1024)), notes="the size is less than the members hold")
    a("raid0-partial-stripe", isw(2, vol("raid0", 256, 1024, 196)), notes="the size is no whole number of rows")
    a("raid1-degraded-missing", isw(2, vol("raid1"), failing(0, present=False, absent=True)))
    a("raid1-spare", isw(2, vol("raid1"), isw_spare()))
    a("raid10-0123-0123", isw(4, vol("raid10", order=[0, 1, 2, 3])))
    a("raid10-3102-0123", isw(4, vol("raid10", order=[3, 1, 0, 2])))
    a("raid5-two-missing", isw(3, vol("raid5"), failing(2, present=False), lose(0)))
    a("raid5-initialising", isw(3, vol("raid5"), second_map(0, INIT, UNINITIALISED), expect(state="initializing")),
      notes="all data slots are valid")
    a("spare-alone", isw(1, in_entry(0, status=1), orig_family=0, generation=1), notes="a spare and nothing else")
    a("unused-entry", isw(3, vol("raid1", order=[0, 2]), in_entry(1, serial=b"GONE:0", status=6), lose(1)),
      notes="a failed entry that no volume uses")


def hpa(back, gafr=False, total=None):
    """The disk's last sectors were hidden when the record was written: its anchor is this far before the end."""
    def step(one):
        one.back = back
        for number, drive in enumerate(one.drives):
            drive.size += back - 2
            one.state["disks"][number]["total"] = drive.size - back + 2 if total is None else total
            if gafr:
                drive.records.append(lambda d: d.buffer.__setitem__(
                    span(d.size - 1, 1), (b"$GAFR\x10" + struct.pack("<I", back - 2)).ljust(SECTOR, b"\0")))
    return step


def old_anchor(entry, back):
    """A damaged record that is looked at before the right one."""
    def step(one):
        def put(drive):
            drive.buffer[span(drive.size - back, 1)] = (ISW_SIGNATURE + b"1.0.00").ljust(SECTOR, b"\0")
        one.drives[entry].records.append(put)
    return step


def isw_geometry():
    """Every level with every chunk, every width, ends within a row, what stands behind."""
    a = lambda name, *b, **k: add("isw", name, *b, **k)
    for chunk in (8, 16, 32, 64, 128, 256, 512, 1024, 2048):
        for level, count in (("raid0", 3), ("raid5", 4), ("raid10", 4)):
            a(f"chunk{chunk}-{level}", isw(count, vol(level, chunk), shuffled))
    for count in (1, 2, 4, 5, 6, 8):
        a(f"width{count}-raid0", isw(count, vol("raid0", 32), shuffled))
    for count in (3, 5, 6, 7, 8):
        a(f"width{count}-raid5", isw(count, vol("raid5", 64), shuffled))
    for count in (4, 6, 8):
        a(f"width{count}-raid10", isw(count, vol("raid10", 64), shuffled))
        a(f"width{count}-raid10-level10", isw(count, vol("raid10", 64, code=10), shuffled,
                                              attributes=ISW_CHECKED | 0x80), notes="the level's number is 10")
    for level, count in (("raid0", 3), ("raid5", 4), ("raid10", 4)):
        for cut in (1, 77, 128, 300):
            a(f"cut{cut}-{level}", isw(count, vol(level, 128, 768, cut), shuffled),
              notes=f"the size ends {cut} sectors before the end of a row")
    a("cut267-raid1", isw(2, vol("raid1", per=512, cut=267)), notes="less than the stripes hold")
    a("small-raid5", isw(3, vol("raid5", 64, 768, 640)), notes="half of what the members hold")
    for level, count in (("raid0", 2), ("raid5", 3), ("raid10", 4), ("raid1", 2)):
        a(f"start-{level}", isw(count, vol(level, 64, start=1000 + count)),
          notes="it does not begin at the disk's start")
        a(f"no-tail-{level}", isw(count, vol(level, blocks=384)), notes="blocks_per_member is what the data takes")
        a(f"tail-2048-{level}", isw(count, vol(level, blocks=384 + 2048)), notes="mdadm's tail; it passes the anchor")
        a(f"grown-{level}", isw([1900 + i for i in range(count)], vol(level, 128, 1280), grown(768)),
          notes="the size was raised and the stripes were not")
    a("just-fits", isw([1000, 1001], vol("raid0", 8, 512, start=486)),
      notes="the data ends at the record of the first disk")
    a("mirror-strip77", isw(2, vol("raid1", 77, 770)), notes="a mirror's chunk means nothing")
    a("unequal-raid5", isw([1311, 1190, 1402, 1277], vol("raid5", 64), shuffled))
    a("domains2-raid0", isw([1700, 1701], vol("raid0", domains=2)), notes="worth a warning, no more")
    two = (vol("raid5", 128), vol("raid0", 16))
    a("two-raid5-raid0", isw(3, *two, shuffled))
    a("two-raid0-raid5", isw(3, *reversed(two), shuffled), notes="RAID5 behind another volume")
    a("two-raid10-raid5", isw(4, vol("raid10", 32), vol("raid5", 64), shuffled))
    a("two-raid1-raid1", isw(2, vol("raid1", name="WINDOWS"), vol("raid1", name="LINUX"), shuffled))
    a("two-cut", isw(3, vol("raid0", 64, cut=100), vol("raid5", 64, cut=50), shuffled))
    a("two-orders", isw(4, vol("raid0", order=[2, 0, 3, 1]), vol("raid10", order=[1, 3, 0, 2])),
      notes="the two volumes have the disks in different slots")
    a("two-apart", isw(4, vol("raid1", order=[0, 3]), vol("raid0", order=[2, 1], start=0)),
      notes="two volumes of one record on different disks")
    a("three-volumes", isw(3, vol("raid0"), vol("raid5"), vol("raid1", order=[2, 0])), notes="mdadm without firmware")
    a("two-families", isw(2, vol("raid1", name="Data"), shuffled), isw(3, vol("raid5", name="Data"), foreign(1400)),
      notes="two families, one name, and a disk without a record")
    for level, count in (("raid0", 2), ("raid1", 2), ("raid5", 3), ("raid10", 4)):
        a(f"4kn-{level}", isw(count, vol(level, 64), shuffled, block=4096), notes="blocks of 4096 bytes")
    a("4kn-two", isw(3, vol("raid0", 64, cut=40), vol("raid5", 128), log=[(1, 64, 16)], block=4096))
    a("4kn-two-blocks", isw(2, vol("raid1"), leftovers(90), block=4096), notes="a record of more than 4096 bytes")
    isw_large()


def grown(stripes_of):
    """As mdadm leaves it: the size field alone is new."""
    def step(one):
        first = one.state["volumes"][0]["maps"][0]
        first["stripes"] = stripes_of // (first["strip"] * first["domains"])
    return step


def leftovers(count):
    """Entries of disks that failed long ago."""
    def step(one):
        for number in range(count):
            one.state["disks"].append({"serial": b"OLD%03d:0" % number, "total": 4096, "scsi_id": 0xFFFFFFFF,
                                       "status": 6})
    return step


def isw_large():
    """Disks and volumes past 2 TiB: the high words."""
    a = lambda name, *b, **k: add("isw", name, *b, **k)
    three, six = 5860533168, 11721045168
    per = 5860000000 // 2048 * 2048
    a("large-raid1", isw([three] * 2, vol("raid1", 128, per), attributes=ISW_CHECKED | ISW_HIGH, version=b"1.3.00"))
    a("large-raid0", isw([three, six], vol("raid0", 256, per, 999), attributes=ISW_CHECKED | ISW_HIGH))
    a("large-raid5", isw([three] * 3, vol("raid5", 128, per), attributes=ISW_CHECKED | ISW_HIGH))
    a("large-start", isw([six] * 4, vol("raid10", 128, per), vol("raid0", 64, 4096 * 1000), shuffled,
                         attributes=ISW_CHECKED | ISW_HIGH), notes="the second volume begins past 2 TiB")
    a("large-size-only", isw([3907029168] * 3, vol("raid0", 256, 3907000064)),
      notes="the size has 64 bits without any attribute; no member needs them")
    a("large-gafr", isw([200000] * 2, vol("raid1", 128, 4096), hpa(70000, True)),
      notes="a distance that needs more than 16 bits")


def isw_states():
    going = expect(also_right=["dirty", "initializing"])
    a = lambda name, *b, **k: add("isw", name, *b, **k)
    for level, count in (("raid1", 2), ("raid5", 3), ("raid10", 4)):
        fail = failing(1)
        a(f"failed-{level}", isw(count, vol(level), fail, shuffled), notes="the failed disk is there, and behind")
        a(f"failed-gone-{level}", isw(count, vol(level), failing(count - 1, present=False), shuffled))
        a(f"lost-{level}", isw(count, vol(level), lose(count - 1), shuffled), notes="no record knows of the loss")
        a(f"lost-first-{level}", isw(count, vol(level), lose(0), shuffled),
          notes="no record knows of the loss, and the order alone does not tell who it is")
        a(f"rebuild-{level}", isw(count, vol(level), fail, replaced(1), shuffled), notes="the old disk is there, too")
        a(f"rebuild-alone-{level}", isw(count, vol(level), failing(0, present=False), replaced(0), shuffled))
        a(f"rebuilt-{level}", isw(count, vol(level), fail, replaced(1), rebuilt, shuffled),
          notes="another family by now, the same original one: the old disk is no set of its own")
        a(f"dirty-{level}", isw(count, vol(level, dirty=1), expect(state="dirty", also_right=["ok"])))
        a(f"init-{level}", isw(count, vol(level), second_map(0, INIT, UNINITIALISED), expect(state="initializing")))
        a(f"fresh-{level}", isw(count, vol(level), in_map(0, state=UNINITIALISED), expect(state="initializing")),
          notes="uninitialised, and nothing has begun")
        a(f"verify-{level}", isw(count, vol(level), second_map(0, VERIFY, NORMAL), going))
        a(f"verify-repair-{level}", isw(count, vol(level), second_map(0, VERIFY, NORMAL, status=0x8C), going))
        a(f"repair-{level}", isw(count, vol(level), second_map(0, REPAIR, NORMAL), going))
        a(f"not-migrating-{level}", isw(count, vol(level, migration=VERIFY, unit=6), shuffled),
          notes="type and checkpoint mean nothing when nothing is going on")
    going_on = second_map(0, REBUILD, DEGRADED)
    a("dirty-raid0", isw(2, vol("raid0", dirty=1)), notes="a stripe is never dirty")
    dirty = expect(state="dirty", also_right=["ok"])
    a("dirty-differs", isw(2, vol("raid1", dirty=1), of(0, differs_at(1, 200)), dirty),
      notes="the halves differ: the first one is read")
    a("dirty-degraded-raid5", isw(3, vol("raid5"), failing(1, present=False), in_volume(0, dirty=1),
                                  expect(state="degraded", also_right=["dirty"])))
    a("ppl-dirty-raid5", isw(3, vol("raid5", rwh=3, dirty=3, blocks=384 + 2048), dirty))
    a("bitmap-raid1", isw(2, vol("raid1", rwh=6, blocks=384 + 2048)))
    a("rebuild-two-lost-raid5", isw(4, vol("raid5"), failing(0, present=False), failing(2, present=False), replaced(0)),
      notes="one is being rebuilt and another is gone")
    a("rebuild-degraded-raid10", isw(4, vol("raid10", order=[0, 1, 2, 3]), failing(0, present=False),
                                     failing(2, present=False), replaced(0), expect(also_right=["degraded"])),
      notes="one pair is being rebuilt, the other is degraded")
    a("rebuild-mirror-first", isw(2, vol("raid1", order=[0, 1]), failing(0), replaced(0)),
      notes="the first slot is the one being rebuilt")
    a("rebuild-both", isw(2, vol("raid1"), vol("raid1"), failing(1), replaced(1)), notes="two volumes, one new disk")
    a("rebuild-bit-in-first", isw(2, vol("raid1", order=[0, 1]), going_on, out_in(0, 1, 0, 1), target(1)),
      notes="the bit is in both maps: the slot is out of sync")
    a("rebuild-bit-only-first", isw(2, vol("raid1", order=[0, 1]), going_on, out_in(0, 1, 0), target(1)))
    a("failed-pair-raid10", isw(4, vol("raid10", order=[0, 1, 2, 3]), failing(2), failing(3)),
      notes="both disks of a pair are behind")
    a("failed-cross-raid10", isw(6, vol("raid10", order=[0, 1, 2, 3, 4, 5]), failing(1), failing(2), failing(4),
                                 shuffled), notes="one of each pair is left")
    a("failed-two-raid5", isw(5, vol("raid5", 32), failing(1), failing(3)))
    a("failed-raid0", isw(2, vol("raid0"), failing(0)), notes="a stripe that lost a member, and the member is there")
    a("state3-raid0", isw(2, vol("raid0"), in_map(0, state=FAILED), refused()), notes="the record says failed")
    a("state3-raid5", isw(3, vol("raid5"), in_map(0, state=FAILED), refused()))
    a("migrating-raid0", isw(4, vol("raid0", order=[0, 1, 2, 3]), reshaping(0, 3)))
    a("migrating-raid5", isw(4, vol("raid5", order=[1, 0, 2, 3]), reshaping(0, 3)))
    a("migrating-first-of-two", isw(4, vol("raid0", order=[0, 1, 2, 3]), vol("raid10"), reshaping(0, 2)),
      notes="the second volume is behind a map of another length")
    a("migrating-second-of-two", isw(3, vol("raid5"), vol("raid0", order=[0, 1, 2]), reshaping(1, 2)))
    a("migrating-chunk", isw(3, vol("raid0", order=[2, 1, 0]), reshaping(0, 3, strip=64, stripes=12)))
    for mark in (":1", ":0:0"):
        a(f"failed-mark{mark.replace(':', '-')}", isw(2, vol("raid1"), failing(0, mark)), notes=f"marked by {mark}")
    a("failed-long-serial", isw(2, vol("raid1"), serial(0, "ABCDEFGHIJKLMNOPQRST"), failing(0)),
      notes="15 characters of the serial and of the mark are left")
    a("failed-status-only", isw(2, vol("raid1"), failing(1, "")), notes="the status says failed, the serial is plain")
    a("failed-cut-serial", isw(2, vol("raid1"), serial(0, "ABCDEFGHIJKLMNOPQRST"), failing(0),
                               in_entry(0, serial=b"EFGHIJKLMNOPQ:0")),
      notes="the mark put over the end of the serial")
    isw_generations()
    isw_families()


def differs_at(slot, sector):
    return lambda part: part.differs.update({slot: sector})


def out_in(number, slot, *maps):
    """The out-of-sync bit of a slot, in these maps of a volume."""
    def step(one):
        for which in maps:
            one.state["volumes"][number]["maps"][which]["order"][slot] |= ISW_OUT
    return step


def target(entry):
    """The disk that is being rebuilt."""
    def step(one):
        one.drives[entry].state = "rebuilding"
        one.case.never.append(one.drives[entry])
        expect(state="rebuilding")(one)
    return step


def isw_generations():
    a = lambda name, *b, **k: add("isw", name, *b, **k)
    synced = expect(also_right=["dirty", "ok"])
    for level, count in (("raid1", 2), ("raid5", 3), ("raid0", 2)):
        a(f"one-behind-{level}", isw(count, vol(level), every(generation=40), change(1, generation=39), synced),
          notes="a crash between the writes of two members: the newest table decides")
    a("one-behind-first", isw(2, vol("raid1", order=[0, 1]), every(generation=40), change(0, generation=39),
                              of(0, differs_at(0, 200)), synced), notes="the newer half is the right one")
    for name, new, old in (("wrap", 3, 0xFFFFFFFE), ("half", 0x80000002, 0x7FFFFFFF)):
        a(f"{name}-raid1", isw(2, vol("raid1"), every(generation=old), failing(0, behind=new - old)),
          notes="generations are compared as signed distances")
    a("wrap-same", isw(2, vol("raid0"), every(generation=0xFFFFFFFF)))
    a("differ-raid1", isw(2, vol("raid1"), change(1, cache_size=9), refused()), hostile=True,
      notes="one family, one generation, two records")
    a("differ-raid5", isw(3, vol("raid5"), alone(2, in_map(0, strip=64)), refused()), hostile=True,
      notes="one family, one generation, and one of three has another chunk")


def isw_families():
    """Relations between families, and disks without the serial that the table has."""
    a = lambda name, *b, **k: add("isw", name, *b, **k)
    a("split-mirror", split(217854, 19),
      notes="the newer one has the older one as failed: one degraded set")
    a("split-even", split(100, 0, True),
      notes="each half says that the other failed, at one generation: nothing decides")
    a("split-older", split(100, 7, True), notes="each half says that the other failed: the newer one is it")
    a("swapped-serials", swapped_families, notes="two families that share no original one; neither is complete")
    a("orig-family-0", isw(2, vol("raid1"), every(orig_family=0)), notes="an old writer")
    a("serial-one-known", isw(3, vol("raid5"), answers(1, None)), notes="one disk and one entry are left over")
    a("serial-one-other", isw(3, vol("raid0"), answers(2, "USB-BRIDGE-7")),
      notes="a bridge answers with its own serial")
    a("serial-one-other-failed", isw(3, vol("raid5"), failing(0, present=False), answers(2, "USB-BRIDGE-7")),
      notes="the failed entry does not count")
    a("serial-two-other", isw(3, vol("raid0"), answers(0, "OTHER-A"), answers(2, "OTHER-B"), by_order_alone(0, 2)),
      notes="two disks and two entries are left over: by serial nothing can be mapped")
    two_other = (answers(0, "OTHER-A"), answers(3, "OTHER-B"), by_order_alone(0, 3))
    a("serial-two-other-cross", isw(4, vol("raid10", order=[0, 1, 2, 3]), *two_other),
      notes="those that are known are enough")
    a("serial-two-other-pair", isw(4, vol("raid10", order=[0, 3, 2, 1]), *two_other))
    a("serial-all-other", isw(3, vol("raid5"), *[answers(i, f"CLONE-{i}") for i in range(3)], in_turn),
      notes="no serial is known: the order tells")
    for name, text in (("blanks", " S2R6 NX0H\t74  "), ("colon", "AB:CD:0"), ("long", "0123456789ABCDEFGHIJ"),
                       ("sixteen", "ABCDEFGHIJKLMNOP")):
        a(f"serial-{name}", isw(2, vol("raid0"), serial(1, text)), notes="a serial as it is cleaned")
    a("cloned-disk", isw(2, vol("raid1"), clone(1), unclear), hostile=True, notes="one serial on two disks")
    a("spare-in-record", isw(3, vol("raid1", order=[0, 1]), spare_entry(2)),
      notes="a spare that has the record of the others")
    a("spare-with-two-sets", isw(2, vol("raid1"), shuffled), isw(3, vol("raid5"), isw_spare()))
    a("spare-mdadm", isw(2, vol("raid1"), isw_spare(64, status=1, scsi_id=0x3C00)))
    a("foreign-between", isw(3, vol("raid5"), shuffled, foreign(1200), foreign(1300)))


def split(generation, ahead, both=False):
    """The halves of a mirror that went apart: one original family, two families. The newer one has the older one as
    failed; both: it is so the other way round, too."""
    def build(case):
        old = IswSet(case, 2, vol("raid1", order=[0, 1], name="DATA"), generation=generation)
        new = IswSet(case, list(old.drives), vol("raid1", order=[0, 1], name="DATA"), generation=generation + ahead,
                     orig_family=old.common["family"])
        if both:
            failing(1, behind=0)(old)
        failing(0, ":1", behind=0)(new)
        for drive, one in zip(old.drives, (old, new)):
            drive.frozen, drive.state = None, "stale" if one is old and ahead else "ok"
            drive.records = [one.put_record]
        case.never = [old.drives[0]] if ahead else []
        unlisted(old)
        hollow(old)
        new.listed = ahead != 0
        case.finish.append(lambda: new.sets[0].generations.update({old.drives[0]: generation}))
    return build


def swapped_families(case):
    """Two stripes that each lost a disk to the other."""
    one = IswSet(case, 2, vol("raid0", name="SATARAID1"), generation=1301)
    two = IswSet(case, [one.drives[1], one.drives[0]], vol("raid0", name="SATARAID1"), generation=1400)
    for kept in (one, two):
        kept.drives[0].records.remove(kept.put_record)
        kept.sets[0].states[kept.drives[0]] = "missing"
        hollow(kept)


def by_order_alone(*entries):
    """By serial these disks cannot be told apart, and the set must do without them; as they are given, they can."""
    def step(one):
        for part in one.sets:
            lost = {part.entries.index(e) for e in entries if e in part.entries}
            whole = readable(part.shape, lost)
            part.by_serial = {"state": "degraded" if whole else "broken", "members": None, "left_out": None}
            if not whole:
                part.by_serial.update(mappable=False, data=None)
    return step


def in_turn(one):
    """The order counts though there are serials."""
    one.case.turned = True


def unclear(one):
    """To be refused where the serials show that something is wrong; what is done without them is left open."""
    for part in one.sets:
        part.facts.update(on_request=True, state=None, members=None, left_out=None)
        part.by_serial = {"on_request": False, "mappable": False, "data": None}


def clone(entry):
    """A disk more, with the record and the serial of another."""
    def step(one):
        twin(entry)(one)
        one.case.never.remove(one.twins[-1])
        one.twins[-1].serial = one.drives[entry].serial
    return step


def spare_entry(entry):
    def step(one):
        one.state["disks"][entry]["status"] = 1
        for part in one.sets:
            part.spares.append(one.drives[entry])
        one.case.never.append(one.drives[entry])
    return step


def second_name(part):
    """Another volume has the name already."""
    part.name = isw_name(part.family, part.raw) + "_2"
    part.facts.update(on_request=True)


def isw_names():
    a = lambda name, *b, **k: add("isw", name, *b, **k)
    plain = (("blank", "Volume 0"), ("dots", "a-b_c.d"), ("brackets", "System[SSD]"), ("utf8", "Größe"),
             ("percent", "%s%n%x%u"), ("digits", "2008"), ("fifteen", "ABCDEFGHIJKLMNO"), ("latin1", b"Gr\xF6\xDFe"),
             ("dash", "-rf"), ("quote", "a'b\"c`$d"))
    for name, text in plain:
        a(f"name-{name}", isw(2, vol("raid1", name=text)))
    for name, text in (("dotdot", "../../evil"), ("control", b"e\x01\x1b[2J\n"), ("only-slash", "/")):
        a(f"h-name-{name}", isw(2, vol("raid1", name=text), expect(on_request=True)), hostile=True)
    a("name-same-sanitised", isw(2, vol("raid1", name="a.b"), vol("raid0", name="a b"), of(1, second_name)),
      notes="two names that become one: the first has it")
    a("family-small", isw(2, vol("raid1"), family=90), notes="the family's decimal is not padded")
    a("family-max", isw(2, vol("raid1"), family=0xFFFFFFFF))


def isw_records():
    """Where the record is, and what it may look like."""
    a = lambda name, *b, **k: add("isw", name, *b, **k)
    for level, count in (("raid1", 2), ("raid5", 3)):
        a(f"hpa-2113-{level}", isw(count, vol(level), hpa(2115)), notes="2113 sectors were hidden")
    a("hpa-2113-ext", isw(6, vol("raid0", 64), vol("raid0", 32), hpa(2115), log=[(1, 900, 3)] * 40),
      notes="and the record has several sectors")
    a("hpa-gafr-ext", isw(4, vol("raid5", 64), vol("raid0", 32), hpa(900, True), log=[(1, 900, 3)] * 9))
    a("hpa-total-wrong", isw(2, vol("raid1"), hpa(2115, total=5000), unlisted),
      notes="the total in the record does not fit the place: not believed")
    a("hpa-gafr-total-wrong", isw(2, vol("raid1"), hpa(500, True, total=5000), unlisted))
    a("hpa-behind-damaged", isw(2, vol("raid1"), hpa(2115), old_anchor(0, 2), old_anchor(1, 2)),
      notes="a damaged record at the usual place")
    a("hpa-gafr-past-start", isw(2, vol("raid1"), gafr_past),
      notes="$GAFR points before the disk: the usual place is right")
    for odd in (1, 2, 3):
        a(f"odd{odd}", isw(2, vol("raid0"), every(odd=odd)), notes="bytes past the last word are outside the checksum")
    a("log-254", isw(3, vol("raid5"), log=[(i % 3, 900 + i, 1) for i in range(254)]),
      notes="the longest log: five sectors")
    a("log-mirror", isw(2, vol("raid1", order=[0, 1]), log=[(0, 100, 8), (0, 200, 256)]),
      notes="the bad sectors are readable here")
    a("log-bad-signature", isw(2, vol("raid1"), log_fields(signature=0xDEADBEEF), log=[(0, 100, 8)]), hostile=True,
      notes="the record stays good")
    a("log-bad-count", isw(2, vol("raid1"), log_fields(count=200), log=[(0, 100, 8)]), hostile=True)
    a("log-empty", isw(2, vol("raid0"), log=[]))
    for version in (b"1.0.00", b"1.2.06", b"2.0.00", b"9.9.99"):
        a(f"version-{version.decode().replace('.', '')}", isw(2, vol("raid0"), version=version))
    a("attributes-old", isw(2, vol("raid0"), attributes=0xC0000000), notes="the left-over port multiplier bit")
    a("attributes-unchecked", isw(2, vol("raid0"), attributes=0),
      notes="the checksum is right though nobody asks for it")
    a("error-log", isw(2, vol("raid0"), error_log_size=4992, error_log_pos=17))
    on_request = expect(on_request=True, state=None, members=None)
    a("cache-attached", isw(2, vol("raid0", cache_mode=1, cache_family=77), on_request,
                            attributes=ISW_CHECKED | 0x02000000), notes="a write-back cache belongs to it")
    a("cng-recover", isw(2, vol("raid1", order=[0, 1], status=0x100C, fs_state=0, master=0), of(0, differs_at(1, 100)),
                         on_request, version=b"1.2.06", attributes=ISW_CHECKED | 0x20),
                           notes="a Recover volume: the master rules")
    a("raid1e", isw(3, vol("raid1", order=[0, 1, 2], code=1), refused("unsupported", level=None, also_right=["broken"]),
                    attributes=ISW_CHECKED | 8), hostile=True)


def gafr_past(one):
    for drive in one.drives:
        drive.records.append(lambda d: d.buffer.__setitem__(
            span(d.size - 1, 1), (b"$GAFR\x10" + struct.pack("<I", 0xFFFFFFFE)).ljust(SECTOR, b"\0")))


def log_fields(**fields):
    return lambda one: one.state.update(log_fields=fields)


# What makes a volume unbelievable: name, level, members, steps.
ISW_BAD_VOLUME = (
    ("members0", "raid0", 2, (in_map(0, members=0, order=[]),)),
    ("members-past", "raid0", 2, (in_map(0, members=3, order=[0, 1, 2]),)),
    ("order-equal", "raid0", 2, (in_map(0, order=[0, 2]),)),
    ("order-nine", "raid5", 3, (in_map(0, order=[0, 9, 1]),)),
    ("order-huge", "raid1", 2, (in_map(0, order=[0xFFFFFF, 1]),)),
    ("order-twice-raid0", "raid0", 2, (in_map(0, order=[1, 1]),)),
    ("order-twice-raid1", "raid1", 2, (in_map(0, order=[0, 0]),)),
    ("order-twice-raid5", "raid5", 3, (in_map(0, order=[0, 1, 0]),)),
    ("strip0-raid0", "raid0", 2, (in_map(0, strip=0),)),
    ("strip0-raid1", "raid1", 2, (in_map(0, strip=0),)),
    ("strip0-raid5", "raid5", 3, (in_map(0, strip=0),)),
    ("strip77-raid0", "raid0", 2, (in_map(0, strip=77),)),
    ("strip96-raid5", "raid5", 3, (in_map(0, strip=96),)),
    ("strip96-raid10", "raid10", 4, (in_map(0, strip=96),)),
    ("level2", "raid10", 4, (in_map(0, level=2),)),
    ("level6", "raid5", 4, (in_map(0, level=6),)),
    ("level8", "raid0", 2, (in_map(0, level=8),)),
    ("level99", "raid0", 2, (in_map(0, level=99),)),
    ("level-ff", "raid1", 2, (in_map(0, level=0xFF),)),
    ("state4", "raid0", 2, (in_map(0, state=4),)),
    ("state255", "raid1", 2, (in_map(0, state=255),)),
    ("raid1-of-one", "raid1", 2, (in_map(0, members=1, order=[0]),)),
    ("raid10-of-three", "raid10", 4, (in_map(0, level=10, members=3, order=[0, 1, 2]),)),
    ("raid5-of-two", "raid0", 2, (in_map(0, level=5),)),
    ("domains0-raid1", "raid1", 2, (in_map(0, domains=0),)),
    ("domains1-raid1", "raid1", 2, (in_map(0, domains=1),)),
    ("domains3-raid10", "raid10", 4, (in_map(0, domains=3),)),
    ("start-past-end", "raid0", 2, (in_map(0, start=60000),)),
    ("start-wraps", "raid0", 2, (in_map(0, start=0xFFFFFF00),)),
    ("start-high", "raid0", 2, (in_map(0, start_high=0xFFFFFFFF), every(attributes=ISW_CHECKED | ISW_HIGH))),
    ("stripes-huge", "raid0", 2, (in_map(0, stripes=0xFFFFFFFF),)),
    ("stripes-high", "raid5", 3, (in_map(0, stripes_high=0xFFFFFFFF), every(attributes=ISW_CHECKED | ISW_HIGH))),
    ("size0", "raid0", 2, (in_volume(0, size=0),)),
    ("size-past", "raid0", 2, (in_volume(0, size=2 * 384 + 2 * 2048 + 1),)),
    ("size-huge", "raid1", 2, (in_volume(0, size=(1 << 64) - 1),)),
    ("size-high", "raid5", 3, (in_volume(0, size=(1 << 32) + 1024),)),
    ("migrating2", "raid1", 2, (second_map(0, INIT, UNINITIALISED), in_volume(0, migrating=2))),
    ("migration6", "raid1", 2, (second_map(0, 6, NORMAL),)),
    ("second-start", "raid1", 2, (second_map(0, VERIFY, NORMAL), in_map(0, 1, start=64))),
    ("second-members", "raid5", 3, (second_map(0, REBUILD, DEGRADED), in_map(0, 1, members=2, order=[0, 1]))),
)
# What makes a record unbelievable.
ISW_BAD_RECORD = (
    ("signature", None, {"signature": b"Intel Raid ISM Cfg Sig.\0"}),
    ("signature-first", None, {"signature": b"intel Raid ISM Cfg Sig. "}),
    ("checksum", "checksum", {"checksum": 1}),
    ("checksum-unchecked", "checksum", {"checksum": 0x80000000, "attributes": 0}),
    ("size0", "", {"mpb_size": 0}),
    ("size-header", "", {"mpb_size": 0x20}),
    ("size-107", "", {"mpb_size": 0x107}),
    ("size-in-table", "", {"mpb_size": 0x108}),
    ("size-64k", "", {"mpb_size": 0x10001}),
    ("size-huge", "", {"mpb_size": 0xFFFFFFF0}),
    ("size-in-volume", "", {"size_off": -0x70}),
    ("size-in-map", "", {"size_off": -0x18}),
    ("size-in-order", "", {"size_off": -4}),
    ("disks0", "", {"num_disks": 0}),
    ("disks255", "", {"num_disks": 255}),
    ("volumes2", "", {"num_volumes": 2}),
    ("volumes255", "", {"num_volumes": 255}),
    ("log-past", "", {"log_size": 0x10000}),
    ("log-over-volume", "", {"log_size": 16}),
    ("log-huge", "", {"log_size": 0xFFFFFFF8}),
)


def isw_hostile():
    a = lambda name, *b, **k: add("isw", name, *b, hostile=True, **k)
    for name, level, count, steps in ISW_BAD_VOLUME:
        a(f"h-{name}", isw(count, vol(level, name="Evil"), vol("raid0", 64, name="Good"), *steps, of(0, refused())),
          notes="a volume that makes no sense, and a good one beside it")
    a("h-second-volume", isw(2, vol("raid1", name="Good"), vol("raid0", name="Evil"), in_map(1, strip=0),
                             of(1, refused())))
    a("h-smallest-disk", isw([1100, 1099, 5000], vol("raid0", 8, 512, start=585, name="Evil"),
                             vol("raid0", 8, 256, start=0, name="Good"), of(0, refused())),
      notes="one sector too many for one of three disks")
    a("h-overlap", isw(2, vol("raid0", name="A"), vol("raid1", start=500, name="B"), hollow,
                       expect(on_request=True, members=None, state=None, data=None)), notes="neither is to be believed")
    a("h-two-serials", isw(2, vol("raid1"), twice_in_table, unclear), notes="one serial twice in the table: it is nobody's")
    a("h-before-start", isw([40, 41], vol("raid0", 8), all_wrong("", mpb_size=0x8000)),
      notes="the record begins before the disk")
    a("h-tiny", isw([1, 2, 3], vol("raid0", 8), unlisted, hollow), isw(2, vol("raid1")), notes="disks of a few sectors")
    for name, about, fields in ISW_BAD_RECORD:
        a(f"h-record-{name}", isw(2, vol("raid0"), all_wrong(about, **fields)))
        if name in ("signature", "checksum", "size-huge", "disks0", "volumes255", "log-huge"):
            for level, count in (("raid1", 2), ("raid5", 3), ("raid10", 4)):
                a(f"field-{name}-{level}", isw(count, vol(level), wrong(count - 1, about, **fields)),
                  notes="one disk's record is wrong")
    a("field-checksum-raid0", isw(2, vol("raid0"), wrong(1, "checksum", checksum=1)))
    a("field-checksum-first-raid5", isw(3, vol("raid5"), wrong(0, "checksum", checksum=1)))
    for i in range(3):
        a(f"h-random-{i}", random_isw)


def twice_in_table(one):
    one.state["disks"][1]["serial"] = one.state["disks"][0]["serial"]
    one.drives[1].serial = one.drives[0].serial


def random_isw(case):
    """Only the signature, the size and the sum are right."""
    for _ in range(2):
        size = case.rng.randrange(0x108, 0x400)
        body = bytearray(case.rng.randbytes(size))
        body[0x38], body[0x39] = case.rng.randrange(1, 4), case.rng.randrange(0, 3)

        def put(drive, body=body, size=size):
            struct.pack_into("<24s6s", body, 0, ISW_SIGNATURE, b"1.3.00")
            struct.pack_into("<I", body, 0x24, size)
            struct.pack_into("<I", body, 0x20, 0)
            struct.pack_into("<I", body, 0x20, sum(struct.unpack_from(f"<{size // 4}I", body)) & 0xFFFFFFFF)
            isw_put(drive.buffer, drive.size, body, SECTOR)
        Drive(case, 1000, put)


PDC_PLACES = (63, 255, 256, 399, 591, 675, 735, 911, 951, 974, 991, 3087)  # before the end of the disk
PDC_GEOMETRIES = ((16, 63), (255, 63), (240, 63), (128, 63), (64, 63), (32, 63), (15, 63))


def pdc_places():
    a = lambda name, *b, **k: add("pdc", name, *b, **k)
    for place in PDC_PLACES:
        a(f"place-{place}", pdc(2, arr("raid1", per=300), place=place),
          notes=f"the record is {place} sectors before the end")
    a("place-16", pdc(2, arr("raid1", per=300), place=16), notes="there is room for one record only")
    for heads, sectors in PDC_GEOMETRIES:
        cylinder = heads * sectors
        sizes = [2 * cylinder + extra for extra in (cylinder // 2 + 200, cylinder // 3 + 333)]
        a(f"place-{heads}x{sectors}", pdc(sizes, arr("raid0", 32, 320), place=geometry_place(heads, sectors)),
          notes="the last track of the last whole cylinder")
    a("place-lba28", pdc([268435456 + 5000, 268435456 + 9999], arr("raid1", per=100000), place=lambda size: 268435377),
      notes="the place that a firmware of 28 bits uses on every large disk")
    a("place-mixed", pdc([4000, 4100], arr("raid0", 32, 320), place=lambda size: size - (63 if size == 4000 else 735)),
      notes="the members have their records at different places")
    a("places-two", pdc(2, arr("raid1", per=300), place=63), pdc(2, arr("raid0", per=384, chunk=64), place=951),
      notes="two controllers")
    a("older-place", pdc([700, 711], arr("raid1", per=300), old_place(255)),
      notes="an older record at a place that is looked at later")


def geometry_place(heads, sectors):
    return lambda size: pdc_last_track(heads, sectors, size)


def old_place(back):
    """A record of an array that is no more, at another place."""
    def step(one):
        for disk in range(len(one.drives)):
            fields = {**one.fields_of(one.arrays[0], disk, one.drives[disk]), "volume_id": 0x5A5A5A5A5A,
                      "generation": 2}
            one.drives[disk].records.append(lambda d, f=fields: d.buffer.__setitem__(
                span(d.size - back, 4), pdc_record(f, one.background)))
    return step


def pdc_geometry():
    a = lambda name, *b, **k: add("pdc", name, *b, **k)
    unmappable = expect(on_request=True, also_right=["unsupported"], members=None)  # the kernel takes no such chunks
    for shift in range(0, 13):
        chunk = 1 << shift
        for level, count in (("raid0", 2), ("raid01", 4), ("raid5", 3)):
            if (shift + count) % 3 == 0 or shift in (4, 7, 12):
                a(f"chunk{chunk}-{level}", pdc(count, arr(level, chunk), shuffled,
                                               *[unmappable] * (chunk < 8 and level != "raid0")))
    a("chunk32768-raid0", pdc([70000, 71000], arr("raid0", 32768, 65536)), notes="16 MiB, the most there is")
    for background in ("filler", "zero", "freebsd"):
        for level, count in (("raid0", 2), ("raid1", 2), ("raid01", 4), ("raid5", 4), ("span", 3), ("jbod", 1)):
            a(f"{background}-{level}", pdc(count, arr(level, 32), shuffled, background=background))
    for count in (1, 3, 5, 6, 7, 8):
        a(f"width{count}-raid0", pdc(count, arr("raid0", 16), shuffled))
    for count in (4, 6, 8):
        a(f"width{count}-raid01", pdc(count, arr("raid01", 32), shuffled))
        a(f"width{count}-raid5", pdc(count, arr("raid5", 32), shuffled))
    a("width5-raid5", pdc(5, arr("raid5", 64), shuffled))
    a("width3-raid1", pdc(3, arr("raid1")))
    a("width2-span", pdc(2, arr("span", per=[700, 431])))
    a("width8-span", pdc(8, arr("span", per=[200 + 17 * i for i in range(8)]), shuffled))
    for level, count in (("raid0", 3), ("raid01", 4), ("raid5", 4)):
        for cut in (1, 77, 128, 300):
            a(f"cut{cut}-{level}", pdc(count, arr(level, 128, 768, cut), shuffled),
              notes=f"the size ends {cut} sectors before the end of a row")
    a("cut-one-disk", pdc(1, arr("raid0", 256, 1024, 224)), notes="like the real sample")
    a("cut-less-than-chunk", pdc(2, arr("raid0", 128, 128, 250)))
    a("small-raid1", pdc(2, arr("raid1", per=700, kept=3000)), notes="the record gives the member all that is free")
    a("all-free-raid0", pdc([4000, 4100], arr("raid0", 64, 640, kept=[3937, 4037])),
      notes="old firmware: all sectors before the record")
    a("offset-raid1", pdc(2, arr("raid1", offset=500), background="zero"))
    a("offset-filler", pdc(2, arr("raid0", 32, offset=500), background="filler"))
    a("offset-raid5", pdc(3, arr("raid5", 32, offset=123), background="zero"))
    a("offset-raid01", pdc(4, arr("raid01", 32, offset=64), background="zero"))
    a("just-fits", pdc([863, 870], arr("raid0", 8, 800)), notes="the data ends at the record of the first disk")
    pdc_large()


def pdc_large():
    a = lambda name, *b, **k: add("pdc", name, *b, **k)
    two, three = 3907029168, 5860533168
    a("large-raid1", pdc([three] * 2, arr("raid1", per=5859375000), background="zero"),
      notes="more than 2 TiB on a member")
    a("large-raid0", pdc([two] * 3, arr("raid0", per=3906249984), background="zero"))
    a("large-offset", pdc([three] * 2, arr("raid0", 128, 2200000000 // 128 * 128),
                          arr("raid1", per=1000, offset=4500000000), background="zero"),
      notes="the second array begins past 2 TiB")
    a("wrapped-raid0", pdc([two] * 2, arr("raid0", per=3906249984), background="filler"),
      notes="no high half: the size has wrapped once")
    a("wrapped-raid01", pdc([two] * 4, arr("raid01", per=3906249984), shuffled, background="filler"))
    a("wrapped-raid5", pdc([two] * 4, arr("raid5", per=3906249984), background="filler"), notes="wrapped twice")
    a("wrapped-high-filler", pdc([two] * 2, arr("raid0", per=3906249984), in_array(total_high=0x15161718),
                                 background="zero"),
      notes="the high half is 256 or more: none")
    a("not-wrapped", pdc([two] * 2, arr("raid0", per=1000 * 128), background="filler"))


def pdc_arrays():
    """Several arrays on the same disks, and other records between them."""
    a = lambda name, *b, **k: add("pdc", name, *b, **k)
    zero = {"background": "zero"}
    four = (arr("raid1", per=200), arr("raid0", 32, 192), arr("raid1", per=211), arr("raid0", 16, 160))
    a("four", pdc(2, *four, shuffled, **zero))
    a("two-raid5", pdc(3, arr("raid5", 64), arr("raid0", 32), shuffled, **zero))
    a("slot1-empty", pdc(2, arr("raid1", per=200), arr("raid0", 32, 192, slot=2), **zero),
      notes="the array between was deleted")
    a("slot0-empty", pdc(2, arr("raid1", per=200, slot=1, offset=300), **zero))
    a("slot3-only", pdc(2, arr("raid0", 32, 192, slot=3, offset=100), **zero))
    a("slots-differ", pdc(2, arr("raid1", per=200, slot=[0, 2]), arr("raid0", 32, 192, slot=[1, 0]), **zero),
      notes="one array in another slot on each disk")
    a("slot-damaged", pdc(2, arr("raid1", per=200), arr("raid0", 32, 192), in_array(0, checksum=1), of(0, unlisted),
                          **zero),
      notes="a wrong checksum in the first slot; the second is right")
    a("free-space-last", pdc(2, arr("raid1", per=200), free_space(0, 1), free_space(1, 1), **zero))
    a("free-space-between", pdc(2, arr("raid1", per=200), arr("raid0", 32, 192, slot=2), free_space(0, 1),
                                free_space(1, 1), **zero))
    a("free-space-first", pdc(2, arr("raid0", 32, 192, slot=1), free_space(0, 0), free_space(1, 0), **zero))
    a("some-disks", pdc(4, arr("raid1", per=200, order=[0, 3]),
                        arr("raid5", 32, 192, order=[2, 1, 0], offset=300, slot=1), **zero),
      notes="two arrays that share one disk")
    a("one-lost-each", pdc(3, arr("raid5", 32, 192), arr("raid0", 32, 192), gone(1), **zero),
      notes="one survives, one does not")
    a("second-failed", pdc(2, arr("raid1", per=200), arr("raid1", per=230), marked(1, 0x67, "failed", of_array=1),
                           **zero),
      notes="the disk is good in one array and failed in the other")
    a("second-stale", pdc(2, arr("raid1", per=200), arr("raid1", per=230), behind(0, 12, of_array=1), **zero))
    a("same-low32", pdc(2, arr("raid1", per=200, volume_id=0x0000000A_12345678), shuffled),
      pdc(2, arr("raid0", 32, volume_id=0x0000000B_12345678)), notes="two ids that differ in the upper half only")
    a("same-low32-one-disk", pdc(2, arr("raid1", per=200, volume_id=0x77_00001234),
                                 arr("raid0", 32, 192, volume_id=0x66_00001234), **zero))
    a("small-id", pdc(2, arr("raid1", per=200, volume_id=0x5_00000007)), notes="the decimal is not padded")
    a("two-sets", pdc(3, arr("raid5", 32), shuffled), pdc(2, arr("raid1"), foreign(1500)))


def pdc_states():
    a = lambda name, *b, **k: add("pdc", name, *b, **k)
    for level, count in (("raid1", 2), ("raid5", 3), ("raid01", 4)):
        for member in (0, count - 1):
            a(f"lost{member}-{level}", pdc(count, arr(level, 32), gone(member), shuffled))
        a(f"failed-{level}", pdc(count, arr(level, 32), marked(1, 0x67, "failed"), shuffled))
        a(f"failed-60-{level}", pdc(count, arr(level, 32), marked(0, 0x60, "failed")), notes="as FreeBSD writes it")
        a(f"stale-{level}", pdc(count, arr(level, 32), behind(count - 1, 14), in_array(status=0x1F), shuffled))
        a(f"stale-first-{level}", pdc(count, arr(level, 32), behind(0, 16)), notes="one change behind is behind")
        a(f"rebuild-{level}", pdc(count, arr(level, 32), marked(1, 0x27, "rebuilding", rebuild=200), shuffled))
        a(f"rebuild-v2-{level}", pdc(count, arr(level, 32), marked(0, 0x27, "rebuilding", rebuild=100, rebuild_high=0),
                                     in_array(activity=0x03040010, array_rebuild=100), background="zero"))
        a(f"offline-{level}", pdc(count, arr(level, 32), marked(1, 0x05, "failed"), expect(members=None)),
          notes="not online: not to be read, whatever that is called")
        a(f"foreign-{level}", pdc(count, arr(level, 32), stranger(), shuffled), notes="a disk once replaced comes back")
        a(f"foreign-newer-lost-{level}", pdc(count, arr(level, 32), gone(0), stranger()),
          notes="a disk once replaced comes back, and the one that replaced it is gone")
        a(f"spare-{level}", pdc(count, arr(level, 32), pdc_spare(), shuffled))
        a(f"wrap-{level}", pdc(count, arr(level, 32), every(generation=2), shuffled, wrapped(1)),
          notes="a 16-bit counter")
    a("lost-cross-raid01", pdc(4, arr("raid01", 32), gone(0, 3)), notes="one of each column is left")
    a("lost-half-raid01", pdc(4, arr("raid01", 32), gone(0, 1)))
    a("lost-column-raid01", pdc(4, arr("raid01", 32), gone(1, 3)))
    a("lost-cross-raid01-6", pdc(6, arr("raid01", 32), gone(0, 4, 2), shuffled))
    a("lost-column-raid01-8", pdc(8, arr("raid01", 32), gone(2, 6), shuffled))
    a("lost-two-raid5", pdc(4, arr("raid5", 32), gone(1, 2)))
    a("lost-two-of-three", pdc(3, arr("raid1"), gone(0, 2)), notes="a mirror of three, one is left")
    a("lost-span", pdc(3, arr("span"), gone(1)))
    a("stale-raid0", pdc(2, arr("raid0", 32), behind(1, 16)))
    a("failed-raid0", pdc(2, arr("raid0", 32), marked(0, 0x67, "failed")))
    a("flags-zero", pdc(2, arr("raid1"), in_table(0, 0), in_table(1, 0)),
      notes="before 2001: all flags of the table are zero")
    a("spare-in-table", pdc(3, arr("raid1"), marked(2, 0x0F, "failed", status=0x8F), expect(members=None, state=None)),
      notes="a member that the table calls a spare")
    a("spare-two-sets", pdc(2, arr("raid1"), shuffled), pdc(3, arr("raid5", 32), pdc_spare(listed=False)))
    a("status-dirty", pdc(2, arr("raid1"), in_array(status=0xAF), expect(state="dirty", also_right=["ok"])))
    a("status-migrating", pdc(2, arr("raid0", 32), in_array(status=0xCF),
                              expect(state="migrating", on_request=True)), notes="known by its name only")
    a("status-degraded-whole", pdc(2, arr("raid1"), in_array(status=0x1F),
                                   expect(state="ok", also_right=["degraded", "dirty"])),
      notes="the table decides, and it has all members online")
    a("status-08", pdc(2, arr("raid0", 32), in_array(status=0x0F)), notes="functional or not: the table decides")
    a("integrity-filler", pdc(2, arr("raid1"), in_array(integrity=0xFDFEFFC0), background="filler"),
      notes="only the low byte is a field")
    a("number-wrong", pdc(3, arr("raid0", 32), own(1, number=2), own(2, number=1)),
      notes="the id's place wins over the own number")
    a("number-past", pdc(2, arr("raid1"), own(1, number=200), expect(on_request=True)),
      notes="a number past the members, and a good id: doubtful")
    a("ids-zero", pdc(3, arr("raid0", 32), no_ids), notes="no ids in the table: the own numbers tell")
    a("volume-id-filler", pdc(2, arr("raid1"), low_id("absent"), background="filler"),
      notes="48 bits of the id are at 024")
    a("volume-id-zero", pdc(2, arr("raid1"), low_id("zero"), background="zero"))
    a("channel-moved", pdc(2, arr("raid0", 32), own(0, channel=7, device=1)), notes="the port is a hint only")
    a("twin-older", pdc(2, arr("raid1"), twin(0, generation=11), expect(left_out=None)),
      notes="two disks of one id: the newer one stays")
    a("twin", pdc(2, arr("raid1"), twin(0), refused()), hostile=True, notes="two disks of one id and generation")
    a("differ-raid5", pdc(4, arr("raid5", 32), odd_one(2, shift=6)), notes="three agree against one")
    a("differ-raid1-3", pdc(3, arr("raid1"), odd_one(0, total=300)), notes="two agree against one")
    a("differ-raid1", pdc(2, arr("raid1"), change(1, total=300), refused(state=None, sectors=None)), hostile=True,
      notes="one generation, two sizes: nothing decides")


def wrapped(member):
    """Before the counter went round."""
    return behind(member, 65534)


def no_ids(one):
    for member in one.arrays[0]["table"]:
        member[4] = 0


def low_id(how):
    """The id's 64 bits are not there, its 48 bits are."""
    def step(one):
        array = one.arrays[0]
        low = int.from_bytes(array["fields"]["volume48"], "little")
        if how == "zero":
            array["fields"]["volume_id"] = 0
        else:
            array["fields"]["absent"] = (*array["fields"].get("absent", ()), "volume_id")
        array["part"].name = pdc_name(low)
    return step


def odd_one(member, **fields):
    """A member whose record is of the newest generation and says something else."""
    def step(one):
        array = one.arrays[0]
        array["own"][member].update(fields)
        drive = array["drives"][member]
        array["part"].states[drive] = "stale"
        one.case.never.append(drive)
    return step


# What makes a record unbelievable: name, what the message is about, fields, on which levels.
PDC_WRONG = (
    ("signature", None, {"signature": b"Promise Technology, Inc,"}, "raid1 raid0"),
    ("checksum", "checksum", {"checksum": 1}, "raid1 raid0 raid5 raid01"),
    ("integrity", "integrity", {"integrity": 0}, "raid1 raid0 raid5"),
    ("integrity-other-bits", "integrity", {"integrity": 0xFFFFFF7F}, "raid1"),
    ("members0", "members", {"members": 0}, "raid1 raid0 raid5"),
    ("members9", "members", {"members": 9}, "raid1 raid0"),
    ("members255", "members", {"members": 255}, "raid5"),
    ("width0", "width", {"width": 0}, "raid1 raid0 raid5 raid01"),
    ("width-past", "width", {"width": 7}, "raid0 raid5 raid01"),
    ("type3", "type", {"type": 3}, "raid1 raid5"),
    ("type-ff", "type", {"type": 0xFF}, "raid0"),
    ("shift16", "", {"shift": 16}, "raid0 raid5 raid01"),
    ("shift32", "", {"shift": 32}, "raid0"),
    ("shift255", "", {"shift": 255}, "raid0 raid5"),
    ("total0", "", {"total": 0}, "raid1 raid0 raid5"),
    ("total-past", "", {"total": 0x7FFFFFFF}, "raid1 raid5"),
    ("offset-past", "", {"offset": 0x7FFFFFFF, "absent": ()}, "raid1 raid0"),
    ("offset-wraps", "", {"offset": 0xFFFFFFF5, "absent": ()}, "raid1"),
    ("member-small", "", {"member_sectors": 100}, "raid1 raid0 raid5"),
)
PDC_WRONG_HIGH = (  # of firmware that writes the high halves
    ("total-high", {"total_high": 255}), ("offset-high", {"offset_high": 0x7FFF}),
    ("offset-high-wraps", {"offset": 0xFFFFFFFF, "offset_high": 0xFFFFFFFF}),
)


def pdc_wrong():
    a = lambda name, *b, **k: add("pdc", name, *b, hostile=True, **k)
    counts = {"raid1": 2, "raid0": 2, "raid5": 4, "raid01": 4}
    for field, about, values, levels in PDC_WRONG:
        for level in levels.split():
            a(f"field-{field}-{level}", pdc(counts[level], arr(level, 32), wrong(1, about, **values)))
        level = levels.split()[0]
        a(f"all-{field}", pdc(counts[level], arr(level, 32), all_wrong(about, **values)))
    for field, values in PDC_WRONG_HIGH:
        a(f"all-{field}", pdc(2, arr("raid0", 32), all_wrong("", **values), background="zero"))
    a("total-high-256", pdc(2, arr("raid0", 32), in_array(total_high=256), background="zero"),
      notes="256 and more in the high half is none")
    a("total-past1", pdc([863, 870], arr("raid0", 8, 800), in_array(total=1601), refused(sectors=None)),
      notes="one sector more than the first member can hold")
    a("raid3-of-three", pdc(3, arr("raid0", 32), in_array(type=2),
                            refused("unsupported", level="unknown", chunk=None, sectors=None)),
      notes="a layout that nobody knows")
    a("ids-twice", pdc(3, arr("raid1"), table_id(2, 0), refused(sectors=None)), notes="one id twice in the table")
    a("ids-twice-zero", pdc(3, arr("raid5", 32), table_id(1, None), table_id(2, None), refused(sectors=None)),
      notes="the id zero twice in the table")
    a("shift0-raid0", pdc(2, arr("raid0", 1, 64)), notes="chunks of a sector: no firmware, and no fault")
    a("label-bites", pdc(2, arr("raid1"), in_array(label=b"\x1b[2J\xff%s\n\"\\</a>,../../x"), background="zero"))
    a("tiny", pdc([1, 2, 4, 60, 66], arr("raid0", 8), unlisted, hollow), pdc(2, arr("raid1")),
      notes="disks of a few sectors")
    for i in range(3):
        a(f"random-{i}", random_pdc)


def table_id(member, other):
    """Puts another member's id, or none, where this one's is."""
    def step(one):
        table = one.arrays[0]["table"]
        table[member][4] = 0 if other is None else table[other][4]
    return step


def random_pdc(case):
    """Only the signature, the integrity bit and the sum are right."""
    for k in range(2):
        fields = {**noise(case.rng, PDC), "signature": PDC_SIGNATURE, "integrity": 0x80}
        if k:
            fields.update(type=case.rng.choice((0, 1, 4, 8)), members=case.rng.randrange(1, 9), flags=7)

        def put(drive, fields=fields):
            for slot in range(4):
                drive.buffer[span(drive.size - 63 + 14 * slot, 4)] = pdc_record(fields, "zero")
        Drive(case, 1500, put)


# ---- several formats on the same disks ----

def unmapped(**facts):
    """Listed or not, and not to be mapped: others have a better claim to its disks."""
    return expect(**{"mappable": False, "state": None, "members": None, "left_out": None, "spares": None, **facts})


def stale_pdc_on_isw(level, count, slot=0):
    """A disk of a live Intel set once was in a Promise array."""
    def build(case):
        live = IswSet(case, [1700 + 9 * i for i in range(count)], vol(level, 64))
        old = PdcSet(case, [live.drives[slot], Drive(case, 1700)], arr("raid1", per=600))
        old.drives[1].present = False
        hollow(old)
        unmapped()(old)
    return build


def isw_and_pdc(level, count):
    """Both have a whole set on the same sectors."""
    def build(case):
        one = IswSet(case, [1700 + 9 * i for i in range(count)], vol(level, 64))
        two = PdcSet(case, list(one.drives), arr(level if level != "raid10" else "raid01", 64))
        for both in (one, two):
            unmapped()(both)
        hollow(two)
    return build


def isw_beside_pdc(case):
    """Both have a whole set on the same disks, on different sectors."""
    one = IswSet(case, [2600, 2611], vol("raid1", 64))
    PdcSet(case, list(one.drives), arr("raid1", per=700, offset=1200), background="zero")


def mixed():
    a = lambda name, *b, **k: add("mixed", name, *b, **k)
    a("pdc-on-isw-raid1", stale_pdc_on_isw("raid1", 2),
      notes="a whole Intel set, and the record of a lone Promise mirror on one disk")
    a("pdc-on-isw-raid0", stale_pdc_on_isw("raid0", 3, 1))
    a("pdc-on-isw-raid5", stale_pdc_on_isw("raid5", 3, 2))
    a("isw-and-pdc-raid1", isw_and_pdc("raid1", 2), hostile=True,
      notes="two whole sets on the same sectors: nothing decides")
    a("isw-and-pdc-raid0", isw_and_pdc("raid0", 2), hostile=True)
    a("isw-beside-pdc", isw_beside_pdc, notes="two whole sets on the same disks that touch each other nowhere")
    a("sil-on-nvidia", sil_on_nvidia, notes="a whole nvidia mirror, and the record of a lone sil mirror on one disk")
    a("isw-on-pdc", isw_on_pdc, notes="a whole Promise set, and the record of a lone Intel mirror on one disk")
    a("isw-cloned", isw(2, vol("raid1"), clone(0), unclear), hostile=True, notes="the same disk twice")
    a("pdc-cloned", pdc(2, arr("raid1"), twin(1), refused(state=None)), hostile=True, notes="the same disk twice")
    a("pdc-cloned-raid5", pdc(3, arr("raid5", 32), twin(1), refused(state=None)), hostile=True)
    a("isw-swapped", swapped_families, notes="two families, two disks, each names both: two broken stripes")
    a("isw-split", split(217854, 19), notes="halves that went apart: one degraded set")
    a("one-of-each", isw(2, vol("raid0"), shuffled), pdc(2, arr("raid1")), nv("mirror", [1500, 1433]),
      sil("mirror", [2900, 2833], 128),
      notes="a set of each format, and no disk shared")


def lone_record(one, disk, onto):
    """The record of a disk of a set that is not there, on another one of the same size."""
    def put(drive):
        one.drives[disk].buffer, kept = drive.buffer, one.drives[disk].buffer
        one.put_record(one.drives[disk])
        one.drives[disk].buffer = kept
    onto.records.append(put)


def sil_on_nvidia(case):
    live = NvidiaSet(case, "mirror", [4000, 4000], capacity=2304)
    old = SilSet(case, "mirror", [4000, 4000], 128)
    lose(0, 1)(old)
    lone_record(old, 0, live.drives[1])
    unmapped()(old)


def isw_on_pdc(case):
    live = PdcSet(case, [1700, 1711], arr("raid1", per=900))
    old = IswSet(case, [live.drives[0], Drive(case, 1700)], vol("raid1"))
    old.drives[1].present = False
    hollow(old)
    unmapped()(old)


for family in (nvidia_named, nvidia_hostile, nvidia_states, nvidia_geometry, nvidia_wrong,
               sil_named, sil_hostile, sil_noise, sil_states, sil_geometry, sil_wrong,
               isw_named, isw_geometry, isw_states, isw_names, isw_records, isw_hostile,
               pdc_places, pdc_geometry, pdc_arrays, pdc_states, pdc_wrong, mixed):
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
ISW_VECTOR_A = """
    000 496e74656c20526169642049534d20436667205369672e20312e302e30300000
    020 c585aefee00100003bb755ffd001000080130000000000c00201020000000000
    0d0 00000000000000005932355658595145000000000000000000ba8a0900000000
    0f0 3a010000000000000000000000000000000000000000000059323556585a3645
    110 000000000000000000ba8a09000001003a010000000000000000000000000000
    130 0000000000000000524149445f566f6c756d6531000000000070151300000000
    150 00000000000000000000010000000000
    1a0 00000000000000000000000000b88a09b88a0900000100000201ff0100000000
    1d0 00000000000000000000000001000000"""
ISW_VECTOR_B = """
    000 496e74656c20526169642049534d20436667205369672e20312e322e30320000
    020 2d7e642d500200008ebd3f491200000000000000000000800301000000000000
    040 d57469ea010000000000000001000000f9050e6b000000000000000000000000
    0d0 0000000000000000503035362d30000000000000000000000000010000380000
    0f0 020000000000000000000000000000000000000000000000503035382d320000
    110 000000000000000000000100003a000002000000000000000000000000000000
    130 0000000000000000503035392d330000000000000000000000000100003b0000
    150 0200000000000000000000000000000000000000000000004669766500000000
    170 000000000000000000c00000000000000c000000000000000000000000000000
    190 01000000000000000000050000000000
    1b0 00000000000000006c0000000000000001010000000000000000000000000000
    1d0 00000000000000000000000000680000c0000000800000050301010100000000
    200 00000000000000000000000002000000010000000000000000680000c0000000
    220 80000205030101010000000000000000
    240 00000000000000000200000101000000"""
ISW_VECTOR_C = """
    000 496e74656c20526169642049534d20436667205369672e20312e312e30300000
    020 0137fe6ae0010000997f243e0500000000000000000000800201000000000000
    040 997f243e01000000000000000100000097050e6b000000000000000000000000
    0d0 0000000000000000503034352d313a30000000000000000000000100002d0000
    0f0 060000000000000000000000000000000000000000000000503034342d300000
    110 000000000000000000000100002c000002000000000000000000000000000000
    130 00000000000000004d6972726f72000000000000000000000060000000000000
    150 0c00000000000000000000000000000001000000000000000000050000000000
    1a0 0000000000000000000000000068000060000000800002010202000100000000
    1d0 00000000000000000000000101000000"""
ISW_VECTOR_D = """
    000 496e74656c20526169642049534d20436667205369672e20312e332e30300000
    020 4b4966bc880200009c5841490500000000000000030000800202000000000000
    040 9c58414901000000000000000200000075050e6b000000000000000000000000
    0d0 0000000000000000503033362d31000000000000000000000000010000240000
    0f0 020000000000000000000000000000000000000000000000503033352d300000
    110 0000000000000000000001000023000002000000000000000000000000000000
    130 0000000000000000466173740000000000000000000000000060000000000000
    150 0c00000000000000000000000000000001000000000000000000050000000000
    1a0 00000000000000000000000000380000c0000000400000000201ff0100000000
    1d0 0000000000000000000000000100000053616665000000000000000000000000
    1f0 00300000000000000c0000000000000000000000000000000200000000000000
    210 00000500000000000000000000000000
    250 005000000038000030000000800000010202ff01000000000000000000000000
    280 0000000001000000"""
# The specification prints no rows for the unused part of the table and behind the label: zeros, says the checksum.
PDC_VECTOR_1 = """
    000 50726f6d69736520546563686e6f6c6f67792c20496e632e0000020021057e71
    020 0900000021057f740900d6d5d4d3d2d1
    200 800000000700000021057e7109000000f0efeeed719ea112ffffffff11008f00
    220 01080100205f9e12f34bfe3f21057f74090000000700000021057e7109000000
    240 0000000000000000000000000000000000000000000000000000000000000000
    260 0000000000000000000000000000000000000000000000000000000000000000
    280 00000000000000000000000000000000
    290 0000000050524f4d495345204172726179203100000000000000000000000000
    2b0 0000000000000000000000000000000000000000000000000000000000000000
    2d0 000000002c2b2a292827262524232221
    7f0 100f0e0d0c0b0a0908070605c3ab35e5"""
PDC_VECTOR_2 = """
    000 50726f6d69736520546563686e6f6c6f67792c20496e632e0000020033272396
    020 09000000332722960900000000000000
    200 800000000700000033272396090000000000000000100000ffffffff11008f01
    220 02070100001000000000fe3f3327229609000000070000003327239609000000
    240 07000100332720960900000100000000
    290 000000004c442031202020202020202020202020202020202020202020202020
    2b0 20202020000000000000000000000000
    2d0 0000000000000003ffffffffffffffff01010104000000000000000000010000
    370 00000000000000000000ffffffff0000
    7f0 00000000000000000000000064dc9594"""
PDC_VECTOR_2B = """
    000 50726f6d69736520546563686e6f6c6f67792c20496e632e000002009a6c4497
    020 090000009a6c45970900000000000000
    200 80000000070000009a6c4497090000000018000000100000ffffffff11008f00
    220 02070201002000000000fe3f9a6c459709000000070000009a6c449709000000
    240 070001009a6c47970900000100000000
    290 000000004c442032202020202020202020202020202020202020202020202020
    2b0 20202020000000000000000000000000
    2d0 0000000000000003ffffffffffffffff01010104000000000000000000010000
    370 00000000000000000000ffffffff0000
    7f0 000000000000000000000000cea4689c"""
PDC_VECTOR_3 = """
    000 50726f6d69736520546563686e6f6c6f67792c20496e632e000002005c8bc982
    020 090000025c8bca820900d6d5d4d3d2d1
    200 80000000070200015c8bc98209000002f0efeeedc11f0000ffffffff11008f01
    220 04070200001000000000fe3f5c8bca8209000000070000005c8bcb8209000000
    240 070001005c8bc88209000001070000015c8bc98209000002070001015c8bce82
    260 09000003000000000000000000000000
    270 0000000000000000000000000000000000000000000000000000000000000000
    290 000000006c6b6a696867666564636261
    7f0 100f0e0d0c0b0a0908070605fb70618c"""


def vector(text, size, background=lambda offset: 0):
    """Rows of an offset and bytes; the rest is background."""
    out = bytearray(background(offset) for offset in range(size))
    for row in text.split("\n"):
        if row.strip():
            offset, raw = row.split()
            raw = bytes.fromhex(raw)
            out[int(offset, 16):int(offset, 16) + len(raw)] = raw
    return out


def isw_vector(family, generation, version, disks, volumes, **header):
    return {"header": {"signature": ISW_SIGNATURE, "family": family, "orig_family": family, "generation": generation,
                       "version": version, "attributes": ISW_CHECKED, **header}, "log": None, "volumes": volumes,
            "disks": [{"serial": s, "total": t, "scsi_id": i, "status": f} for s, t, i, f in disks]}


def isw_vector_map(level, members, strip, stripes, blocks, order, start=0, **fields):
    return {"level": level, "members": members, "strip": strip, "stripes": stripes, "blocks": blocks, "start": start,
            "domains": 1 + (level == 1), "failed": 0xFF, "ddf": 1, "order": order, **fields}


def selftest_isw():
    mdadm = {"power_cycles": 1, "volumes_created": 1}
    def volume(name, size, *maps, **more):
        return {"name": name, "size": size, "maps": list(maps), "status": 0x0C, "number": 1, "rwh": 5, **more}

    a = isw_vector(0xFF55B73B, 464, b"1.0.00",
                   [(b"Y25VXYQE", 160086528, 0, 0x13A), (b"Y25VXZ6E", 160086528, 0x10000, 0x13A)],
                   [volume(b"RAID_Volume1", 320172032, isw_vector_map(0, 2, 256, 625336, 160086016, [0, 1]), status=0,
                           number=0, rwh=0, tid=1)],
                   orig_family=0, error_log_size=4992, attributes=0xC0000000, error_log_pos=2)
    assert isw_record(a) == vector(ISW_VECTOR_A, 0x1E0)
    five = isw_vector_map(5, 3, 128, 192, 26624, [0, 2, 1], failed=1)
    b = isw_vector(0x493FBD8E, 18, b"1.2.02",
                   [(b"P056-0", 65536, 0x3800, 2), (b"P058-2", 65536, 0x3A00, 2), (b"P059-3", 65536, 0x3B00, 2)],
                   [volume(b"Five", 49152, five, {**five, "state": DEGRADED, "order": [0, 2 | ISW_OUT, 1]}, unit=108,
                           migrating=1, migration=REBUILD)],
                   orig_family=0xEA6974D5, creation_time=0x6B0E05F9, **mdadm)
    assert isw_record(b) == vector(ISW_VECTOR_B, 0x250)
    c = isw_vector(0x3E247F99, 5, b"1.1.00",
                   [(isw_marked(b"P045-1", ":0"), 65536, 0x2D00, 6), (b"P044-0", 65536, 0x2C00, 2)],
                   [volume(b"Mirror", 24576,
                           isw_vector_map(1, 2, 128, 96, 26624, [ISW_OUT, 1], failed=0, state=DEGRADED))],
                   creation_time=0x6B0E0597, **mdadm)
    assert isw_record(c) == vector(ISW_VECTOR_C, 0x1E0)
    d = isw_vector(0x4941589C, 5, b"1.3.00", [(b"P036-1", 65536, 0x2400, 2), (b"P035-0", 65536, 0x2300, 2)],
                   [volume(b"Fast", 24576, isw_vector_map(0, 2, 64, 192, 14336, [0, 1])),
                    volume(b"Safe", 12288, isw_vector_map(1, 2, 128, 48, 14336, [0, 1], 20480), number=2)],
                   creation_time=0x6B0E0575, attributes=0x80000003, power_cycles=1, volumes_created=2)
    assert isw_record(d) == vector(ISW_VECTOR_D, 0x288)
    selftest_isw_place(b)
    assert isw_name(0xFF55B73B, b"RAID_Volume1") == "isw_ecidiahfeh_RAID_Volume1"
    assert isw_name(0x98B8E7E0, "Gr\u00f6\u00dfe".encode()) == "isw_cfgccfeibg_Gr____e"
    assert isw_name(0x08B9238D, b"ABCDEFGHIJKLMNOPA") == "isw_begdfajij_ABCDEFGHIJKLMNOP"
    assert isw_serial("S2R6NX0H:7 40146D-XYZ 2") == b"X0H;740146D-XYZ2"
    assert isw_marked(b"X0H;740146D-XYZ2", ":0") == b";740146D-XYZ2:0"


def selftest_isw_place(state):
    """The anchor comes last on the disk, what is more before it."""
    record, disk = isw_record(state), bytearray(SECTOR * 10)
    isw_put(disk, 10, record, SECTOR)
    assert disk[8 * SECTOR:9 * SECTOR] == record[:SECTOR] and disk[7 * SECTOR:].startswith(record[SECTOR:])
    disk = bytearray(SECTOR * 80)
    isw_put(disk, 80, record, 4096)
    assert disk[64 * SECTOR:].startswith(record)
    assert isw_record(state, 4096)[0xE8:0xEC] == struct.pack("<I", 65536 // 8)


def pdc_vector(volume_id, own_id, table, **fields):
    return {"signature": PDC_SIGNATURE, "fixed": 0x20000, "disk_id": own_id, "own_id": own_id, "integrity": 0x80,
            "flags": 7, "rebuild": 0xFFFFFFFF, "generation": 17, "status": 0x8F, "volume_id": volume_id,
            "volume48": volume_id.to_bytes(8, "little")[:6], "heads": 254, "track": 63, "table": pdc_table(table),
            **fields}


def selftest_pdc():
    a_id = 0x00000009717E0521
    a = pdc_vector(0x00000009747F0521, a_id, [(7, 0, 0, 0, a_id)], member_sectors=312581745, members=1, shift=8,
                   width=1, array_number=0, type=0, number=0, channel=0, device=0, total=312368928, cylinders=0x4BF3,
                   label=b"PROMISE Array 1", after_label=b"")
    assert pdc_record(a, "filler") == vector(PDC_VECTOR_1, PDC_SIZE, PDC_FILL["filler"])
    new = {"offset": 0, "activity": 0x03000000, "array_rebuild": (1 << 64) - 1, "magic4": 0x04010101, "sector_size": 1,
           "rebuild_high": 0xFFFFFFFF, "members": 2, "shift": 7, "member_sectors": 4096}
    b = pdc_vector(0x0000000996222733, 0x0000000996232733,
                   [(7, 0, 0, 0, 0x0000000996232733), (7, 0, 1, 0, 0x0100000996202733)],
                   **{**new, "type": 1, "width": 1, "total": 4096, "label": b"LD 1".ljust(32)})
    assert pdc_record(b, "zero") == vector(PDC_VECTOR_2, PDC_SIZE)
    b = pdc_vector(0x0000000997456C9A, 0x0000000997446C9A,
                   [(7, 0, 0, 0, 0x0000000997446C9A), (7, 0, 1, 0, 0x0100000997476C9A)],
                   **{**new, "type": 0, "width": 2, "total": 8192, "offset": 6144, "array_number": 1,
                      "label": b"LD 2".ljust(32)})
    assert pdc_record(b, "zero") == vector(PDC_VECTOR_2B, PDC_SIZE)
    c = pdc_vector(0x0000000982CA8B5C, 0x0200000982C98B5C,
                   [(7, 0, 0, 0, 0x0000000982CB8B5C), (7, 0, 1, 0, 0x0100000982C88B5C),
                    (7, 0, 0, 1, 0x0200000982C98B5C), (7, 0, 1, 1, 0x0300000982CE8B5C)],
                   member_sectors=8129, members=4, shift=7, width=2, type=1, number=2, channel=0, device=1, total=4096,
                   cylinders=0, array_number=0)
    assert pdc_record(c, "filler") == vector(PDC_VECTOR_3, PDC_SIZE, PDC_FILL["filler"])
    assert pdc_name(0x00000009747F0521) == "pdc_bjfeeibeeb"
    assert pdc_last_track(16, 63, 268435455) == 268435377


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
    selftest_isw()
    selftest_pdc()
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
