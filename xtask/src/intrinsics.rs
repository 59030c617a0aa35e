//! `cargo xtask intrinsics`: every intrinsic function of our headers, called on random inputs in a
//! program that gcc and this compiler build; the results must be the same bits.
//!
//! The functions are found in `runtime/include`: `MACRO type name(parameters) {`, where the macro's
//! `target` attribute says what the processor must have. Parameters named `__imm` are constants and
//! get several values each. Each function makes one hash of all its results; NaNs count as one
//! value, as the operand they are taken from is the compiler's choice.

use crate::report::Report;
use crate::tools::{compiler, has, option, root, run as run_process, work_dir};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const COMPILE_LIMIT: Duration = Duration::from_secs(600);
const RUN_LIMIT: Duration = Duration::from_secs(600);

/// Headers with functions to test.
const HEADERS: &[&str] = &[
    "mmintrin.h",
    "xmmintrin.h",
    "emmintrin.h",
    "pmmintrin.h",
    "tmmintrin.h",
    "smmintrin.h",
    "nmmintrin.h",
    "wmmintrin.h",
    "shaintrin.h",
    "popcntintrin.h",
    "lzcntintrin.h",
    "bmiintrin.h",
    "bmi2intrin.h",
    "adxintrin.h",
    "avxintrin.h",
    "avx2intrin.h",
    "fmaintrin.h",
    "f16cintrin.h",
    EXPANDED,
];

/// Its functions are made by macros: what the preprocessor gives is read.
const EXPANDED: &str = "avx512intrin.h";
/// How its functions begin, and what processor and gcc must have for them.
const EXPANDED_START: &str = "static __inline __attribute__((__always_inline__, __artificial__, __target__(\"avx2\")))";
const EXPANDED_MARK: &str = "#define __AVX512_FN static __inline __attribute__((__target__(\"avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vnni,avx512vbmi,avx512vpopcntdq\")))";

/// Not functions of their operands: machine state, memory that is kept out of the cache, undefined
/// values.
const PASSED_OVER: &[&str] = &[
    "_mm_undefined",
    "_mm256_undefined",
    "_mm_getcsr",
    "_mm_setcsr",
    "_mm_malloc",
    "_mm_free",
    "_mm_monitor",
    "_mm_mwait",
    "_mm_clflush",
    "_mm_lfence",
    "_mm_mfence",
    "_mm_sfence",
    "_mm_pause",
    "_mm_empty",
    "_m_empty",
    "_mm_prefetch",
    "_MM_",
    "_mm256_zero",
    // The upper lanes are undefined.
    "_mm256_castps128",
    "_mm256_castpd128",
    "_mm256_castsi128",
    "_mm512_undefined",
    // Not gcc's.
    "__mask_",
    "_mm_and_epi",
    "_mm_andnot_epi",
    "_mm256_and_epi",
    "_mm256_andnot_epi",
];

struct Function {
    name: String,
    returns: String,
    parameters: Vec<(String, String)>,
    needs: String,
}

