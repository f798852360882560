//! What the values of flags mean; each error names the choices.

use std::str::FromStr;

use familiar_engine::Measure;
use familiar_engine::corpus::{ExportFormat, TABLES};
use familiar_evaluate::pairs::{By, Negatives};
use familiar_report::{Format, audit, trend};
use familiar_review::Judgement;
use familiar_source::{FragmentKind, Language};
use familiar_syntax::normal::Renaming;

use crate::progress::When;

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

fn chosen<T>(found: Option<T>, names: &[&str]) -> Result<T, String> {
    found.ok_or_else(|| format!("give one of {}", names.join(", ")))
}

pub(crate) fn granularity(name: &str) -> Result<FragmentKind, String> {
    chosen(FragmentKind::from_name(name), &FragmentKind::ALL.map(FragmentKind::name))
}

pub(crate) fn measure(name: &str) -> Result<Measure, String> {
    chosen(Measure::from_name(name), &Measure::ALL.map(Measure::name))
}

/// What `clones` writes: a format that is one stream, or the HTML report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CloneFormat {
    Stream(Format),
    Html,
}

pub(crate) fn clone_format(name: &str) -> Result<CloneFormat, String> {
    if name == "html" {
        return Ok(CloneFormat::Html);
    }
    let mut names = Format::ALL.map(Format::name).to_vec();
    names.push("html");
    chosen(Format::from_name(name).map(CloneFormat::Stream), &names)
}

/// The formats that a stored result can be rendered in: those that need neither code nor pairs that are not stored.
pub(crate) fn stored_format(name: &str) -> Result<Format, String> {
    const STORED: [Format; 4] = [Format::Markdown, Format::Sarif, Format::Gitlab, Format::Badge];
    chosen(STORED.into_iter().find(|format| format.name() == name), &STORED.map(Format::name))
}

pub(crate) fn judgement(name: &str) -> Result<Judgement, String> {
    chosen(Judgement::from_name(name), &Judgement::ALL.map(Judgement::name))
}

/// How decisions are written for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecisionsFormat {
    Policy,
    Json,
}

pub(crate) fn decisions_format(name: &str) -> Result<DecisionsFormat, String> {
    match name {
        "policy" => Ok(DecisionsFormat::Policy),
        "json" => Ok(DecisionsFormat::Json),
        _ => Err("give one of policy, json".to_owned()),
    }
}

pub(crate) fn trend_format(name: &str) -> Result<trend::Format, String> {
    chosen(trend::Format::from_name(name), &trend::Format::ALL.map(trend::Format::name))
}

/// What `audit` writes: a format that is one stream, or the HTML report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuditFormat {
    Stream(audit::Format),
    Html,
}

pub(crate) fn audit_format(name: &str) -> Result<AuditFormat, String> {
    if name == "html" {
        return Ok(AuditFormat::Html);
    }
    let mut names = audit::Format::ALL.map(audit::Format::name).to_vec();
    names.push("html");
    chosen(audit::Format::from_name(name).map(AuditFormat::Stream), &names)
}

/// What `license` writes: a format that is one stream, or the HTML report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LicenseFormat {
    Stream(Format),
    Html,
}

/// The formats of what is no result of `clones`.
pub(crate) fn text_or_json(name: &str) -> Result<Format, String> {
    let found = Format::from_name(name).filter(|format| matches!(format, Format::Text | Format::Json));
    chosen(found, &["text", "json"])
}

/// What `find` writes: a format that is one stream, or the HTML report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FindFormat {
    Stream(Format),
    Html,
}

pub(crate) fn find_format(name: &str) -> Result<FindFormat, String> {
    if name == "html" {
        return Ok(FindFormat::Html);
    }
    let wanted = |format: &Format| matches!(format, Format::Text | Format::Json | Format::Ndjson);
    let found = Format::from_name(name).filter(wanted).map(FindFormat::Stream);
    chosen(found, &["text", "json", "ndjson", "html"])
}

/// The formats of a result that is a table of files.
pub(crate) fn license_format(name: &str) -> Result<LicenseFormat, String> {
    if name == "html" {
        return Ok(LicenseFormat::Html);
    }
    let wanted =
        |format: &Format| matches!(format, Format::Text | Format::Json | Format::Ndjson | Format::Csv);
    let found = Format::from_name(name).filter(wanted).map(LicenseFormat::Stream);
    chosen(found, &["text", "json", "ndjson", "csv", "html"])
}

pub(crate) fn export_format(name: &str) -> Result<ExportFormat, String> {
    let found = ExportFormat::ALL.into_iter().find(|format| format.name() == name);
    chosen(found, &ExportFormat::ALL.map(ExportFormat::name))
}

/// The name of a table of a corpus.
pub(crate) fn table(name: &str) -> Result<&'static str, String> {
    chosen(TABLES.into_iter().find(|&known| known == name), &TABLES)
}

pub(crate) fn by(name: &str) -> Result<By, String> {
    chosen(By::from_name(name), &By::ALL.map(By::name))
}

pub(crate) fn negatives(name: &str) -> Result<Negatives, String> {
    chosen(Negatives::from_name(name), &Negatives::ALL.map(Negatives::name))
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
    chosen(found, &["blind", "consistent"])
}

pub(crate) fn progress(name: &str) -> Result<When, String> {
    let found = match name {
        "auto" => Some(When::Auto),
        "always" => Some(When::Always),
        "never" => Some(When::Never),
        _ => None,
    };
    chosen(found, &["auto", "always", "never"])
}

pub(crate) fn language(name: &str) -> Result<Language, String> {
    let names: Vec<&str> = Language::all().map(Language::name).collect();
    chosen(Language::from_name(name), &names)
}

pub(crate) fn clone_type(text: &str) -> Result<u8, String> {
    match text {
        "1" | "2" | "3" | "4" => Ok(text.as_bytes()[0] - b'0'),
        _ => Err("give some of 1, 2, 3, 4".to_owned()),
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

/// Bytes: a number with an optional unit K, M, G or T, each 1024 of the one before, with or without `B` or `iB`.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    let wrong = || "give a number of bytes such as 512M or 2GiB".to_owned();
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
    fn thresholds_are_classes_or_shares() {
        assert_eq!(fail_over("0"), Ok(FailOver::Classes(0)));
        assert_eq!(fail_over("2.5%"), Ok(FailOver::Percent(2.5)));
        assert!(fail_over("-1").is_err() && fail_over("101%").is_err() && fail_over("many").is_err());
    }
}
