//! What the tests share: a scratch directory, tools, and the contents of objects as text.

use std::{collections::BTreeMap, path::PathBuf, process::Command};

/// A directory that goes away with the value.
pub struct Dir(pub PathBuf);

impl Dir {
    pub fn new(name: &str) -> Dir {
        let dir = std::env::temp_dir().join(format!("tcc-rs-files-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        Dir(dir)
    }

    pub fn run(&self, program: &str, args: &[&str]) -> String {
        let output = Command::new(program).args(args).current_dir(&self.0).output().expect(program);
        assert!(output.status.success(), "{program} {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Contents of every section that matters, by name, as text of readelf.
pub fn contents(dir: &Dir, file: &str) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let headers = dir.run("readelf", &["-SW", file]);
    for line in headers.lines() {
        let Some((_, rest)) = line.split_once("] ") else { continue };
        let mut words = rest.split_whitespace();
        let (Some(name), Some(kind)) = (words.next(), words.next()) else { continue };
        let size = rest.split_whitespace().nth(4).unwrap_or("").to_string();
        let flags = rest.split_whitespace().nth(6).unwrap_or("").to_string();
        if !name.starts_with('.') || ["STRTAB", "SYMTAB", "RELA", "NULL"].contains(&kind) || size == "000000" {
            continue;
        }
        let dump = dir.run("readelf", &["-x", name, file]);
        let dump: String = dump.lines().filter(|l| l.starts_with("  0x")).map(|l| l.to_string() + "\n").collect();
        out.insert(name.to_string(), format!("{kind} {size} {flags}\n{dump}"));
    }
    out
}

/// Relocations as (section, offset, type, symbol + addend).
pub fn relocations(dir: &Dir, file: &str) -> Vec<String> {
    let text = dir.run("objdump", &["-r", file]);
    let mut section = String::new();
    let mut out = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("RELOCATION RECORDS FOR ") {
            section = rest.to_string();
        } else if line.contains("R_X86_64") {
            out.push(format!("{section} {}", line.split_whitespace().collect::<Vec<_>>().join(" ")));
        }
    }
    out.sort();
    out
}

/// Global symbols: name, type, binding, visibility, defined or not.
pub fn symbols(dir: &Dir, file: &str) -> Vec<String> {
    let text = dir.run("readelf", &["-sW", file]);
    let mut out: Vec<String> = text
        .lines()
        // `as` names the GOT where relocations go through it; the linker does not need that.
        .filter(|line| !line.contains("_GLOBAL_OFFSET_TABLE_"))
        .filter(|line| line.contains(" GLOBAL ") || line.contains(" WEAK ") || line.contains(" FUNC "))
        .map(|line| {
            line.split_whitespace()
                .skip(1)
                .filter(|w| w.parse::<u32>().is_err() || w.len() > 8)
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    out.sort();
    out
}

/// A C program with a bit of everything.
pub const PROGRAM: &str = r#"
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
struct node { struct node *next; int key; double weight; char name[24]; };
static struct node *table[64];
__thread int per_thread = 3;
static __thread long zeroed;
int common_like, initialised = 5;
const char *const names[] = { "alpha", "beta", "gamma" };
static const double factors[] = { 1.5, -2.25, 1e300 };
static int helper(int x) { return x * 31 + initialised; }
__attribute__((noinline)) static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 ^ (unsigned char)*s++; return h; }
struct node *insert(const char *name, int key, double w) {
    unsigned h = hash(name) & 63;
    struct node *n = malloc(sizeof *n);
    if (!n) abort();
    strncpy(n->name, name, sizeof n->name - 1); n->name[sizeof n->name - 1] = 0;
    n->key = helper(key); n->weight = w * factors[key % 3]; n->next = table[h]; table[h] = n;
    per_thread++; zeroed += key;
    return n;
}
long classify(int c, long double ld) {
    switch (c) {
    case 0: return 10; case 1: return 23; case 2: return (long)ld; case 3: return zeroed; case 4: return 99;
    case 5: return common_like; case 6: puts("six"); return 6; case 7: return -c; case 100: return 1; }
    return (long)(ld * 3.0L);
}
__attribute__((weak)) int maybe(void) { return 1; }
__attribute__((constructor)) static void setup(void) { initialised = maybe(); }
int main(int argc, char **argv) {
    float total = 0;
    for (int i = 0; i < argc; i++) { struct node *n = insert(argv[i], i, i / 3.0); total += n->weight; printf("%s %d %g %s\n", n->name, n->key, n->weight, names[i % 3]); }
    return classify(argc, total) > 0;
}
"#;