/// `--only PART`: functions whose names contain it; `--count N`: inputs each; `--flags "-mavx2
/// ..."`: for this compiler.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    if !has("gcc") {
        return Err("gcc is not installed".to_string());
    }
    let count = option(arguments, "--count").and_then(|v| v.parse::<u32>().ok()).unwrap_or(1000);
    let only = option(arguments, "--only").unwrap_or_default();
    let flags = option(arguments, "--flags").unwrap_or_default();
    let compiler = compiler()?;
    let dir = work_dir("intrinsics")?;
    let (mut agree, mut wrong, mut lacking) = (0, Vec::new(), Vec::new());
    for header in HEADERS {
        let path = root().join("runtime/include").join(header);
        let Ok(mut text) = std::fs::read_to_string(&path) else { continue };
        if *header == EXPANDED {
            text = expanded(&compiler, &path)?;
        }
        let functions: Vec<Function> = functions(&text).into_iter().filter(|f| f.name.contains(&only)).collect();
        if functions.is_empty() {
            continue;
        }
        let source = dir.join("case.c");
        std::fs::write(&source, program(&functions, count)).map_err(|e| format!("{}: {e}", source.display()))?;
        let reference = results(Path::new("gcc"), &["-O1"], &source, &dir)?;
        for level in ["-O0", "-O1", "-O2"] {
            let mut options = vec![level];
            options.extend(flags.split_ascii_whitespace());
            let ours = results(&compiler, &options, &source, &dir)?;
            for (name, hash) in &reference {
                match ours.get(name) {
                    Some(other) if other == hash => {}
                    other => wrong.push(format!("{name} at {level}: gcc {hash}, here {other:?}")),
                }
            }
        }
        agree += reference.values().filter(|v| *v != "lacking").count();
        lacking.extend(reference.into_iter().filter(|(_, v)| v == "lacking").map(|(name, _)| name));
    }
    wrong.iter().for_each(|line| println!("{line}"));
    if !lacking.is_empty() {
        println!("this processor lacks what these need: {}", lacking.join(" "));
    }
    println!("{agree} functions compared on {count} inputs each at three levels, {} differences", wrong.len());
    let mut report = Report::default();
    report.less("differences", wrong.len() as f64);
    report.more("functions", agree as f64);
    Ok(report.with_error((!wrong.is_empty()).then(|| "intrinsics differ from gcc's".to_string())))
}

/// A header's functions, each on a line that says what it is.
fn expanded(compiler: &Path, header: &Path) -> Result<String, String> {
    let output = run_process(Command::new(compiler).args(["-E", "-P"]).arg(header), COMPILE_LIMIT)?;
    let text = String::from_utf8_lossy(&output.stdout).replace('\n', " ");
    let start = text.find("typedef float __m512 ").ok_or("the header does not expand")?;
    let lines = text[start..].split(EXPANDED_START).skip(1).filter_map(|function| function.split_once('{'));
    Ok(lines.fold(format!("{EXPANDED_MARK}\n"), |text, (head, _)| text + "__AVX512_FN " + head.trim() + " {\n"))
}

fn results(tool: &Path, flags: &[&str], source: &Path, dir: &Path) -> Result<BTreeMap<String, String>, String> {
    let program = dir.join("program");
    let mut command = Command::new(tool);
    command.args(flags).args(["-w", "-ffp-contract=off"]).arg(source).arg("-o").arg(&program);
    let built = run_process(&mut command, COMPILE_LIMIT)?;
    if !built.ok() {
        let text = String::from_utf8_lossy(&built.stderr).into_owned();
        let lines: Vec<&str> = text.lines().filter(|l| l.contains("error")).take(20).collect();
        return Err(format!("{} {} does not compile:\n{}", tool.display(), flags.join(" "), lines.join("\n")));
    }
    let outcome = run_process(&mut Command::new(&program), RUN_LIMIT)?;
    let text = String::from_utf8_lossy(&outcome.stdout).into_owned();
    if !outcome.ok() {
        let last = text.lines().last().unwrap_or("").to_string();
        return Err(format!("{} {}: status {:?} after {last}", tool.display(), flags.join(" "), outcome.status));
    }
    Ok(text.lines().filter_map(|l| l.split_once(' ')).map(|(a, b)| (a.to_string(), b.to_string())).collect())
}

/// The functions of a header whose parameters can be made at random.
fn functions(text: &str) -> Vec<Function> {
    let mut targets: BTreeMap<String, String> = BTreeMap::new();
    let mut out: Vec<Function> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("#define ")
            && let Some((name, attributes)) = rest.split_once(" static __inline")
        {
            let needs = attributes.split("__target__(\"").nth(1).and_then(|t| t.split('"').next()).unwrap_or("");
            targets.insert(name.to_string(), needs.to_string());
            continue;
        }
        let Some((head, parameters)) = line.split_once('(') else { continue };
        let words: Vec<&str> = head.split_ascii_whitespace().collect();
        let [mark, types @ .., name] = &words[..] else { continue };
        if !mark.ends_with("_FN") || types.is_empty() || !line.ends_with('{') {
            continue;
        }
        if PASSED_OVER.iter().any(|p| name.starts_with(p)) {
            continue;
        }
        let name = name.trim_start_matches('*').to_string();
        let parameters = parameters.split(')').next().unwrap_or("");
        let parameters = parameters.split(',').filter_map(|p| parameter(p.trim())).collect();
        let needs = targets.get(*mark).cloned().unwrap_or_default();
        let function = Function { name, returns: types.join(" "), parameters, needs };
        if supported(&function) {
            out.push(function);
        }
    }
    out
}

