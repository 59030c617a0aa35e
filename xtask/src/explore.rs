//! `cargo xtask explore [FILE.c...]`: the pages of `tcc-rs explore` in a headless browser. Each
//! view of each function is opened once, and must show what belongs there; a script that fails
//! leaves it empty. Needs Chromium (Debian: `apt-get install chromium`).

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools;

/// Views and what their elements have that no other view's have.
const VIEWS: [(&str, &str); 5] = [
    ("code", "<div data-l=\"1\">"),
    ("passes", "role=\"option\""),
    ("ssa", "class=\"pane\""),
    ("graph", "<g class=\"block\""),
    ("registers", "table class=\"regs\""),
];

/// What is looked at if nothing is named.
const PROGRAMS: [&str; 2] = ["tests/run/bigint.c", "bench/huffman.c"];

/// A page is at most this long, in bytes.
const MAX_PAGE: usize = 3 << 20;

/// Functions looked at in each page.
const FUNCTIONS: usize = 4;

/// Runs the check.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let browser = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|out| out.status.success()))
        .ok_or("no Chromium found; Debian: apt-get install chromium")?;
    let compiler = tools::compiler()?;
    let given: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    let files = if given.is_empty() { PROGRAMS.iter().map(PathBuf::from).collect() } else { given };
    let folder = std::env::temp_dir().join(format!("tcc-rs-explore-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let result = files.iter().try_for_each(|file| check(browser, &compiler, file, &folder));
    std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
    result
}

fn check(browser: &str, compiler: &Path, file: &Path, folder: &Path) -> Result<(), String> {
    let page = folder.join("report.html");
    let made = Command::new(compiler).args(["explore", "-O2"]).arg(file).arg("-o").arg(&page).status();
    if !made.is_ok_and(|status| status.success()) {
        return Err(format!("{}: no page was made", file.display()));
    }
    let text = std::fs::read_to_string(&page).map_err(|e| e.to_string())?;
    if text.len() > MAX_PAGE {
        return Err(format!("{}: the page has {} bytes", file.display(), text.len()));
    }
    let names: Vec<&str> = text.split("{\"name\":\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    for name in names.iter().take(FUNCTIONS) {
        for (view, sign) in VIEWS {
            let address = format!("file://{}#{name}/{view}", page.display());
            let out = Command::new(browser)
                .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", &address])
                .output()
                .map_err(|e| e.to_string())?;
            let shown = String::from_utf8_lossy(&out.stdout);
            let main = shown.split("<main").nth(1).and_then(|rest| rest.split("</main>").next()).unwrap_or_default();
            let note = main.contains("class=\"note\"") && matches!(view, "ssa" | "registers");
            if !main.contains(sign) && !note {
                return Err(format!("{}: the view {view} of {name} is empty", file.display()));
            }
        }
    }
    println!("{}: {} functions looked at in {} views", file.display(), names.len().min(FUNCTIONS), VIEWS.len());
    Ok(())
}
