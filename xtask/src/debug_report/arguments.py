# Run by gdb on an object file or program: for a breakpoint on each function, which of its arguments
# have a place there. Prints "function argument shown|missing".
import re
import gdb

gdb.execute("set pagination off")
gdb.execute("set breakpoint pending off")
RANGE = re.compile(r"Range (0x[0-9a-f]+)-(0x[0-9a-f]+): (.*)")


def places(pc):
    """What `info scope` says of each symbol, and in which ranges of code."""
    found = {}
    name = None
    for line in gdb.execute("info scope *%d" % pc, to_string=True).splitlines():
        match = re.search(r"(?:^|: {2,}|: *)Symbol (\S+) is (.*)", line)
        if match:
            name = match.group(1)
            found.setdefault(name, []).append(match.group(2))
        elif name is not None:
            found[name].append(line)
    return found


def shown(lines, pc):
    """Whether the description has a place at the address."""
    text = " ".join(lines)
    ranges = [RANGE.search(line) for line in lines]
    ranges = [r for r in ranges if r]
    if not ranges:
        return "optimized out" not in text and "multi-location" not in text
    for r in ranges:
        inside = int(r.group(1), 16) <= pc < int(r.group(2), 16)
        if inside and "optimized out" not in r.group(3):
            return True
    return False


def main(names):
    for name in names:
        try:
            breakpoint = gdb.Breakpoint(name)
        except Exception:
            continue
        for location in breakpoint.locations:
            pc = location.address
            block = gdb.block_for_pc(pc)
            while block is not None and block.function is None:
                block = block.superblock
            if block is None or block.function.name != name:
                continue
            found = places(pc)
            for symbol in block:
                if symbol.is_argument:
                    good = shown(found.get(symbol.name, ["optimized out"]), pc)
                    print("ARG", name, symbol.name, "shown" if good else "missing")
        breakpoint.delete()


main(NAMES)
