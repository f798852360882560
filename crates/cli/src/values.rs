//! What the values of flags mean; each error names the choices.

use std::str::FromStr;

use familiar_detect::CloneOptions;
use familiar_review::Judgement;
use familiar_search::Measure;
use familiar_source::{FragmentKind, Language, words};
use familiar_syntax::normal::Renaming;

use crate::wrong_value::whole_number;

/// The threshold of `--fail-over`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FailOver {
    Classes(u64),
    /// Share of duplicated lines, in percent.
    Percent(f64),
}

/// How many classes to show; all where `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Show(pub(crate) Option<usize>);

/// What a name stands for; an error names the choices, and those first that may be meant.
pub(crate) fn chosen<T>(name: &str, found: Option<T>, names: &[&str]) -> Result<T, String> {
    found.ok_or_else(|| {
        let meant = words::nearest(name, names.iter().copied());
        let meant =
            if meant.is_empty() { String::new() } else { format!("did you mean {}? ", meant.join(" or ")) };
        format!("{meant}give one of {}", names.join(", "))
    })
}

pub(crate) fn granularity(name: &str) -> Result<FragmentKind, String> {
    chosen(name, FragmentKind::from_name(name), &FragmentKind::ALL.map(FragmentKind::name))
}

pub(crate) fn measure(name: &str) -> Result<Measure, String> {
    chosen(name, Measure::from_name(name), &Measure::ALL.map(Measure::name))
}

pub(crate) fn judgement(name: &str) -> Result<Judgement, String> {
    chosen(name, Judgement::from_name(name), &Judgement::ALL.map(Judgement::name))
}

/// A field of a row and the value that it must have.
pub(crate) fn condition(text: &str) -> Result<(String, String), String> {
    let (field, value) = text.split_once('=').ok_or("give FIELD=VALUE, such as split=valid")?;
    Ok((field.to_owned(), value.to_owned()))
}

pub(crate) fn renaming(name: &str) -> Result<Renaming, String> {
    let found = match name {
        "blind" => Some(Renaming::Blind),
        "consistent" => Some(Renaming::Consistent),
        _ => None,
    };
    chosen(name, found, &["blind", "consistent"])
}

pub(crate) fn language(name: &str) -> Result<Language, String> {
    let names: Vec<&str> = Language::all().map(Language::name).collect();
    chosen(name, familiar_source::language_named(name), &names)
}

pub(crate) fn clone_type(text: &str) -> Result<u8, String> {
    match text {
        "1" | "2" | "3" | "4" => Ok(text.as_bytes()[0] - b'0'),
        _ => Err("give one or more of 1, 2, 3, 4".to_owned()),
    }
}

pub(crate) fn fail_over(text: &str) -> Result<FailOver, String> {
    let parsed = match text.strip_suffix('%') {
        Some(percent) => {
            f64::from_str(percent.trim()).ok().filter(|p| (0.0..=100.0).contains(p)).map(FailOver::Percent)
        }
        None => u64::from_str(text).ok().map(FailOver::Classes),
    };
    parsed.ok_or_else(|| "give a number of classes, or a share of lines such as 5%".to_owned())
}

pub(crate) fn show(text: &str) -> Result<Show, String> {
    if text == "all" {
        return Ok(Show(None));
    }
    usize::from_str(text).map(|count| Show(Some(count))).map_err(|_| "give a number, or all".to_owned())
}

/// Most threads: each has a stack of its own, and more than there are cores only wait for one another.
const MOST_THREADS: usize = 256;

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().map_err(|error| whole_number(&error))?;
    if number == 0 {
        return Err("give at least 1; without the flag there is one for each processor core".to_owned());
    }
    if number > MOST_THREADS {
        return Err(format!("give at most {MOST_THREADS}"));
    }
    Ok(number)
}

/// A number that is not 0.
pub(crate) fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().map_err(|error| whole_number(&error))?;
    if number == 0 { Err("give at least 1".to_owned()) } else { Ok(number) }
}

/// A size that may be the memory setting.
pub(crate) fn memory(text: &str) -> Result<usize, String> {
    let bytes = size(text)?;
    if bytes < CloneOptions::LEAST_MEMORY {
        return Err(format!("give at least {}", in_unit_of(text, CloneOptions::LEAST_MEMORY)));
    }
    Ok(bytes)
}

/// A size in the unit of another: `65536K` where that is `32000K`.
fn in_unit_of(text: &str, bytes: usize) -> String {
    let unit = text.trim().trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let one = size(&format!("1{unit}")).unwrap_or(1);
    format!("{}{unit}", bytes.div_ceil(one))
}

/// Bytes: a number with an optional unit K, M, G or T, each 1024 of the one before, with or without `B` or `iB`.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    let wrong = || "give a size such as 512M or 2GiB".to_owned();
    let upper = text.trim().to_ascii_uppercase();
    let digits = upper.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let power = match upper[digits.len()..].trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 1,
        "M" => 2,
        "G" => 3,
        "T" => 4,
        _ => return Err(wrong()),
    };
    let number = f64::from_str(digits.trim()).ok().filter(|number| *number >= 0.0).ok_or_else(wrong)?;
    Ok((number * 1024f64.powi(power)) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let sizes = ["1024", "512M", "2GiB", "1.5k", "3mb"].map(|text| size(text).ok());
        assert_eq!(sizes, [1024, 512 << 20, 2 << 30, 1536, 3 << 20].map(Some));
        assert!(["", "M", "-1", "5 lines", "1Q"].iter().all(|text| size(text).is_err()));
    }

    #[test]
    fn threads_have_a_limit() {
        assert_eq!((threads("8"), at_least_one("1")), (Ok(8), Ok(1)));
        assert!(at_least_one("0").is_err());
        assert!(["0", "257", "-1", "two", "99999999999999999999"].iter().all(|text| threads(text).is_err()));
    }

    #[test]
    fn the_least_memory_is_said_in_the_unit_that_was_given() {
        for (given, least) in [("1", "67108864"), ("32000K", "65536K"), ("1.5 MiB", "64MiB"), ("0g", "1g")] {
            assert_eq!(memory(given), Err(format!("give at least {least}")), "{given}");
        }
        assert_eq!(memory("64M"), Ok(64 << 20));
    }

    #[test]
    fn misspelt_names_get_a_suggestion() {
        let error = language("pyhton").expect_err("no language");
        assert!(error.starts_with("did you mean python"), "{error}");
        assert!(
            granularity("functions")
                .expect_err("none")
                .starts_with("did you mean function? give one of file")
        );
        assert!(measure("zzz").expect_err("none").starts_with("give one of aligned"));
    }

    #[test]
    fn thresholds_are_classes_or_shares() {
        assert_eq!(fail_over("0"), Ok(FailOver::Classes(0)));
        assert_eq!(fail_over("2.5%"), Ok(FailOver::Percent(2.5)));
        assert!(fail_over("-1").is_err() && fail_over("101%").is_err() && fail_over("many").is_err());
    }
}
