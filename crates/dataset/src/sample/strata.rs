//! By what a result is divided before pairs are drawn.

use super::place::{Claim, Place};

/// By what a result is divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// The lines of the smaller side, in bands from a number to another one, the last one maybe without an end.
    Lines(Vec<(u32, Option<u32>)>),
    Type,
    Measure,
    /// The languages of both sides.
    Language,
    /// What an audit says of the licenses.
    Verdict,
}

/// Why a text does not say how to divide a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ByError {
    #[error("give lines, lines:1-10,11-20,21-, type, measure, language or verdict")]
    Unknown,
    #[error("give bands such as lines:1-10,11-20,21-")]
    NoBands,
    #[error("bands go up, and do not overlap")]
    Overlap,
}

impl By {
    /// Reads `lines:1-10,11-20,21-`, `lines`, `type`, `measure`, `language` or `verdict`.
    pub fn read(text: &str) -> Result<Self, ByError> {
        match text.split_once(':') {
            None if text == "lines" => Ok(Self::Lines(vec![(1, Some(10)), (11, Some(20)), (21, None)])),
            None if text == "type" => Ok(Self::Type),
            None if text == "measure" => Ok(Self::Measure),
            None if text == "language" => Ok(Self::Language),
            None if text == "verdict" => Ok(Self::Verdict),
            Some(("lines", bands)) => {
                let bands: Option<Vec<_>> = bands.split(',').map(band).collect();
                let bands = bands.ok_or(ByError::NoBands)?;
                let apart = bands.windows(2).all(|two| two[0].1.is_some_and(|end| end < two[1].0));
                apart.then_some(Self::Lines(bands)).ok_or(ByError::Overlap)
            }
            _ => Err(ByError::Unknown),
        }
    }

    /// The stratum of a pair. None where it belongs to none.
    pub(super) fn of(&self, claim: &Claim, left: &Place, right: &Place) -> Option<String> {
        Some(match self {
            Self::Lines(bands) => {
                let lines = left.lines().min(right.lines());
                let holds =
                    |&&(from, to): &&(u32, Option<u32>)| from <= lines && to.is_none_or(|to| lines <= to);
                let &(from, to) = bands.iter().find(holds)?;
                format!("lines={from}-{}", to.map(|to| to.to_string()).unwrap_or_default())
            }
            Self::Type => format!("type={}", claim.clone_type?),
            Self::Measure => format!("measure={}", claim.measure.as_deref()?),
            Self::Verdict => format!("verdict={}", claim.verdict.as_deref()?),
            Self::Language => format!("language={}", languages(left, right)),
        })
    }

    /// The place of a stratum in the order of a report: bands by their lines, and the others by their names.
    pub(crate) fn order(name: &str) -> (u32, String) {
        let digits = name.strip_prefix("lines=").and_then(|it| it.split('-').next());
        (digits.and_then(|it| it.parse().ok()).unwrap_or(0), name.to_owned())
    }
}

/// `11-20`, `21-` or `5`.
fn band(text: &str) -> Option<(u32, Option<u32>)> {
    let text = text.trim();
    let Some((from, to)) = text.split_once('-') else {
        let lines = text.parse().ok()?;
        return Some((lines, Some(lines)));
    };
    let from = from.parse().ok()?;
    if to.is_empty() {
        return Some((from, None));
    }
    let to = to.parse().ok()?;
    (from <= to).then_some((from, Some(to)))
}

fn languages(left: &Place, right: &Place) -> String {
    if left.language == right.language {
        return left.language.clone();
    }
    format!("{}-{}", left.language, right.language)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: u32) -> Place {
        Place { start_line: 5, end_line: 4 + count, language: "c".to_owned(), ..Place::default() }
    }

    #[test]
    fn a_pair_belongs_to_the_band_of_its_smaller_side() {
        let by = By::read("lines:1-10,11-20,21-").expect("bands");
        let of = |left, right| by.of(&Claim::default(), &lines(left), &lines(right));
        assert_eq!(of(10, 30).as_deref(), Some("lines=1-10"));
        assert_eq!(of(30, 11).as_deref(), Some("lines=11-20"));
        assert_eq!(of(21, 900).as_deref(), Some("lines=21-"));
        let some = By::read("lines:6-10,20").expect("bands");
        assert_eq!(some.of(&Claim::default(), &lines(5), &lines(5)), None);
        assert_eq!(some.of(&Claim::default(), &lines(20), &lines(20)).as_deref(), Some("lines=20-20"));
        assert_eq!(By::Type.of(&Claim::default(), &lines(5), &lines(5)), None);
        assert!(By::order("lines=6-10") < By::order("lines=20-20"));
    }

    #[test]
    fn wrong_strata_say_what_is_wrong() {
        for text in ["lines:1-10,10-20", "lines:21-,1-20", "lines:9-1", "lines:x", "lines:", "size", "type:1"]
        {
            assert!(By::read(text).is_err(), "{text}");
        }
    }
}
