//! `cargo xtask dist`: what is installed, as an archive and, where `dpkg-deb` and `strip` are, as a
//! Debian package: the program, the library with its header, the manual page made by the program, shell
//! completions, documents, and the licences of what is linked in (cargo's list).

use crate::tools::{cargo, flag, has, option, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes `target/dist/tcc-rs-VERSION-x86_64-linux.tar.gz` and `tcc-rs_VERSION-1_amd64.deb`; `--cc`
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
    if has("dpkg-deb") && has("strip") {
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
    Ok(format!("{LICENCE}\nParts of other projects, and their licences:\n\n{}\n", crates.join("\n")))
}

const LICENCE: &str = "\
Copyright 2026 the authors of tcc-rs.

tcc-rs is licensed under the Apache License 2.0 (on Debian systems in /usr/share/common-licenses/Apache-2.0) or,
at your choice, under the MIT licence:

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the \"Software\"), to deal in the Software without restriction, including without limitation
the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
";

/// Where libraries are for Debian.
const LIBRARIES: &str = "usr/lib/x86_64-linux-gnu";
const SHARED: &str = "libtccrs.so";
/// What lintian says of the package that is as it is meant to be.
const OVERRIDES: &str = "\
# At a fixed address the program has nothing to relocate: it is started for every file of a build.
tcc-rs binary: hardening-no-pie *
# Rust's library has its own checks.
tcc-rs binary: hardening-no-fortify-functions *
# Program and library are made together and have one version.
tcc-rs binary: package-name-doesnt-match-sonames *
tcc-rs binary: lacks-unversioned-link-to-shared-library *
tcc-rs binary: shlib-without-versioned-soname *
# No bug of a distribution is closed by the first package.
tcc-rs binary: initial-upload-closes-no-bugs *
";

/// The Debian package: below `/usr`, without the names that only tools need.
fn debian(tree: &Path, out: &Path, version: &str, offers_cc: bool) -> Result<PathBuf, String> {
    let folder = out.join("debian");
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let usr = folder.join("usr");
    call(Command::new("cp").arg("-r").arg(tree).arg(&usr))?;
    let libraries = folder.join(LIBRARIES);
    fs::create_dir_all(&libraries).map_err(|e| e.to_string())?;
    for name in [SHARED, "libtccrs.a"] {
        fs::rename(usr.join("lib").join(name), libraries.join(name)).map_err(|e| e.to_string())?;
    }
    let stripped = ["--strip-unneeded", "--remove-section=.comment", "--remove-section=.note"];
    call(Command::new("strip").args(stripped).args([usr.join("bin/tcc-rs"), libraries.join(SHARED)]))?;
    call(Command::new("strip").args(["-D", "--strip-debug"]).arg(libraries.join("libtccrs.a")))?;
    let documents = usr.join("share/doc/tcc-rs");
    fs::rename(documents.join("CHANGELOG.md"), documents.join("changelog")).map_err(|e| e.to_string())?;
    write(&documents.join("changelog.Debian"), changelog(version)?.as_bytes())?;
    let packed = ["changelog", "changelog.Debian"].map(|name| documents.join(name));
    call(Command::new("gzip").arg("-9n").args(packed).arg(usr.join("share/man/man1/tcc-rs.1")))?;
    write(&usr.join("share/lintian/overrides/tcc-rs"), OVERRIDES.as_bytes())?;
    let size = call(Command::new("du").args(["-sk", "--apparent-size"]).arg(&usr))?;
    let size = String::from_utf8_lossy(&size).split_whitespace().next().unwrap_or("0").to_string();
    let control = format!(
        "Package: tcc-rs\nVersion: {version}-1\nArchitecture: amd64\nSection: devel\nPriority: optional\n\
         Maintainer: {MAINTAINER}\nInstalled-Size: {size}\nDepends: libc6 (>= 2.34), libgcc-s1\n\
         Recommends: libc6-dev\nSuggests: binutils\n\
         Description: C compiler with gcc's command line\n A quick compiler for C89 to C23 and GNU C on x86-64, with an optimising middle\n \
         end, an assembler and a linker of its own. It runs C programs as scripts, shows\n \
         what it does with them, and is a library, too, with libtcc's interface.\n"
    );
    write(&folder.join("DEBIAN/control"), control.as_bytes())?;
    write(&folder.join("DEBIAN/triggers"), b"activate-noawait ldconfig\n")?;
    if offers_cc {
        let add = "#!/bin/sh\nset -e\nupdate-alternatives --install /usr/bin/cc cc /usr/bin/tcc-rs 10\n";
        let remove = "#!/bin/sh\nset -e\nupdate-alternatives --remove cc /usr/bin/tcc-rs\n";
        for (name, text) in [("postinst", add), ("prerm", remove)] {
            let script = folder.join("DEBIAN").join(name);
            write(&script, text.as_bytes())?;
            call(Command::new("chmod").arg("755").arg(&script))?;
        }
    }
    call(Command::new("chmod").args(["-R", "u+rwX,go+rX,go-w"]).arg(&folder))?;
    call(Command::new("chmod").arg("644").arg(libraries.join(SHARED)))?;
    let sums =
        "cd \"$0\" && find usr -type f | LC_ALL=C sort | xargs md5sum > DEBIAN/md5sums && chmod 644 DEBIAN/md5sums";
    call(Command::new("sh").args(["-c", sums]).arg(&folder))?;
    let package = out.join(format!("tcc-rs_{version}-1_amd64.deb"));
    call(Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(&folder).arg(&package))?;
    Ok(package)
}

const MAINTAINER: &str = "The authors of tcc-rs <tcc-rs@users.noreply.github.com>";

/// Debian's own list of changes; the time is that of the last commit.
fn changelog(version: &str) -> Result<String, String> {
    let time = call(Command::new("git").args(["log", "-1", "--format=%cD"]).current_dir(root()))?;
    let time = String::from_utf8_lossy(&time).trim().to_string();
    // Days have two digits there.
    let time = match time.split_once(", ") {
        Some((day, rest)) if rest.as_bytes().get(1) == Some(&b' ') => format!("{day}, 0{rest}"),
        _ => time,
    };
    Ok(format!(
        "tcc-rs ({version}-1) unstable; urgency=medium\n\n  * Made from the sources by \"cargo xtask dist\"; see changelog.gz.\n\n -- {MAINTAINER}  {time}\n"
    ))
}
