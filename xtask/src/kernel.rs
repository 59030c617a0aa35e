//! `cargo xtask kernel`: Linux built with `CC=tcc-rs`, and booted in qemu.
//!
//! Sources are not part of this repository: `--path DIR` names a clean kernel tree (6.1 is the one
//! that is looked after; it is only read). `--config` picks what is built:
//!
//! | config | what it is |
//! |---|---|
//! | `tiny` | `tinyconfig`, 64-bit, serial console, initial RAM disk, `/proc`, `/sys`, a module |
//! | `sanitized` | `tiny` with KASAN (inline, stack) and KCOV |
//! | `defconfig` | `x86_64_defconfig`, warnings are errors |
//! | `hardened` | also mitigations, stack protector, IBT, FORTIFY_SOURCE and dynamic ftrace |
//!
//! The first process of the kernel is a script for a static busybox, which runs commands, loads the
//! module and reboots. gcc compiles what is 16- and 32-bit code (the start of the image, `.code32`)
//! and the programs that the build runs itself, as `HOSTCC`. With `--selftests` the kernel has what
//! its own tests need, and runs them ([`selftests`]).

mod selftests;

use crate::report::Report;
use crate::tools::{compiler, cpu_time_of_children, flag, has, option, run as run_process};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Seconds a build may take.
const BUILD_LIMIT: u64 = 4 * 3600;
/// Seconds a boot may take, without hardware virtualisation.
const BOOT_LIMIT: u64 = 900;

/// What must be in `PATH`, and the package that has it.
const NEEDS: [(&str, &str); 9] = [
    ("make", "make"),
    ("gcc", "gcc"),
    ("flex", "flex"),
    ("bison", "bison"),
    ("bc", "bc"),
    ("cpio", "cpio"),
    ("objdump", "binutils"),
    ("busybox", "busybox-static"),
    ("qemu-system-x86_64", "qemu-system-x86"),
];

/// A configuration: the target of `make` that begins it, and what is changed in it.
struct Config {
    name: &'static str,
    base: &'static str,
    /// Lists of what is turned on.
    enable: &'static [&'static [&'static str]],
    disable: &'static [&'static str],
    modules: &'static [&'static str],
    /// The module that is loaded, from the root of the tree.
    module: Option<&'static str>,
}

const BOOTABLE: [&str; 16] = [
    "64BIT",
    "TTY",
    "SERIAL_8250",
    "SERIAL_8250_CONSOLE",
    "PRINTK",
    "BLK_DEV_INITRD",
    "RD_GZIP",
    "BINFMT_ELF",
    "BINFMT_SCRIPT",
    "PROC_FS",
    "SYSFS",
    "DEVTMPFS",
    "MODULES",
    "MODULE_UNLOAD",
    "FUTEX",
    "WERROR",
];

const CONFIGS: [Config; 4] = [
    Config {
        name: "tiny",
        base: "tinyconfig",
        enable: &[&BOOTABLE],
        disable: &[],
        modules: &["CRC7"],
        module: Some("lib/crc7.ko"),
    },
    Config {
        name: "sanitized",
        base: "tinyconfig",
        enable: &[
            &BOOTABLE,
            &[
                "SLUB",
                "MULTIUSER",
                "DEBUG_KERNEL",
                "DEBUG_FS",
                "CC_OPTIMIZE_FOR_PERFORMANCE",
                "KASAN",
                "KASAN_GENERIC",
                "KASAN_INLINE",
                "KASAN_STACK",
                "KCOV",
                "KCOV_INSTRUMENT_ALL",
                "KCOV_ENABLE_COMPARISONS",
            ],
        ],
        // FRAME_WARN takes the default of 64 bits again.
        disable: &["SLOB", "CC_OPTIMIZE_FOR_SIZE", "FRAME_WARN"],
        modules: &["CRC7"],
        module: Some("lib/crc7.ko"),
    },
    Config {
        name: "defconfig",
        base: "x86_64_defconfig",
        enable: &[&["WERROR"]],
        disable: &[],
        modules: &["CRC7"],
        module: Some("lib/crc7.ko"),
    },
    Config {
        name: "hardened",
        base: "x86_64_defconfig",
        enable: &[&[
            "WERROR",
            "STACKPROTECTOR_STRONG",
            "RETPOLINE",
            "RETHUNK",
            "SLS",
            "X86_KERNEL_IBT",
            "FORTIFY_SOURCE",
            "FUNCTION_TRACER",
            "DYNAMIC_FTRACE",
            "LIVEPATCH",
            "RANDOMIZE_BASE",
            "INIT_STACK_ALL_ZERO",
            "ZERO_CALL_USED_REGS",
        ]],
        disable: &["UBSAN"],
        modules: &["CRC7"],
        module: Some("lib/crc7.ko"),
    },
];

