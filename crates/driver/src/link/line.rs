//! The linker's arguments, in gcc's order: kind of output, start files, directories, inputs,
//! libraries, end files.

use super::LinkItem;
use super::support::{Own, is_gcc_library};
use crate::invocation::{Invocation, LinkKind};
use crate::report::{self, Failed};
use crate::toolchain::Toolchain;
use platform::options::Sanitizers;
use std::ffi::OsString;
use std::path::Path;

/// The whole line without the linker's name.
pub fn arguments(
    inv: &Invocation,
    tools: &Toolchain,
    items: &[LinkItem],
    own: &Own,
    output: &Path,
) -> Result<Vec<OsString>, Failed> {
    let kind = inv.link.kind();
    let mut args = Vec::new();
    add_kind(inv, tools, kind, &mut args);
    push(&mut args, ["-o"]);
    args.push(output.into());
    let start_files = !inv.link.no_stdlib && !inv.link.no_startfiles && kind != LinkKind::Relocatable;
    if start_files {
        add_start_files(inv, tools, kind, own, &mut args)?;
    }
    for dir in tools.search_dirs(inv) {
        let mut text = OsString::from("-L");
        text.push(dir);
        args.push(text);
    }
    args.extend(inv.link.leading.iter().cloned());
    add_memory_checker(inv, tools, kind, &mut args)?;
    add_items(tools, items, own, &mut args);
    if !inv.link.no_stdlib && !inv.link.no_defaultlibs && kind != LinkKind::Relocatable {
        add_libraries(inv, tools, kind, own, &mut args);
    }
    if start_files && let Some(crtn) = tools.find_file(inv, "crtn.o") {
        args.push(crtn.into());
    }
    Ok(args)
}

fn push<const N: usize>(args: &mut Vec<OsString>, words: [&str; N]) {
    args.extend(words.map(OsString::from));
}

fn add_kind(inv: &Invocation, tools: &Toolchain, kind: LinkKind, args: &mut Vec<OsString>) {
    if let Some(root) = &inv.sysroot {
        let mut text = OsString::from("--sysroot=");
        text.push(root);
        args.push(text);
    }
    if kind != LinkKind::Relocatable {
        // A program in memory, with what reports its crashes, is nothing to look up by its id.
        args.extend(inv.link.crash_object.is_none().then(|| "--build-id".into()));
        args.push("--eh-frame-hdr".into());
    }
    push(args, ["-m", "elf_x86_64"]);
    if kind != LinkKind::Relocatable {
        push(args, ["--hash-style=gnu", "--as-needed"]);
    }
    match kind {
        LinkKind::Relocatable => push(args, ["-r"]),
        LinkKind::Shared => push(args, ["-shared"]),
        LinkKind::Static => push(args, ["-static"]),
        LinkKind::StaticPie => push(args, ["-static", "-pie", "--no-dynamic-linker", "-z", "text"]),
        LinkKind::Pie => push(args, ["-dynamic-linker", tools.dynamic_linker(), "-pie"]),
        LinkKind::NoPie => push(args, ["-dynamic-linker", tools.dynamic_linker()]),
    }
    if inv.link.export_dynamic && !matches!(kind, LinkKind::Static | LinkKind::Relocatable) {
        push(args, ["-export-dynamic"]);
    }
    if inv.link.strip {
        push(args, ["-s"]);
    }
}

fn add_start_files(
    inv: &Invocation,
    tools: &Toolchain,
    kind: LinkKind,
    own: &Own,
    args: &mut Vec<OsString>,
) -> Result<(), Failed> {
    for name in tools.start_file(kind, inv.profile).into_iter().chain(["crti.o"]) {
        match tools.find_file(inv, name) {
            Some(path) => args.push(path.into()),
            None => {
                let hint = "is the C library's development package (libc6-dev, musl-dev) installed?";
                return Err(report::error(&inv.program, &format!("cannot find {name}; {hint}")));
            }
        }
    }
    args.extend(own.start_object.iter().map(OsString::from));
    Ok(())
}

/// The library after this is linked although nothing may refer to it.
const NEEDED: [&str; 2] = ["--push-state", "--no-as-needed"];