fn parameter(text: &str) -> Option<(String, String)> {
    let at = text.rfind([' ', '*']).filter(|_| text != "void")?;
    Some((text[..=at].trim().to_string(), text[at + 1..].to_string()))
}

fn supported(function: &Function) -> bool {
    let known = |ty: &str| {
        ty.ends_with('*')
            || ty.starts_with("__m")
            || matches!(
                ty,
                "_MM_CMPINT_ENUM"
                    | "void"
                    | "int"
                    | "char"
                    | "short"
                    | "float"
                    | "double"
                    | "long long"
                    | "unsigned"
                    | "bool"
            )
            || ty.starts_with("unsigned ")
    };
    known(&function.returns) && !function.returns.ends_with('*') && function.parameters.iter().all(|p| known(&p.0))
}

/// What gcc allows as the constant, where that is less than 0 to 255.
fn largest_immediate(name: &str) -> u32 {
    const LIMITS: &[(&str, u32)] = &[
        ("_mm_blend_pd", 3),
        ("_mm_blend_ps", 15),
        ("_mm256_blend_pd", 15),
        ("_mm_blend_epi32", 15),
        ("_mm_extract_epi8", 15),
        ("_mm_extract_epi16", 7),
        ("_mm_extract_epi32", 3),
        ("_mm_extract_epi64", 1),
        ("_mm_extract_ps", 3),
        ("_mm_insert_epi8", 15),
        ("_mm_insert_epi16", 7),
        ("_mm_insert_epi32", 3),
        ("_mm_insert_epi64", 1),
        ("_mm256_extract_epi8", 31),
        ("_mm256_extract_epi16", 15),
        ("_mm256_extract_epi32", 7),
        ("_mm256_extract_epi64", 3),
        ("_mm256_insert_epi8", 31),
        ("_mm256_insert_epi16", 15),
        ("_mm256_insert_epi32", 7),
        ("_mm256_insert_epi64", 3),
        ("_mm256_extractf128", 1),
        ("_mm256_extracti128", 1),
        ("_mm256_insertf128", 1),
        ("_mm256_inserti128", 1),
        ("_mm_round", 11),
        ("_mm256_round", 11),
        ("_mm_permute_pd", 3),
        ("_mm256_permute_pd", 15),
        ("_mm_cmp_", 31),
        ("_mm256_cmp_", 31),
        ("_mm_sha1rnds4", 3),
        ("_mm256_cvtps_ph", 4),
        ("_mm_cvtps_ph", 4),
        ("_mm_alignr_pi8", 17),
        ("_mm_alignr_epi8", 40),
        ("_mm256_shuffle_pd", 15),
        ("_mm_shuffle_pd", 3),
        ("_mm512_extracti64x4", 1),
        ("_mm512_extracti32x8", 1),
        ("_mm512_extractf64x4", 1),
        ("_mm512_extractf32x8", 1),
        ("_mm512_extract", 3),
        ("_mm512_maskz_extracti64x4", 1),
        ("_mm512_maskz_extract", 3),
        ("_mm512_inserti64x4", 1),
        ("_mm512_inserti32x8", 1),
        ("_mm512_insert", 3),
    ];
    match LIMITS.iter().find(|row| name.starts_with(row.0)) {
        _ if name.contains("_cmp_ep") => 7,
        row => row.map_or(255, |row| row.1),
    }
}