/// What the first process says last: everything before it went well.
const LAST_WORDS: &str = "USERLAND DONE";

const INIT: &str = "#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
/bin/busybox uname -a
/bin/busybox cat /proc/version
i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; echo counted $i
/bin/busybox sha256sum /bin/busybox
if [ -f /module.ko ]; then
  /bin/busybox insmod /module.ko && /bin/busybox lsmod && echo MODULE LOADED
fi
/bin/busybox dmesg | /bin/busybox grep -E 'WARNING|BUG|Oops|Call Trace' && echo COMPLAINTS
echo USERLAND DONE
/bin/busybox reboot -f
";

/// Builds and boots the configuration that the arguments name.
pub fn run(arguments: &[String]) -> Result<Report, String> {
    let name = option(arguments, "--config").unwrap_or_else(|| "tiny".to_string());
    let config = CONFIGS.iter().find(|c| c.name == name).ok_or_else(|| {
        let known: Vec<&str> = CONFIGS.iter().map(|c| c.name).collect();
        format!("no configuration `{name}`; there are {}", known.join(", "))
    })?;
    let source = option(arguments, "--path").or_else(|| std::env::var("TCC_RS_KERNEL").ok());
    let source = source.ok_or("--path DIR (or TCC_RS_KERNEL) names a Linux source tree; apt install linux-source")?;
    let source = std::path::absolute(&source).map_err(|e| format!("{source}: {e}"))?;
    check_tree(&source)?;
    let missing: Vec<&str> = NEEDS.iter().filter(|(n, _)| !has(n)).map(|(_, package)| *package).collect();
    if !missing.is_empty() {
        return Err(format!("needs: apt install {}", missing.join(" ")));
    }
    let jobs = option(arguments, "--jobs").unwrap_or_else(|| "2".to_string());
    let with_gcc = option(arguments, "--cc").is_some_and(|cc| cc == "gcc");
    let with_tests = flag(arguments, "--selftests");
    let dir = tree(config, with_gcc, with_tests)?;
    let cc = if with_gcc { "gcc".to_string() } else { wrapper(&dir)?.display().to_string() };
    let kernel = Kernel { source, dir, cc, jobs };
    if !flag(arguments, "--run") {
        configure(&kernel, config, with_tests)?;
        build(&kernel, config)?;
    }
    report_code(&kernel)?;
    boot(&kernel, config)?;
    if with_tests { selftests::run(&kernel, option(arguments, "--only").as_deref()) } else { Ok(Report::default()) }
}

/// A build: where things are, and who compiles.
struct Kernel {
    source: PathBuf,
    dir: PathBuf,
    cc: String,
    jobs: String,
}

fn check_tree(source: &Path) -> Result<(), String> {
    if !source.join("scripts/config").is_file() {
        return Err(format!("{}: no Linux source tree", source.display()));
    }
    if source.join(".config").exists() || source.join("include/config").exists() {
        return Err(format!("{}: something was built in the tree itself; `make mrproper` there", source.display()));
    }
    Ok(())
}

/// The directory of a build. It stays: a second run goes on where the first one stopped.
fn tree(config: &Config, with_gcc: bool, with_tests: bool) -> Result<PathBuf, String> {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| crate::tools::root().join("target"), PathBuf::from);
    let suffix = |wanted: bool, suffix: &'static str| if wanted { suffix } else { "" };
    let name = [config.name, suffix(with_tests, "-selftests"), suffix(with_gcc, "-gcc")].concat();
    let dir = target.join("xtask/kernel").join(name);
    std::fs::create_dir_all(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    std::path::absolute(&dir).map_err(|e| e.to_string())
}

