# SPDX-License-Identifier: GPL-2.0-or-later
"""Disks of firmware arrays that hold given bytes. The records are those of tests/generate.py."""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
import generate as g  # noqa: E402

SECTOR = 512
MIB = 2048  # sectors


def partitioned(file_system):
    """One DOS partition from 1 MiB on, and 1 MiB more."""
    count = len(file_system) // SECTOR
    table = bytearray(SECTOR)
    table[446:462] = struct.pack("<B3sB3sII", 0, b"\0\2\0", 0x83, b"\xff\xff\xff", MIB, count)
    table[510:] = b"\x55\xaa"
    return bytes(table) + bytes((MIB - 1) * SECTOR) + file_system + bytes(MIB * SECTOR)


def members(shape, data, size):
    """Disks of `size` sectors with the array from sector 0 on."""
    disks = [bytearray(size * SECTOR) for _ in range(shape.slots)]
    g.lay(shape, data, disks)
    return disks


def put(disk, back, record):
    at = len(disk) - back * SECTOR
    disk[at:at + len(record)] = record


def per_member(data, wide):
    return len(data) // SECTOR // wide


def nvidia(level, data):
    wide, total = {"mirror": (1, 2), "stripe": (2, 2)}[level]
    sectors = len(data) // SECTOR
    shape = g.Shape("raid1", 2, 0, sectors) if level == "mirror" else g.Shape("raid0", 2, 128, sectors)
    disks = members(shape, data, per_member(data, wide) + 1000)
    identity = struct.pack("<4I", 0x11111111, 0x22222222, 0x01020304, 0x0A0B0C0D)
    for unit, disk in enumerate(disks):
        fields = g.nvidia_fields(g.NVIDIA_LEVELS[level], wide, total, 128, sectors, id=identity, unit=unit)
        put(disk, 2, g.nvidia_record(fields))
    return g.nvidia_name(identity), {f"NV{unit}": disk for unit, disk in enumerate(disks)}


def sil_mirror(data, generations=(5, 5)):
    sectors = len(data) // SECTOR
    size = sectors + g.SIL_KEPT + 100
    disks = members(g.Shape("raid1", 2, 0, sectors), data, size)
    created = bytes((0x11, 0x22, 0x13, 0x14, 0x05, 0x06))
    for number, disk in enumerate(disks):
        fields = {**g.sil_drive(f"SIL{number}", size), "identify_sum": 0x5AA5, "array_sectors": sectors,
                  "product": 0x3112, "vendor": 0x1095, "minor": 0, "major": 2, "created": created, "stride": 16,
                  "disk_number": number, "type": g.SIL_TYPES["mirror"], **g.sil_counts("mirror", 2),
                  "rebuild_lba": 0, "generation": generations[number], "disk_status": 1, "set_status": 0,
                  "disk_location": number, "name": b"Mirror"}
        for back in g.SIL_COPIES:
            put(disk, back, g.sil_record(fields))
    return g.sil_name(created), {f"SIL{number}": disk for number, disk in enumerate(disks)}


def isw_volume(name, level, slots, chunk, data, start):
    """(the volume's record, its shape, sectors of each member)"""
    kind = {"raid0": "raid0", "raid1": "raid1", "raid5": "raid5", "raid10": "raid10"}[level]
    sectors, copies = len(data) // SECTOR, 2 if level in ("raid1", "raid10") else 1
    layout = "left-asymmetric" if level == "raid5" else None
    shape = g.Shape(kind, slots, 0 if level == "raid1" else chunk, sectors, layout)
    per = sectors if level == "raid1" else sectors // g.columns(shape)
    one = {"start": start, "blocks": per + g.ISW_TAIL, "stripes": per // (chunk * copies), "strip": chunk,
           "state": g.NORMAL, "members": slots, "domains": copies, "failed": 0xFF, "level": g.ISW_LEVELS[level],
           "ddf": 1, "order": list(range(slots))}
    return {"name": name, "size": sectors, "status": 0x0C, "number": 1, "rwh": 0, "fs_state": 0xFF,
            "maps": [one]}, shape, per


def isw(slots, *volumes, serial="ISW"):
    """volumes: (name, level, chunk, data), one behind the other."""
    family, start, records, parts = 0x98B8E7E0, 0, [], []
    for name, level, chunk, data in volumes:
        record, shape, per = isw_volume(name, level, slots, chunk, data, start)
        records.append(record)
        parts.append((start, shape, data, per))
        start += per + 4096
    size = start + 4096
    disks = [bytearray(size * SECTOR) for _ in range(slots)]
    for at, shape, data, per in parts:
        areas = [bytearray(per * SECTOR) for _ in range(slots)]
        g.lay(shape, data, areas)
        for disk, area in zip(disks, areas):
            disk[at * SECTOR:at * SECTOR + len(area)] = area
    state = {"header": {"signature": g.ISW_SIGNATURE, "family": family, "orig_family": family, "generation": 7,
                        "attributes": g.ISW_CHECKED, "volumes_created": len(volumes)},
             "disks": [{"serial": f"{serial}{i}".encode(), "total": size, "scsi_id": i << 16, "status": 0x13A}
                       for i in range(slots)],
             "volumes": records, "log": None}
    state["header"]["version"] = g.isw_version(state)
    for disk in disks:
        g.isw_put(disk, size, g.isw_record(state), SECTOR)
    names = [g.isw_name(family, name) for name, *_ in volumes]
    return names, {f"{serial}{i}": disk for i, disk in enumerate(disks)}


def plain(data, name="DATA"):
    """A disk of no array."""
    return {name: bytearray(data) + bytearray(3000 * SECTOR)}


def half_of_a_stripe(data, name="LEFT"):
    """A disk with a file system of its own, and the record of a stripe whose other disk is long gone."""
    disk = plain(data, name)[name]
    fields = g.nvidia_fields(g.NVIDIA_LEVELS["stripe"], 2, 2, 128, 2 * (len(disk) // SECTOR // 128 - 1) * 128,
                             id=struct.pack("<4I", 5, 6, 7, 8), unit=1)
    put(disk, 2, g.nvidia_record(fields))
    return {name: disk}