fn program(functions: &[Function], count: u32) -> String {
    let mut out = String::from(PRELUDE);
    let _ = writeln!(out, "#define COUNT {count}");
    for function in functions {
        one(&mut out, function);
    }
    out.push_str("int main(void) {\n  __builtin_cpu_init();\n  make_inputs();\n");
    for Function { name, needs, .. } in functions {
        let tests: Vec<String> = needs
            .split(',')
            .filter(|n| !n.is_empty())
            .map(|n| match n {
                "crc32" => "sse4.2",
                other => other,
            })
            .map(|n| format!("__builtin_cpu_supports(\"{n}\")"))
            .collect();
        let test = if tests.is_empty() { "1".to_string() } else { tests.join(" && ") };
        let _ =
            writeln!(out, "  if ({test}) printf(\"{name} %016llx\\n\", test{name}()); else puts(\"{name} lacking\");");
    }
    out.push_str("  return 0;\n}\n");
    out
}

fn one(out: &mut String, function: &Function) {
    let Function { name, returns, parameters, needs } = function;
    let target = if needs.is_empty() { String::new() } else { format!(", target(\"{needs}\")") };
    let _ = writeln!(out, "static __attribute__((noinline{target})) u64 test{name}(void) {{");
    out.push_str("  u64 h = 14695981039346656037u, s = 1;\n  for (int i = 0; i < COUNT; i++) {\n");
    let gathers = name.contains("gather");
    let immediates: Vec<u32> = match parameters.iter().any(|p| p.1 == "__imm") {
        true if gathers => vec![1, 2, 4, 8],
        true => (0..=largest_immediate(name)).step_by(1 + largest_immediate(name) as usize / 24).collect(),
        false => vec![0],
    };
    for (number, (ty, parameter)) in parameters.iter().enumerate() {
        if ty.ends_with('*') && gathers {
            let table = ["ints", "floats", "doubles"][kind(ty, "") as usize];
            let _ = writeln!(out, "    unsigned char *p{number} = {table} + sizeof {table} / 2;");
        } else if gathers && parameter == "__index" {
            let lanes = if name.contains("i32gather") { 4 } else { 7 };
            let _ = writeln!(out, "    {ty} p{number}; get(&p{number}, sizeof p{number}, &s, {lanes});");
        } else if ty.ends_with('*') {
            let _ = writeln!(out, "    __attribute__((aligned(64))) unsigned char p{number}[64]; fill(p{number}, &s);");
        } else if parameter != "__imm" {
            let _ = writeln!(out, "    {ty} p{number}; get(&p{number}, sizeof p{number}, &s, {});", kind(ty, name));
        }
    }
    for imm in immediates {
        let list: Vec<String> = parameters
            .iter()
            .enumerate()
            .map(|(number, (ty, parameter))| match () {
                () if ty.ends_with('*') => format!("({ty})p{number}"),
                () if parameter == "__imm" => imm.to_string(),
                () => format!("p{number}"),
            })
            .collect();
        let call = format!("{name}({})", list.join(", "));
        if returns == "void" {
            let _ = writeln!(out, "    {call};");
        } else {
            let _ = writeln!(out, "    {{ {returns} r = {call}; h = mix(h, &r, sizeof r, {}); }}", kind(returns, ""));
        }
        for (number, (ty, _)) in
            parameters.iter().enumerate().filter(|(_, p)| p.0.ends_with('*') && !p.0.contains("const"))
        {
            let _ = writeln!(out, "    h = mix(h, p{number}, 64, {});", kind(ty, ""));
        }
    }
    out.push_str("  }\n  return h;\n}\n");
}

/// 0: bits, 1: floats, 2: doubles, 3: a small count (shift amounts), 5 and 6: floats and doubles
/// without NaN. Indices of gathers are 4 and 7: lanes of 32 and of 64 bits from -64 to 63, which
/// with every scale stay inside the tables of inputs.
fn kind(ty: &str, name: &str) -> u32 {
    let base = ty.trim_end_matches('*').trim().trim_end_matches("const").trim();
    match base {
        // gcc 12 takes NaN for equal to everything here (its later versions do not).
        "__m128" if name.contains("comi") => 5,
        "__m128d" if name.contains("comi") => 6,
        "__m128" | "__m256" | "__m512" | "float" => 1,
        "__m128d" | "__m256d" | "__m512d" | "double" => 2,
        "int" if ["_slli_", "_srli_", "_srai_"].iter().any(|part| name.contains(part)) => 3,
        _ => 0,
    }
}