/// A script that stands for the compiler: gcc for 16- and 32-bit code, tcc-rs for the rest.
fn wrapper(dir: &Path) -> Result<PathBuf, String> {
    use std::os::unix::fs::PermissionsExt;
    let script = format!(
        "#!/bin/sh\ncase \" $* \" in\n\
         *\" -m16 \"*|*\" -m32 \"*|*/head_64.S\\ *|*/efi_thunk_64.S\\ *) exec gcc \"$@\";;\n\
         esac\nexec {} \"$@\"\n",
        compiler()?.display()
    );
    let path = dir.join("cc");
    std::fs::write(&path, script).map_err(|e| e.to_string())?;
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).map_err(|e| e.to_string())?;
    Ok(path)
}

fn make(kernel: &Kernel, arguments: &[&str], limit: u64) -> Result<(bool, String), String> {
    let mut command = Command::new("make");
    command.arg("-C").arg(&kernel.source).arg(format!("O={}", kernel.dir.display()));
    command.arg(format!("CC={}", kernel.cc)).args(["HOSTCC=gcc", "LC_ALL=C"]).args(arguments);
    let done = run_process(&mut command, Duration::from_secs(limit))?;
    let text = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
    Ok((done.status == Some(0), text))
}

/// The last lines of a text, for an error message.
fn end_of(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

fn configure(kernel: &Kernel, config: &Config, with_tests: bool) -> Result<(), String> {
    let (ok, text) = make(kernel, &["-s", config.base], 600)?;
    if !ok {
        return Err(format!("make {} failed:\n{}", config.base, end_of(&text)));
    }
    let mut change = Command::new(kernel.source.join("scripts/config"));
    change.arg("--file").arg(kernel.dir.join(".config"));
    let (mut enable, mut disable) = (config.enable.concat(), config.disable.to_vec());
    if with_tests {
        enable.extend(selftests::OPTIONS);
        disable.push("SLOB");
    }
    for (switch, options) in [("--enable", &enable[..]), ("--disable", &disable), ("--module", config.modules)] {
        options.iter().for_each(|option| {
            change.args([switch, option]);
        });
    }
    if !run_process(&mut change, Duration::from_secs(60))?.ok() {
        return Err("scripts/config failed".to_string());
    }
    let (ok, text) = make(kernel, &["-s", "olddefconfig"], 600)?;
    if !ok {
        return Err(format!("make olddefconfig failed:\n{}", end_of(&text)));
    }
    let made = std::fs::read_to_string(kernel.dir.join(".config")).map_err(|e| e.to_string())?;
    let lacks = |option: &&&str| !made.lines().any(|line| line == format!("CONFIG_{option}=y"));
    let lost: Vec<&str> = enable.iter().filter(lacks).copied().collect();
    if !lost.is_empty() {
        println!("{}: not to be had with this compiler or tree: {}", config.name, lost.join(" "));
    }
    Ok(())
}

fn build(kernel: &Kernel, config: &Config) -> Result<(), String> {
    let before = cpu_time_of_children();
    let (ok, text) = make(kernel, &["-k", &format!("-j{}", kernel.jobs), "bzImage", "modules"], BUILD_LIMIT)?;
    let after = cpu_time_of_children();
    drop(std::fs::write(kernel.dir.join("build.log"), &text));
    let said: Vec<&str> = text.lines().filter(|line| line.contains("warning:") || line.contains("rror:")).collect();
    let compiled = text.lines().filter(|line| line.trim_start().starts_with("CC ")).count();
    println!(
        "{}: {compiled} files compiled, {} errors and warnings, {:.0} s of the processors",
        config.name,
        said.len(),
        (after.user + after.system - before.user - before.system).as_secs_f64()
    );
    said.iter().take(40).for_each(|line| println!("  {line}"));
    if ok { Ok(()) } else { Err(format!("make failed:\n{}", end_of(&text))) }
}

/// Size of the kernel, and functions of compiled code that use SSE registers.
fn report_code(kernel: &Kernel) -> Result<(), String> {
    let vmlinux = kernel.dir.join("vmlinux");
    let sizes = run_process(Command::new("size").arg(&vmlinux), Duration::from_secs(60))?;
    print!("{}", String::from_utf8_lossy(&sizes.stdout));
    let code = run_process(
        Command::new("objdump").args(["-d", "--no-show-raw-insn"]).arg(&vmlinux),
        Duration::from_secs(1200),
    )?;
    let mut users: Vec<&str> = Vec::new();
    let text = String::from_utf8_lossy(&code.stdout);
    let mut function = "";
    for line in text.lines() {
        match line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
            Some((_, name)) => function = name,
            None if line.contains("%xmm") && users.last() != Some(&function) => users.push(function),
            None => {}
        }
    }
    println!("functions with SSE registers (assembly and kernel_fpu code): {} {}", users.len(), users.join(" "));
    Ok(())
}

