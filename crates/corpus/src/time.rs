//! Dates as people write them, to seconds since 1970.

/// Seconds from 1970 to a date (year, month, day) and a time of day (hour, minute, second), all in UTC; `None` if there
/// is no such date or time.
pub(crate) fn seconds_at(date: (i64, u32, u32), time: (u32, u32, u32)) -> Option<i64> {
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