/// `-fsanitize=address`, `thread` and `leak`: gcc's library before all others, and what starts it
/// first. The library for `address` finds leaks as well.
fn add_memory_checker(
    inv: &Invocation,
    tools: &Toolchain,
    kind: LinkKind,
    args: &mut Vec<OsString>,
) -> Result<(), Failed> {
    let libraries = [
        (Sanitizers::ADDRESS, "address", "asan", inv.link.static_libasan),
        (Sanitizers::THREAD, "thread", "tsan", inv.link.static_libtsan),
        (Sanitizers::LEAK, "leak", "lsan", false),
    ];
    let Some(&(which, name, library, statically)) = libraries.iter().find(|row| inv.options.sanitize.checks(row.0))
    else {
        return Ok(());
    };
    if inv.link.no_stdlib || inv.link.no_defaultlibs || kind == LinkKind::Relocatable {
        return Ok(());
    }
    if which != Sanitizers::LEAK && kind == LinkKind::Static {
        return Err(report::error(&inv.program, &format!("cannot specify -static with -fsanitize={name}")));
    }
    if kind != LinkKind::Shared {
        args.extend(tools.find_file(inv, &format!("lib{library}_preinit.o")).map(OsString::from));
    }
    let library = &*format!("-l{library}");
    if statically {
        if kind != LinkKind::Shared {
            push(args, ["-Bstatic", "--whole-archive", library, "--no-whole-archive", "-Bdynamic"]);
        }
        return Ok(());
    }
    push(args, NEEDED);
    push(args, [library, "--pop-state"]);
    Ok(())
}

fn add_items(tools: &Toolchain, items: &[LinkItem], own: &Own, args: &mut Vec<OsString>) {
    for item in items {
        match item {
            LinkItem::File(path) | LinkItem::Object(path) => args.push(path.into()),
            LinkItem::Argument(text) => args.push(text.clone()),
            // Without gcc, its libraries are what we have in their place.
            LinkItem::Library(name) if tools.gcc_dir.is_none() && is_gcc_library(name) => {
                args.extend(own.archive.iter().map(OsString::from));
            }
            LinkItem::Library(name) => {
                let mut text = OsString::from("-l");
                text.push(name);
                args.push(text);
            }
        }
    }
}

fn add_libraries(inv: &Invocation, tools: &Toolchain, kind: LinkKind, own: &Own, args: &mut Vec<OsString>) {
    let statically = matches!(kind, LinkKind::Static | LinkKind::StaticPie);
    let archive = || own.archive.iter().map(OsString::from);
    let libc = !inv.link.no_libc;
    let sanitize = &inv.options.sanitize;
    if sanitize.checks(Sanitizers::ADDRESS) && inv.link.static_libasan
        || sanitize.checks(Sanitizers::THREAD) && inv.link.static_libtsan
    {
        push(args, ["-lrt", "-ldl", "-lpthread", "-lm"]);
    }
    if inv.options.coverage.counts {
        push(args, ["-lgcov"]);
    }
    if tools.uses_libubsan(inv) {
        push(args, NEEDED);
        push(args, ["-lubsan", "--pop-state"]);
    }
    if inv.link.pthread && libc {
        push(args, ["-lpthread"]);
    }
    if statically {
        push(args, ["--start-group"]);
        args.extend(archive());
        if tools.gcc_dir.is_some() {
            push(args, ["-lgcc", "-lgcc_eh"]);
        }
        if libc {
            push(args, ["-lc"]);
        }
        push(args, ["--end-group"]);
        return;
    }
    for round in 0..2 {
        args.extend(archive());
        if round == 0 && libc && inv.link.crash_object.is_some() {
            // `run` looks there first: mostly nothing is missing then.
            push(args, ["-lc"]);
        }
        add_libgcc(inv, tools, kind, args);
        if round == 0 && libc {
            push(args, ["-lc"]);
        }
    }
}

/// gcc's helper libraries after ours: the archive, then the shared one if something in it is needed
/// (the unwinder).
fn add_libgcc(inv: &Invocation, tools: &Toolchain, kind: LinkKind, args: &mut Vec<OsString>) {
    if tools.gcc_dir.is_some() {
        push(args, ["-lgcc"]);
        if inv.link.static_libgcc == Some(true) {
            push(args, ["-lgcc_eh"]);
        } else if inv.link.static_libgcc == Some(false) && kind == LinkKind::Shared {
            push(args, ["-lgcc_s"]);
        } else {
            push(args, ["--push-state", "--as-needed", "-lgcc_s", "--pop-state"]);
        }
    } else if let Some(path) = tools.find_file(inv, "libgcc_s.so.1") {
        push(args, ["--push-state", "--as-needed"]);
        args.push(path.into());
        push(args, ["--pop-state"]);
    }
}