fn boot(kernel: &Kernel, config: &Config) -> Result<(), String> {
    let archive = initial_file_system(kernel, config)?;
    let text = start(kernel, &archive, "max", "boot.log", BOOT_LIMIT)?;
    if config.module.is_some() && !text.contains("MODULE LOADED") {
        return Err(format!("the module was not loaded:\n{}", end_of(&text)));
    }
    println!("{}: boots to busybox, loads its module, reboots", config.name);
    Ok(())
}

/// Starts the kernel with a file system, and gives what it writes until it reboots.
fn start(kernel: &Kernel, archive: &Path, cpu: &str, log: &str, limit: u64) -> Result<String, String> {
    let image = kernel.dir.join("arch/x86/boot/bzImage");
    let mut qemu = Command::new("qemu-system-x86_64");
    qemu.args(["-m", "1024", "-smp", "2", "-nographic", "-no-reboot", "-cpu", cpu, "-append", "console=ttyS0"]);
    qemu.arg("-kernel").arg(image).arg("-initrd").arg(archive);
    let done = run_process(&mut qemu, Duration::from_secs(limit))?;
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    drop(std::fs::write(kernel.dir.join(log), &text));
    if !text.contains(LAST_WORDS) || text.contains("COMPLAINTS") {
        return Err(format!("the boot went wrong:\n{}", end_of(&text)));
    }
    if done.ok() { Ok(text) } else { Err("qemu was not ended by the reboot".to_string()) }
}

/// What the first process finds, beside its programs.
const INIT_DIRECTORIES: &str = "bin proc sys dev";

/// A compressed archive with busybox, the script and the module.
fn initial_file_system(kernel: &Kernel, config: &Config) -> Result<PathBuf, String> {
    let init = kernel.dir.join("init.sh");
    std::fs::write(&init, INIT).map_err(|e| e.to_string())?;
    let (root, archive) = (kernel.dir.join("initramfs"), kernel.dir.join("initramfs.gz"));
    let mut script = format!(
        "set -e; rm -rf {0}; mkdir -p {0}; cd {0}; mkdir {INIT_DIRECTORIES}; \
         cp \"$(command -v busybox)\" bin/busybox; ln -s busybox bin/sh; \
         cp ../init.sh init; chmod 755 init; ",
        root.display()
    );
    if let Some(module) = config.module {
        script += &format!("cp ../{module} module.ko; ");
    }
    let done = run_process(Command::new("sh").args(["-c", &script]), Duration::from_secs(60))?;
    if !done.ok() {
        return Err(String::from_utf8_lossy(&done.stderr).into_owned());
    }
    pack(&root, &archive)?;
    Ok(archive)
}

/// Packs a tree as the kernel unpacks it into its first file system.
fn pack(root: &Path, archive: &Path) -> Result<(), String> {
    let script = format!("cd {} && find . | cpio -o -H newc --quiet | gzip > {}", root.display(), archive.display());
    let done = run_process(Command::new("sh").args(["-c", &script]), Duration::from_secs(300))?;
    if done.ok() { Ok(()) } else { Err(String::from_utf8_lossy(&done.stderr).into_owned()) }
}