/// Inputs and the hash. Integers are random bits with some small and extreme ones; floats are of
/// many magnitudes, with infinities, zeros and NaNs among them.
const PRELUDE: &str = r#"
#include <x86intrin.h>
#include <stdio.h>
#include <string.h>
typedef unsigned long long u64;
static unsigned char ints[1 << 13], floats[1 << 13], doubles[1 << 13];
static u64 next(u64 *s) { *s = *s * 6364136223846793005u + 1442695040888963407u; return *s >> 16 ^ *s >> 40; }
static void make_inputs(void) {
  u64 s = 42;
  for (int i = 0; i < sizeof ints; i++) ints[i] = next(&s) % 5 == 0 ? (next(&s) % 2 ? 0xff : 0) : next(&s) % 29 == 0 ? 0x80 : next(&s);
  static const float f[] = { 0.0f, -0.0f, 1.0f, -1.5f, 2.5f, __builtin_inff(), -__builtin_inff(), __builtin_nanf(""), 3e9f, -3e9f, 0.49999997f, 1e-40f };
  static const double d[] = { 0.0, -0.0, 1.0, -1.5, 2.5, __builtin_inf(), -__builtin_inf(), __builtin_nan(""), 3e9, -1e19, 0.49999999999999994, 1e-310 };
  for (int i = 0; i < sizeof floats / 4; i++) {
    float x = (float)(int)next(&s) / (float)(1 << next(&s) % 30);
    if (next(&s) % 9 == 0) x = f[next(&s) % 12];
    memcpy(floats + 4 * i, &x, 4);
  }
  for (int i = 0; i < sizeof doubles / 8; i++) {
    double x = (double)(long long)next(&s) / (double)(1ll << next(&s) % 60);
    if (next(&s) % 9 == 0) x = d[next(&s) % 12];
    memcpy(doubles + 8 * i, &x, 8);
  }
}
static void get(void *p, unsigned size, u64 *s, int kind) {
  unsigned at = next(s) % ((1 << 13) / 64) * 64;
  if (kind == 3) { int n = next(s) % 70; memcpy(p, &n, 4); return; }
  memcpy(p, (kind == 1 || kind == 5 ? floats : kind == 2 || kind == 6 ? doubles : ints) + at, size);
  if (kind == 4) for (unsigned i = 0; i < size / 4; i++) ((int *)p)[i] = (((int *)p)[i] & 127) - 64;
  if (kind == 7) for (unsigned i = 0; i < size / 8; i++) ((long long *)p)[i] = (((long long *)p)[i] & 127) - 64;
  if (kind == 5) for (unsigned i = 0; i < size / 4; i++) { float x = ((float *)p)[i]; if (x != x) ((float *)p)[i] = 1; }
  if (kind == 6) for (unsigned i = 0; i < size / 8; i++) { double x = ((double *)p)[i]; if (x != x) ((double *)p)[i] = 1; }
}
static void fill(unsigned char *p, u64 *s) { for (int i = 0; i < 64; i += 8) { u64 x = next(s) & 0xbfffffffbfffffffu; memcpy(p + i, &x, 8); } }
static u64 mix(u64 h, const void *p, unsigned size, int kind) {
  unsigned char b[64];
  memcpy(b, p, size);
  for (unsigned i = 0; kind == 1 && i < size; i += 4) { float x; memcpy(&x, b + i, 4); if (x != x) memset(b + i, 0xff, 4); }
  for (unsigned i = 0; kind == 2 && i < size; i += 8) { double x; memcpy(&x, b + i, 8); if (x != x) memset(b + i, 0xff, 8); }
  for (unsigned i = 0; i < size; i++) h = (h ^ b[i]) * 1099511628211u;
  return h;
}
"#;
