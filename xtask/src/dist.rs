//! `cargo xtask dist`: what is installed, as an archive and, where `dpkg-deb` is, as a Debian
//! package: the program, the library with its header, the manual page made by the program, shell
//! completions, documents, and the licences of what is linked in (cargo's list).

use crate::tools::{cargo, flag, has, option, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes `target/dist/tcc-rs-VERSION-x86_64-linux.tar.gz` and `tcc-rs_VERSION_amd64.deb`; `--cc`
/// offers the package's program as an alternative for `cc`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let built = match option(arguments, "--built") {
        Some(folder) => PathBuf::from(folder),
        None => {
            cargo(&["build", "--release", "-p", "tcc-rs", "-p", "tcc-rs-capi"], &[])?;
            let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
            target.join("release")
        }
    };
    let version = version()?;
    let out = root().join("target/dist");
    let name = format!("tcc-rs-{version}-x86_64-linux");
    let tree = out.join(&name);
    drop(fs::remove_dir_all(&tree));
    fill(&built, &tree)?;
    let archive = out.join(format!("{name}.tar.gz"));
    // The same bytes from the same files, whenever it is made.
    let fixed = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"];
    call(Command::new("tar").args(fixed).arg("-C").arg(&out).arg("-czf").arg(&archive).arg(&name).env("GZIP", "-n"))?;
    println!("{}", archive.display());
    if has("dpkg-deb") {
        let package = debian(&tree, &out, &version, flag(arguments, "--cc"))?;
        println!("{}", package.display());
    }
    Ok(())
}

/// The version of the workspace.
fn version() -> Result<String, String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).map_err(|e| e.to_string())?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = "));
    line.map(|text| text.trim_matches('"').to_string()).ok_or("Cargo.toml has no version".into())
}

fn call(command: &mut Command) -> Result<Vec<u8>, String> {
    let shown = format!("{command:?}");
    let output = command.output().map_err(|e| format!("{shown}: {e}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!("{shown}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    write(to, &fs::read(from).map_err(|e| format!("{}: {e}", from.display()))?)?;
    let mode = fs::metadata(from).map_err(|e| e.to_string())?.permissions();
    fs::set_permissions(to, mode).map_err(|e| e.to_string())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = path.parent().ok_or("a path without a folder")?;
    fs::create_dir_all(folder).and_then(|()| fs::write(path, bytes)).map_err(|e| format!("{}: {e}", path.display()))
}

/// Everything at its place below `tree`, which stands for `/usr`.
fn fill(built: &Path, tree: &Path) -> Result<(), String> {
    let program = built.join("tcc-rs");
    copy(&program, &tree.join("bin/tcc-rs"))?;
    for name in ["libtccrs.so", "libtccrs.a"] {
        copy(&built.join(name), &tree.join("lib").join(name))?;
    }
    copy(&root().join("crates/capi/include/libtcc.h"), &tree.join("include/tcc-rs/libtcc.h"))?;
    let manual = call(Command::new(&program).arg("--help=manual"))?;
    write(&tree.join("share/man/man1/tcc-rs.1"), &manual)?;
    let completions = root().join("dist/completions");
    copy(&completions.join("tcc-rs.bash"), &tree.join("share/bash-completion/completions/tcc-rs"))?;
    copy(&completions.join("_tcc-rs"), &tree.join("share/zsh/vendor-completions/_tcc-rs"))?;
    copy(&completions.join("tcc-rs.fish"), &tree.join("share/fish/vendor_completions.d/tcc-rs.fish"))?;
    let documents = tree.join("share/doc/tcc-rs");
    for name in ["README.md", "CHANGELOG.md"] {
        copy(&root().join(name), &documents.join(name))?;
    }
    for entry in fs::read_dir(root().join("docs")).map_err(|e| e.to_string())?.flatten() {
        if entry.path().is_file() {
            copy(&entry.path(), &documents.join("docs").join(entry.file_name()))?;
        }
    }
    write(&documents.join("copyright"), licences()?.as_bytes())
}

/// Our licence and that of each crate that is part of the program.
fn licences() -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree =
        ["tree", "--offline", "-p", "tcc-rs", "-p", "tcc-rs-capi", "-e", "normal", "--prefix=none", "-f", "{p}: {l}"];
    let listed = call(Command::new(cargo).args(tree).current_dir(root()))?;
    let listed = String::from_utf8_lossy(&listed);
    let mut crates: Vec<&str> = listed
        .lines()
        .filter(|line| line.contains(": ") && !line.contains("tcc-rs"))
        .map(|line| line.trim_end_matches(" (*)"))
        .collect();
    crates.sort_unstable();
    crates.dedup();
    Ok(format!(
        "tcc-rs is licensed under MIT or Apache-2.0, at your choice.\n\nParts of other projects, and their licences:\n\n{}\n",
        crates.join("\n")
    ))
}

/// The Debian package; the header and the library are where the archive has them, below `/usr`.
fn debian(tree: &Path, out: &Path, version: &str, offers_cc: bool) -> Result<PathBuf, String> {
    let folder = out.join("debian");
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    call(Command::new("cp").arg("-r").arg(tree).arg(folder.join("usr")))?;
    let documents = folder.join("usr/share/doc/tcc-rs");
    fs::rename(documents.join("CHANGELOG.md"), documents.join("changelog")).map_err(|e| e.to_string())?;
    let packed = [documents.join("changelog"), folder.join("usr/share/man/man1/tcc-rs.1")];
    call(Command::new("gzip").arg("-9n").args(packed))?;
    let control = format!(
        "Package: tcc-rs\nVersion: {version}\nArchitecture: amd64\nSection: devel\nPriority: optional\n\
         Maintainer: tcc-rs <tcc-rs@localhost>\nDepends: libc6, libgcc-s1\nRecommends: libc6-dev\nSuggests: binutils\n\
         Description: C compiler with gcc's command line\n A quick C compiler for x86-64 with an optimiser, a linker and a library for\n \
         programs that have a compiler inside.\n"
    );
    write(&folder.join("DEBIAN/control"), control.as_bytes())?;
    if offers_cc {
        let add = "#!/bin/sh\nset -e\nupdate-alternatives --install /usr/bin/cc cc /usr/bin/tcc-rs 10\n";
        let remove = "#!/bin/sh\nset -e\nupdate-alternatives --remove cc /usr/bin/tcc-rs\n";
        for (name, text) in [("postinst", add), ("prerm", remove)] {
            let script = folder.join("DEBIAN").join(name);
            write(&script, text.as_bytes())?;
            call(Command::new("chmod").arg("755").arg(&script))?;
        }
    }
    let package = out.join(format!("tcc-rs_{version}_amd64.deb"));
    call(Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(&folder).arg(&package))?;
    Ok(package)
}
