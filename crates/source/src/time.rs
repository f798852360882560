//! Times as people and programs write them, and as seconds since 1970.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

/// A time in seconds since 1970 as people and programs read it, in UTC: `2011-04-08T00:00:00Z`. Earlier times than
/// the year -9999 has, and later ones than 9999 has, are written as the first and the last of these.
pub fn utc(seconds: i64) -> String {
    let seconds = seconds.clamp(Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
    Timestamp::from_second(seconds).unwrap_or_default().to_string()
}

/// Seconds from 1970 to a date (year, month, day) and a time of day (hour, minute, second), all in UTC; `None` if there
/// is no such date or time. A leap second is the first of the next minute.
pub fn seconds_at(date: (i64, u32, u32), time: (u32, u32, u32)) -> Option<i64> {
    let ((year, month, day), (hour, minute, second)) = (date, time);
    let leap = u32::from(second == 60);
    let year = i16::try_from(year).ok().filter(|year| (0..=9999).contains(year))?;
    let [month, day, hour, minute, second] =
        [month, day, hour, minute, second - leap].map(|field| i8::try_from(field).ok());
    let at = DateTime::new(year, month?, day?, hour?, minute?, second?, 0).ok()?;
    Some(Offset::UTC.to_timestamp(at).ok()?.as_second() + i64::from(leap))
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

/// Reads a time with its offset from UTC: `2023-05-20T21:00:12.5+09:00`, `2023-05-20 12:00:12Z`, or a date alone. Without
/// an offset it is UTC. Nothing else may stand behind it.
pub fn instant(text: &str) -> Option<i64> {
    let text = text.trim();
    let seconds = parse(text)?;
    if text.len() <= 10 {
        return (text.len() == 10).then_some(seconds);
    }
    let rest = text.get(19..)?;
    let rest = match rest.strip_prefix(['.', ',']) {
        Some(fraction) => {
            let rest = fraction.trim_start_matches(|sign: char| sign.is_ascii_digit());
            (rest.len() < fraction.len()).then_some(rest)?
        }
        None => rest,
    };
    Some(seconds - offset(rest.trim_start())?)
}

/// The seconds by which the clocks of an offset are ahead of UTC: `Z`, `UTC`, `+09:00`, `-0330` or `+09`.
fn offset(text: &str) -> Option<i64> {
    if matches!(text, "" | "Z" | "z" | "UTC" | "GMT") {
        return Some(0);
    }
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (hours, minutes) = match text.len() {
        3 => (&text[1..], "0"),
        5 if text.is_ascii() => text[1..].split_at(2),
        6 => text[1..].split_once(':').filter(|(hours, minutes)| hours.len() == 2 && minutes.len() == 2)?,
        _ => return None,
    };
    if !digits(hours) || !digits(minutes) {
        return None;
    }
    let (hours, minutes) = (hours.parse::<i64>().ok()?, minutes.parse::<i64>().ok()?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
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
        assert_eq!(parse("2016-02-29"), Some(1_456_704_000));
        assert_eq!(parse("1969-12-31 23:59:60"), Some(0), "a leap second");
    }

    #[test]
    fn offsets_are_applied() {
        let noon = Some(1_684_584_012);
        for text in [
            "2023-05-20T12:00:12",
            "2023-05-20 12:00:12.345Z",
            "2023-05-20 12:00:12 UTC",
            "2023-05-20 21:00:12+0900",
            "2023-05-20T21:00:12.5+09:00",
            "2023-05-20 21:00:12 +09",
            "2023-05-20T08:30:12-03:30",
        ] {
            assert_eq!(instant(text), noon, "{text}");
        }
        assert_eq!(instant("2023-05-20"), Some(1_684_540_800));
        for text in [
            "",
            "2023-05-20T12:00:12 Tokyo",
            "2023-05-20 12:00:12+9",
            "2023-05-20 12:00:12.Z",
            "2023-05-20 12:00:12+ä1",
        ] {
            assert_eq!(instant(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_none() {
        let none = ["", "2015", "2015-13-01", "2015-01-27X", "2015-01-27T2", "ä015-01-27"];
        let no_such = ["2015-02-31", "2015-02-29", "2015-04-31", "2015-01-00", "2015-01-01T24:00:00"];
        for text in none.into_iter().chain(no_such) {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
