//! `__DATE__`, `__TIME__` and `__TIMESTAMP__`: broken-down time without a C library.
//!
//! SOURCE_DATE_EPOCH is shown in UTC, the current time in the zone of `/etc/localtime` (RFC 8536),
//! as gcc does.

use std::time::{SystemTime, UNIX_EPOCH};

use super::Preprocessor;

/// A broken-down time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stamp {
    year: i64,
    month: usize,
    day: i64,
    weekday: usize,
    second_of_day: i64,
}

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const DAY: i64 = 86_400;

impl Stamp {
    /// From seconds since 1970, already in the wanted zone. Civil-from-days after Howard Hinnant's
    /// algorithm.
    fn new(seconds: i64) -> Stamp {
        let days = seconds.div_euclid(DAY);
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * march_month + 2) / 5 + 1;
        let month = (march_month + 2) % 12;
        let year = year_of_era + era * 400 + i64::from(month < 2);
        Stamp {
            year,
            month: month as usize,
            day,
            weekday: (days + 4).rem_euclid(7) as usize,
            second_of_day: seconds.rem_euclid(DAY),
        }
    }

    /// `Mmm dd yyyy`
    pub(super) fn date(&self) -> String {
        format!("{} {:2} {:4}", MONTHS[self.month], self.day, self.year)
    }

    /// `hh:mm:ss`
    pub(super) fn time(&self) -> String {
        let s = self.second_of_day;
        format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
    }

    /// As `asctime` writes it.
    fn full(&self) -> String {
        format!("{} {} {:2} {} {:4}", WEEKDAYS[self.weekday], MONTHS[self.month], self.day, self.time(), self.year)
    }
}

/// The time of this translation, the same at every use.
pub(super) fn now(pp: &mut Preprocessor<'_>) -> Stamp {
    let epoch = pp.options.source_date_epoch;
    *pp.date.get_or_insert_with(|| match epoch {
        Some(seconds) => Stamp::new(seconds as i64),
        None => {
            let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs() as i64);
            Stamp::new(seconds + zone_offset(seconds))
        }
    })
}

/// `__TIMESTAMP__`: when the current file was changed last.
pub(super) fn timestamp_of_current_file(pp: &mut Preprocessor<'_>) -> String {
    if pp.options.source_date_epoch.is_some() {
        return now(pp).full();
    }
    let path = pp.session.str(pp.buf.name);
    let changed = std::fs::metadata(path).and_then(|m| m.modified()).ok();
    match changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok()) {
        Some(time) => {
            let seconds = time.as_secs() as i64;
            Stamp::new(seconds + zone_offset(seconds)).full()
        }
        None => "??? ??? ?? ??:??:?? ????".to_owned(),
    }
}

/// Seconds east of Greenwich at a time, by the 64-bit transition table of `/etc/localtime`; 0 if it
/// cannot be read.
fn zone_offset(seconds: i64) -> i64 {
    if std::env::var_os("TZ").is_some_and(|zone| zone == "UTC" || zone == "UTC0" || zone.is_empty()) {
        return 0;
    }
    std::fs::read("/etc/localtime").ok().and_then(|data| offset_in_zone_file(&data, seconds)).unwrap_or(0)
}

fn offset_in_zone_file(data: &[u8], seconds: i64) -> Option<i64> {
    const HEADER: usize = 44;
    let count = |at: usize, index: usize| {
        data.get(at + 20 + 4 * index..at + 24 + 4 * index)
            .map(|b| u32::from_be_bytes([b[0], b[1], b[2], b[3]]) as usize)
    };
    if !data.starts_with(b"TZif") || *data.get(4)? < b'2' {
        return None;
    }
    // The first block has 32-bit times and is passed over: isutc, isstd, leap, time, type and char
    // counts.
    let (utc, std, leap) = (count(0, 0)?, count(0, 1)?, count(0, 2)?);
    let (times, types, chars) = (count(0, 3)?, count(0, 4)?, count(0, 5)?);
    let second = HEADER + times * 5 + types * 6 + chars + leap * 8 + std + utc;
    let (times, types) = (count(second, 3)?, count(second, 4)?);
    let table = second + HEADER;
    let time = |index: usize| {
        let bytes = data.get(table + 8 * index..table + 8 * index + 8)?;
        Some(i64::from_be_bytes(bytes.try_into().ok()?))
    };
    let mut current = 0usize;
    for index in 0..times {
        if time(index)? > seconds {
            break;
        }
        current = usize::from(*data.get(table + 8 * times + index)?);
    }
    if current >= types {
        return None;
    }
    let record = data.get(table + 9 * times + 6 * current..)?;
    Some(i64::from(i32::from_be_bytes([record[0], record[1], record[2], record[3]])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_broken_down() {
        assert_eq!(Stamp::new(0).full(), "Thu Jan  1 00:00:00 1970");
        assert_eq!(Stamp::new(951_827_696).full(), "Tue Feb 29 12:34:56 2000");
        assert_eq!(Stamp::new(1_700_000_000).date(), "Nov 14 2023");
    }
}
