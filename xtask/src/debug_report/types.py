# Run by gdb on an object file: what `ptype` and `whatis` say of everything with a name in SOURCE:
# "TYPE name | names | structure", "FUNCTION ...", "VARIABLE ...", and of variables in functions
# "LOCAL function:name ...". One line each.
import gdb

gdb.execute("set pagination off")
gdb.execute("set confirm off")
gdb.execute("set width 0")


def one_line(text):
    return " ".join(text.split())


def described(ty):
    """A type's name, and what it is one step further."""
    target = ty
    if ty.code == gdb.TYPE_CODE_TYPEDEF:
        target = ty.target()
    elif ty.code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY) and ty.target().name is None:
        target = ty.target()
    parts = [str(ty), str(target)]
    if target.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        members = ["%s %s:%d@%d" % (f.type, f.name, f.bitsize, f.bitpos) for f in target.fields()]
        parts.append("; ".join(members))
    elif target.code == gdb.TYPE_CODE_ENUM:
        parts.append("; ".join("%s=%d" % (f.name, f.enumval) for f in target.fields()))
    return one_line(" | ".join(parts))


def own_file(symbol):
    return symbol.symtab is not None and symbol.symtab.filename.endswith(SOURCE)


def is_type(symbol):
    return symbol.addr_class == gdb.SYMBOL_LOC_TYPEDEF


def unit_symbols(symtab, lines):
    for block in (symtab.global_block(), symtab.static_block()):
        for symbol in block:
            if is_type(symbol):
                # Names of basic types depend on what else the unit uses.
                if symbol.line:
                    lines.add("TYPE %s %s" % (symbol.name, described(symbol.type)))
            elif symbol.is_function:
                lines.add("FUNCTION %s %s" % (symbol.name, described(symbol.type)))
            elif own_file(symbol):
                lines.add("VARIABLE %s %s" % (symbol.name, described(symbol.type)))


def local_symbols(symtab, lines):
    seen = set()
    for entry in symtab.linetable():
        block = gdb.block_for_pc(entry.pc)
        while block is not None and not block.is_static and not block.is_global:
            if (block.start, block.end) in seen:
                break
            seen.add((block.start, block.end))
            function = block
            while function.function is None and function.superblock is not None:
                function = function.superblock
            for symbol in block:
                if symbol.is_variable or symbol.is_argument:
                    lines.add("LOCAL %s:%s %s" % (function.function, symbol.name, described(symbol.type)))
            block = block.superblock


def main():
    symtab = gdb.decode_line("%s:1" % SOURCE)[1][0].symtab
    lines = set()
    unit_symbols(symtab, lines)
    local_symbols(symtab, lines)
    for line in sorted(lines):
        print("@" + line)


main()
