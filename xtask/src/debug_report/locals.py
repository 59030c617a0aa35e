# Run by gdb on a program: stops once at each of LINES of FILE (at COUNT lines with code if there are
# none given), or HITS times at all places of each line, and prints the arithmetic variables of the frame with their values:
# "LINE number", then "VALUE number name value", where the value may be "missing".
import gdb

gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set width 0")
ARITHMETIC = (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_FLT, gdb.TYPE_CODE_BOOL, gdb.TYPE_CODE_CHAR, gdb.TYPE_CODE_ENUM)


def lines_with_code():
    symtab = gdb.lookup_global_symbol("main").symtab
    lines = sorted(set(symtab.linetable().source_lines()))
    step = max(1, len(lines) // COUNT)
    return lines[::step]


def shown(symbol, frame):
    try:
        value = symbol.value(frame)
        return "missing" if value.is_optimized_out else value.format_string(format="x" if is_integer(symbol) else "f")
    except gdb.error:
        return "missing"


def is_integer(symbol):
    return symbol.type.strip_typedefs().code != gdb.TYPE_CODE_FLT


def report(line):
    frame = gdb.selected_frame()
    block = frame.block()
    seen = set()
    print("LINE", line)
    while block is not None:
        for symbol in block:
            plain = symbol.is_variable or symbol.is_argument
            if not plain or symbol.addr_class == gdb.SYMBOL_LOC_STATIC or symbol.name in seen:
                continue
            seen.add(symbol.name)
            if symbol.type.strip_typedefs().code in ARITHMETIC and symbol.line < line:
                print("VALUE", line, symbol.name, shown(symbol, frame))
        if block.function is not None:
            break
        block = block.superblock


def places(table, line):
    """Breakpoints on a line: where a debugger puts its own, or on all code of the line."""
    if HITS == 1:
        return [gdb.Breakpoint("%s:%d" % (FILE, line))]
    entries = table.line(line) or ()
    return [gdb.Breakpoint("*%d" % pc) for pc in sorted(set(entry.pc for entry in entries))]


def main():
    wanted = {}
    hits = {}
    table = gdb.lookup_global_symbol("main").symtab.linetable()
    for line in LINES or lines_with_code():
        for breakpoint in places(table, line):
            at = [gdb.find_pc_line(location.address).line for location in breakpoint.locations]
            if line in at:
                wanted[breakpoint.number] = (breakpoint, line)
            else:
                breakpoint.delete()
    gdb.execute("run < /dev/null > /dev/null 2>&1", to_string=True)
    while gdb.selected_inferior().pid != 0 and wanted:
        pc = gdb.selected_frame().pc()
        here = [n for n, (b, _) in wanted.items() if any(l.address == pc for l in b.locations)]
        if not here:
            break
        for number in here:
            breakpoint, line = wanted[number]
            report(line)
            hits[number] = hits.get(number, 0) + 1
            if hits[number] == HITS:
                wanted.pop(number)
                breakpoint.delete()
        if wanted:
            gdb.execute("continue", to_string=True)
    if gdb.selected_inferior().pid != 0:
        gdb.execute("kill", to_string=True)


main()
