//! The calendar of `<time.h>`. The local time is UTC, as where no time zone is set.

use super::strings::write_string;
use super::{Args, Returned};
use crate::Trap;
use crate::machine::Machine;

const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Size of glibc's `struct tm`.
const SIZE: u64 = 56;

/// Seconds from 1970 to the farthest time that is computed with.
const FARTHEST: u64 = 10_000_000_000_000;

/// The fields of `struct tm` in order: seconds, minutes, hours, day of the month, month, years
/// since 1900, day of the week, day of the year.
type Broken = [i64; 8];

/// Calls the function if it is one of these.
pub fn call(machine: &mut Machine<'_>, name: &str, args: &Args<'_>) -> Option<Returned> {
    Some(match name {
        "gmtime" | "localtime" | "ctime" => time_at(machine, args.address(0)).and_then(|time| match name {
            "ctime" => line(machine, &broken(time)?),
            _ => {
                let known = machine.library.calendar;
                let to = known.unwrap_or_else(|| machine.memory.allocate("broken-down time", SIZE, true));
                machine.library.calendar = Some(to);
                store(machine, to, &broken(time)?)
            }
        }),
        "gmtime_r" | "localtime_r" => {
            time_at(machine, args.address(0)).and_then(|time| store(machine, args.address(1), &broken(time)?))
        }
        "mktime" | "timegm" => load(machine, args.address(0)).and_then(|given| {
            let time = seconds(&given);
            store(machine, args.address(0), &broken(time)?)?;
            Ok(Some(time as u64 as u128))
        }),
        "asctime" => load(machine, args.address(0)).and_then(|given| line(machine, &given)),
        "strftime" => formatted(machine, args),
        _ => return None,
    })
}

fn time_at(machine: &Machine<'_>, address: u64) -> Result<i64, Trap> {
    Ok(machine.memory.load(address, 8)? as i64)
}

/// Days since 1970 of the first day of a month; months are counted from 0 and may be any number.
fn days_before(year: i64, month: i64) -> i64 {
    // Years that begin in March end with the day that is sometimes missing.
    let months = year * 12 + month - 2;
    let (year, month) = (months.div_euclid(12), months.rem_euclid(12));
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + (153 * month + 2) / 5 - 719_468
}

fn broken(time: i64) -> Result<Broken, Trap> {
    if time.unsigned_abs() > FARTHEST {
        return Err(Trap::Unsupported("the calendar of more than 300,000 years".into()));
    }
    let (days, rest) = (time.div_euclid(86_400), time.rem_euclid(86_400));
    // Not after the year that is looked for.
    let mut year = 1970 + days.div_euclid(if days < 0 { 365 } else { 366 });
    while days_before(year + 1, 0) <= days {
        year += 1;
    }
    let month = (0..12).rev().find(|&m| days_before(year, m) <= days).unwrap_or(0);
    let day = days - days_before(year, month) + 1;
    let in_year = days - days_before(year, 0);
    Ok([rest % 60, rest / 60 % 60, rest / 3600, day, month, year - 1900, (days + 4).rem_euclid(7), in_year])
}

fn seconds(&[second, minute, hour, day, month, year, ..]: &Broken) -> i64 {
    ((days_before(year + 1900, month) + day - 1) * 24 + hour) * 3600 + minute * 60 + second
}

fn load(machine: &Machine<'_>, address: u64) -> Result<Broken, Trap> {
    machine.memory.read_defined(address, 24)?;
    let mut out = [0; 8];
    for (at, field) in (0..).zip(&mut out) {
        *field = i64::from(machine.memory.load(address + at * 4, 4)? as u32 as i32);
    }
    Ok(out)
}

fn store(machine: &mut Machine<'_>, address: u64, fields: &Broken) -> Returned {
    machine.memory.fill(address, 0, SIZE)?;
    for (at, &field) in (0..).zip(fields) {
        machine.memory.store(address + at * 4, 4, field as u32 as u128)?;
    }
    Ok(Some(address as u128))
}

/// `asctime`
fn line(machine: &mut Machine<'_>, fields: &Broken) -> Returned {
    let text = expand(b"%a %b %e %H:%M:%S %Y\n", fields)?;
    let copy = machine.memory.allocate("a text of the library", text.len() as u64 + 1, true);
    write_string(machine, copy, text.as_bytes())?;
    Ok(Some(copy as u128))
}

fn formatted(machine: &mut Machine<'_>, args: &Args<'_>) -> Returned {
    let format = machine.memory.c_string(args.address(2))?;
    let text = expand(&format, &load(machine, args.address(3))?)?;
    if text.len() as u64 >= args.address(1) {
        return Ok(Some(0));
    }
    write_string(machine, args.address(0), text.as_bytes())?;
    Ok(Some(text.len() as u128))
}

/// `strftime` in the C locale.
fn expand(format: &[u8], fields: &Broken) -> Result<String, Trap> {
    let &[second, minute, hour, day, month, year, weekday, in_year] = fields;
    let name = |names: &[&'static str], at: i64| names.get(at as usize).copied().unwrap_or("?");
    let (weekday_name, month_name) = (name(&DAYS, weekday), name(&MONTHS, month));
    let half = if hour % 12 == 0 { 12 } else { hour % 12 };
    let full_year = year + 1900;
    let mut out = String::new();
    let mut bytes = format.iter();
    while let Some(&byte) = bytes.next() {
        if byte != b'%' {
            out.push(byte as char);
            continue;
        }
        let conversion = bytes.next().copied().unwrap_or(b'%');
        let part = |format: &str| expand(format.as_bytes(), fields);
        out.push_str(&match conversion {
            b'a' => weekday_name.get(..3).unwrap_or("?").to_string(),
            b'A' => weekday_name.to_string(),
            b'b' | b'h' => month_name.get(..3).unwrap_or("?").to_string(),
            b'B' => month_name.to_string(),
            b'd' => format!("{day:02}"),
            b'e' => format!("{day:2}"),
            b'H' => format!("{hour:02}"),
            b'I' => format!("{half:02}"),
            b'j' => format!("{:03}", in_year + 1),
            b'm' => format!("{:02}", month + 1),
            b'M' => format!("{minute:02}"),
            b'p' => if hour < 12 { "AM" } else { "PM" }.to_string(),
            b'S' => format!("{second:02}"),
            b'u' => {
                if weekday == 0 {
                    "7".to_string()
                } else {
                    weekday.to_string()
                }
            }
            b'w' => weekday.to_string(),
            b'y' => format!("{:02}", full_year.rem_euclid(100)),
            b'Y' => full_year.to_string(),
            b'Z' => "UTC".to_string(),
            b'z' => "+0000".to_string(),
            b's' => seconds(fields).to_string(),
            b'n' => "\n".to_string(),
            b't' => "\t".to_string(),
            b'%' => "%".to_string(),
            b'F' => part("%Y-%m-%d")?,
            b'T' | b'X' => part("%H:%M:%S")?,
            b'R' => part("%H:%M")?,
            b'D' | b'x' => part("%m/%d/%y")?,
            b'c' => part("%a %b %e %H:%M:%S %Y")?,
            b'r' => part("%I:%M:%S %p")?,
            other => return Err(Trap::Unsupported(format!("strftime %{}", other as char))),
        });
    }
    Ok(out)
}
