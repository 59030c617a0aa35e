//! `cargo xtask projects`: real programs, built by their own build files with `CC=tcc-rs`, judged by their own tests.
//!
//! Sources are not part of this repository: `--path DIR` (or `TCC_RS_PROJECTS`) names a directory with one folder per project. What is
//! missing is said, with the place to get it from.

use crate::tools::{compiler, names, option, run as run_process, work_dir};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// One project: how it is built and what proves that it works, as shell commands run in a copy of its source. `$CC` is the compiler.
struct Project {
    name: &'static str,
    /// Where its source comes from.
    origin: &'static str,
    steps: &'static [&'static str],
}

const LIMIT: Duration = Duration::from_secs(1800);

#[rustfmt::skip]
const PROJECTS: &[Project] = &[
    Project { name: "zlib", origin: "github.com/madler/zlib", steps: &[
        "./configure --static && make -j2 && make test",
        "make distclean; ./configure && make -j2 && make test",
        "make distclean; CFLAGS='-O2 -fPIE -pie' ./configure --static && make -j2 && make test",
    ] },
    Project { name: "bzip2", origin: "sourceware.org/bzip2", steps: &[
        "make -j2 CC=\"$CC\" CFLAGS='-O2 -D_FILE_OFFSET_BITS=64' bzip2 && make CC=\"$CC\" check",
        "make clean; make -j2 CC=\"$CC\" CFLAGS='-O2 -D_FILE_OFFSET_BITS=64' LDFLAGS=-static bzip2 && make CC=\"$CC\" check",
        "make clean; make -f Makefile-libbz2_so CC=\"$CC\"",
    ] },
    Project { name: "lz4", origin: "github.com/lz4/lz4", steps: &[
        "make -j2 CC=\"$CC\" CFLAGS=-O2 && make -C tests CC=\"$CC\" CFLAGS=-O2 test-lz4-essentials test-fuzzer FUZZER_TIME=-T20s NB_LOOPS=-i1",
        "make clean; make -j2 CC=\"$CC\" CFLAGS=-O2 LDFLAGS=-static lz4 && echo some text | ./lz4 -c | ./lz4 -dc",
    ] },
    Project { name: "zstd", origin: "github.com/facebook/zstd", steps: &[
        "make -j2 CC=\"$CC\" CFLAGS=-O2 zstd && ./zstd -b1 -e3 -i1 README.md",
        "make -C tests -j2 CC=\"$CC\" CFLAGS=-O2 fuzzer && ./tests/fuzzer -T60s",
        "make -C lib -j2 CC=\"$CC\" CFLAGS=-O2 libzstd",
    ] },
    Project { name: "lua", origin: "www.lua.org/ftp (lua-5.4, with lua-5.4-tests in its folder tests)", steps: &[
        "make -C src -j2 CC=\"$CC -std=gnu99\" CFLAGS='-O2 -DLUA_USE_LINUX' MYLIBS='-Wl,-E -ldl' all",
        "if [ -d tests ]; then cd tests && ../src/lua -e _U=true all.lua; else src/lua -e 'print(string.rep(\"ok \", 3))'; fi",
        "make -C src clean; make -C src -j2 CC=\"$CC -std=gnu99 -static\" CFLAGS='-O2 -DLUA_USE_POSIX' all && src/lua -e 'print(math.pi)'",
    ] },
    Project { name: "sqlite", origin: "www.sqlite.org (the amalgamation)", steps: &[
        "$CC -O2 shell.c sqlite3.c -o sqlite3 -lm -lpthread -ldl",
        "gcc -O2 shell.c sqlite3.c -o sqlite3-gcc -lm -lpthread -ldl",
        "printf '%s\\n' \
            'create table t(a integer primary key, b text, c real);' \
            'with recursive n(i) as (select 1 union all select i+1 from n where i<20000) insert into t select i, printf(\"%x\", i*7919 % 65537), i/7.0 from n;' \
            'create index tb on t(b);' \
            'select count(*), sum(c), max(b), min(b) from t;' \
            'select a.b, count(*), avg(b.c) from t a join t b on a.b = b.b group by a.b order by 2 desc, 1 limit 20;' \
            'update t set c = c * 2 where a % 3 = 0; delete from t where a % 5 = 0;' \
            'select total(c), group_concat(b) from (select b, c from t order by c desc limit 30);' \
            'pragma integrity_check;' > script.sql; \
         ./sqlite3 :memory: < script.sql > out.own && ./sqlite3-gcc :memory: < script.sql > out.gcc && cmp out.own out.gcc",
        "$CC -O2 -fPIC -shared sqlite3.c -o libsqlite3.so -lm -lpthread -ldl && $CC -O2 shell.c ./libsqlite3.so -o shared -lm && ./shared :memory: 'select sqlite_version();'",
        "$CC -O2 -static shell.c sqlite3.c -o static -DSQLITE_OMIT_LOAD_EXTENSION -lm -lpthread && ./static :memory: 'select 6*7;'",
    ] },
];

/// Build and test the projects named, or all of them.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let path = option(arguments, "--path").or_else(|| std::env::var("TCC_RS_PROJECTS").ok());
    let wanted = names(arguments);
    let chosen: Vec<&Project> =
        PROJECTS.iter().filter(|p| wanted.is_empty() || wanted.iter().any(|w| w == p.name)).collect();
    let Some(path) = path else {
        let list: Vec<String> = chosen.iter().map(|p| format!("{} from {}", p.name, p.origin)).collect();
        return Err(format!(
            "--path DIR (or TCC_RS_PROJECTS) must hold the sources, a folder each: {}",
            list.join(", ")
        ));
    };
    let compiler = compiler()?;
    let dir = work_dir("projects")?;
    let mut failed = Vec::new();
    for project in chosen {
        match find_source(Path::new(&path), project.name) {
            None => println!("{}: no source in {path}; get it from {}", project.name, project.origin),
            Some(source) => {
                if let Err(why) = build(project, &source, &dir.join(project.name), &compiler) {
                    println!("{}: FAILED {why}", project.name);
                    failed.push(project.name);
                } else {
                    println!("{}: ok", project.name);
                }
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

/// The folder of that name, or with a version after it.
fn find_source(path: &Path, name: &str) -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(path).ok()?.flatten().map(|e| e.path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders.into_iter().find(|p| {
        let folder = p.file_name().unwrap_or_default().to_string_lossy().into_owned();
        folder == name || folder.strip_prefix(name).is_some_and(|rest| rest.starts_with(['-', '_', '.']))
    })
}

fn build(project: &Project, source: &Path, copy: &Path, compiler: &Path) -> Result<(), String> {
    let copied = Command::new("cp").arg("-r").arg(source).arg(copy).status().map_err(|e| e.to_string())?;
    if !copied.success() {
        return Err("cannot copy the source".to_string());
    }
    for step in project.steps {
        let mut shell = Command::new("sh");
        shell.args(["-c", step]).current_dir(copy).env("CC", compiler).env("CFLAGS", "-O2");
        let outcome = run_process(&mut shell, LIMIT)?;
        if !outcome.ok() {
            let text = [outcome.stdout, outcome.stderr].concat();
            let text = String::from_utf8_lossy(&text).into_owned();
            let tail: Vec<&str> = text.lines().rev().take(15).collect();
            let tail: Vec<&str> = tail.into_iter().rev().collect();
            return Err(format!("in `{step}`:\n{}", tail.join("\n")));
        }
    }
    Ok(())
}
