//! Lines that begin with a colon.

use super::input;
use super::session::{Refused, Session, show};
use super::types;
use super::units::{Piece, Place, RUN, Unit};
use std::path::Path;
use std::time::Duration;

type Command = fn(&mut Session, &str, &Place) -> Result<(), Refused>;

/// Name, argument, meaning, what it does.
const TABLE: &[(&str, &str, &str, Command)] = &[
    ("help", "", "this list", help),
    ("quit", "", "end the session (also at the end of input)", quit),
    ("reset", "", "forget everything", reset),
    ("load", "FILE", "read a file as if it were typed", load),
    ("type", "EXPR", "the type of an expression, which is not run", type_of),
    ("time", "EXPR", "run an expression or statement; how long that took", time),
    ("ir", "NAME|EXPR", "the intermediate code of a function or an expression", ir),
    ("asm", "NAME|EXPR", "the assembly code of a function or an expression", assembly),
];

/// The commands with their colons.
pub fn names() -> impl Iterator<Item = &'static str> {
    [":help", ":quit", ":reset", ":load", ":type", ":time", ":ir", ":asm"].into_iter()
}

/// Runs a command, given without its colon.
pub fn run(session: &mut Session, text: &str, place: &Place) -> Result<(), Refused> {
    let (name, argument) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let argument = argument.trim();
    let Some((name, wanted, _, command)) = TABLE.iter().find(|row| row.0 == name) else {
        eprintln!("unknown command ':{name}'; :help lists them");
        return Err(Refused);
    };
    if wanted.is_empty() != argument.is_empty() {
        match wanted.is_empty() {
            true => eprintln!(":{name} takes no argument"),
            false => eprintln!(":{name} needs an argument: {wanted}"),
        }
        return Err(Refused);
    }
    command(session, argument, place)
}

fn help(_: &mut Session, _: &str, _: &Place) -> Result<(), Refused> {
    println!(
        "Declarations, statements and expressions of C. The value of an expression without a semicolon is printed."
    );
    for (name, argument, meaning, _) in TABLE {
        println!("  {:<16} {meaning}", format!(":{name} {argument}"));
    }
    Ok(())
}

fn quit(session: &mut Session, _: &str, _: &Place) -> Result<(), Refused> {
    session.end();
    Ok(())
}

fn reset(session: &mut Session, _: &str, _: &Place) -> Result<(), Refused> {
    session.reset();
    Ok(())
}

fn load(session: &mut Session, argument: &str, _: &Place) -> Result<(), Refused> {
    let path = argument.strip_prefix("~/").and_then(|rest| Some(std::env::home_dir()?.join(rest)));
    let path = path.unwrap_or_else(|| Path::new(argument).to_path_buf());
    if session.load(&path) { Ok(()) } else { Err(Refused) }
}

fn type_of(session: &mut Session, argument: &str, place: &Place) -> Result<(), Refused> {
    let piece = Piece { place, text: argument };
    let (typed, _) = session.type_of(&piece, 0..argument.len())?;
    println!("{}", types::name(&typed.table, typed.ty));
    Ok(())
}

fn time(session: &mut Session, argument: &str, place: &Place) -> Result<(), Refused> {
    let piece = Piece { place, text: argument };
    let scanned = input::scan(argument);
    let times = match &scanned.items()[..] {
        [item] if !item.is_ended => session.print(&piece, 0..argument.len())?,
        _ => session.timed_statement(&piece, 0..argument.len())?,
    };
    println!("compiled in {}, ran for {}", shown(times.compiling), shown(times.running));
    Ok(())
}

fn shown(time: Duration) -> String {
    match time.as_nanos() {
        nanoseconds @ 0..1000 => format!("{nanoseconds} ns"),
        nanoseconds @ 1000..1_000_000 => format!("{:.1} us", nanoseconds as f64 / 1e3),
        nanoseconds @ 1_000_000..1_000_000_000 => format!("{:.2} ms", nanoseconds as f64 / 1e6),
        nanoseconds => format!("{:.3} s", nanoseconds as f64 / 1e9),
    }
}

fn ir(session: &mut Session, argument: &str, place: &Place) -> Result<(), Refused> {
    let (text, name) = inspected(session, argument, place, "--emit=ir")?;
    let start = format!("@{name}(");
    let is_start = |line: &&str| line.starts_with("func") || line.starts_with("define") || line.contains(&start);
    let lines: Vec<&str> = text.lines().collect();
    let from = lines.iter().position(|line| is_start(line) && line.contains(&start) && line.ends_with('{'));
    let from = from.unwrap_or(0);
    let count = lines[from..].iter().position(|line| *line == "}").map_or(lines.len() - from, |end| end + 1);
    lines[from..from + count].iter().for_each(|line| println!("{line}"));
    Ok(())
}

fn assembly(session: &mut Session, argument: &str, place: &Place) -> Result<(), Refused> {
    let (text, name) = inspected(session, argument, place, "-S")?;
    let (label, size) = (format!("{name}:"), format!("{name}, "));
    let lines = text.lines().skip_while(|line| *line != label);
    for line in lines.take_while(|line| !(line.trim_start().starts_with(".size") && line.contains(&size))) {
        let is_directive = line.trim_start().starts_with('.') && !line.ends_with(':');
        if !is_directive {
            println!("{line}");
        }
    }
    Ok(())
}

/// The text that an option makes of a function or an expression, and the name it has there.
fn inspected(session: &mut Session, argument: &str, place: &Place, option: &str) -> Result<(String, String), Refused> {
    let mut unit = Unit::new(&session.kept);
    let name = match session.texts.get(argument) {
        Some(text) => {
            unit.own(text);
            argument.to_string()
        }
        None => {
            let piece = Piece { place, text: argument };
            unit.result(&piece, 0..argument.len());
            RUN.to_string()
        }
    };
    let source = session.compiler().args(["-g0", option]).source(&place.file, unit.text());
    let done = source.compile().map_err(|failure| session.refuse(&failure))?;
    show(&done.diagnostics);
    let text = done.objects.last().map(|object| String::from_utf8_lossy(&object.bytes).into_owned());
    Ok((text.unwrap_or_default(), name))
}
