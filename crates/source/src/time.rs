//! Times as people and programs write them, and as seconds since 1970.

/// A time in seconds since 1970 as people and programs read it, in UTC: `2011-04-08T00:00:00Z`.
pub fn utc(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // Years are counted from March of the year 0, in eras of 400 years (Hinnant, *chrono-compatible low-level date
    // algorithms*).
    let days = days.saturating_add(719_468);
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// Seconds from 1970 to a date (year, month, day) and a time of day (hour, minute, second), all in UTC; `None` if there
/// is no such date or time.
pub fn seconds_at(date: (i64, u32, u32), time: (u32, u32, u32)) -> Option<i64> {
    let ((year, month, day), (hour, minute, second)) = (date, time);
    let sound = (0..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !sound || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    // Years are counted from March, so that the day of a leap year is the last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let day_of_year = i64::from((153 * month + 2) / 5 + day - 1);
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let days = year * 365 + leap_days + day_of_year - 719_468;
    Some(days * 86_400 + i64::from(hour * 3600 + minute * 60 + second))
}

/// Reads `2015-01-27T20:09:32.720`, with anything or nothing after the seconds, or a date alone. Taken for UTC.
pub fn parse(text: &str) -> Option<i64> {
    let field = |from: usize, to: usize| text.get(from..to)?.parse::<u32>().ok();
    let separators = text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    let date = (i64::from(field(0, 4)?), field(5, 7)?, field(8, 10)?);
    if !separators {
        return None;
    }
    let time = match text.get(10..11) {
        None => (0, 0, 0),
        Some("T" | " ") => (field(11, 13)?, field(14, 16)?, field(17, 19)?),
        Some(_) => return None,
    };
    seconds_at(date, time)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_dates() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_825_601), "2000-02-29T12:00:01Z");
        assert_eq!(utc(-1), "1969-12-31T23:59:59Z");
        assert_eq!(utc(1_302_220_800), "2011-04-08T00:00:00Z");
        assert!(utc(i64::MAX).ends_with('Z') && utc(i64::MIN).ends_with('Z'));
    }

    #[test]
    fn dates_are_counted_from_1970() {
        assert_eq!(parse("1970-01-01"), Some(0));
        assert_eq!(parse("2000-02-29T12:00:01.5"), Some(951_825_601));
        assert_eq!(parse("2015-01-27T20:09:32.720"), Some(1_422_389_372));
        assert_eq!(parse("1969-12-31 23:59:59"), Some(-1));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in ["", "2015", "2015-13-01", "2015-01-27X", "2015-01-27T2", "ä015-01-27"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
