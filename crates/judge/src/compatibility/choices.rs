//! What a license lets one choose: later versions, the GPL in the place of the LGPL, one of several licenses.

use familiar_license::{Expression, License};

use super::duties::{Duty, DutyKind};
use super::verdict::{RuleCitation, extend};

/// More alternatives than any expression that people write; an expression that has more is not judged.
const MAX_ALTERNATIVES: usize = 256;

/// How a choice follows from the license.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum How {
    /// The license as it is written.
    Written,
    /// A version that it allows, or the license without its exception.
    Allowed,
    /// Another license that its text lets take its place.
    Converted,
}

/// One thing that a license may be taken for.
pub(super) struct Choice {
    pub(super) id: String,
    pub(super) how: How,
    /// What says that it may.
    pub(super) rule: Option<RuleCitation>,
}

impl Choice {
    fn written(id: &str) -> Self {
        Self { id: id.to_owned(), how: How::Written, rule: None }
    }
}

/// What code under `id` may be taken under: first as it is written, then the versions that it allows, then what may take its place.
pub(super) fn of_code(id: &str) -> Vec<Choice> {
    let mut choices = vec![Choice::written(id)];
    for version in versions(id) {
        let rule = RuleCitation::new(id, format!("the code is used under {version}, as its license allows"));
        choices.push(Choice { id: version, how: How::Allowed, rule: Some(rule) });
    }
    let (source, targets): (_, &[&str]) = match id {
        "LGPL-2.0-only" | "LGPL-2.0-or-later" | "LGPL-2.1-only" | "LGPL-2.1-or-later" => (
            format!("{} section 3", &id[..8]),
            &["GPL-2.0-only", "GPL-2.0-or-later", "GPL-3.0-only", "GPL-3.0-or-later"],
        ),
        "LGPL-3.0-only" => ("LGPL-3.0 section 2(b)".to_owned(), &["GPL-3.0-only"]),
        "LGPL-3.0-or-later" => ("LGPL-3.0 section 2(b)".to_owned(), &["GPL-3.0-only", "GPL-3.0-or-later"]),
        _ => return choices,
    };
    for target in targets {
        let rule =
            RuleCitation::new(&source, format!("a copy of the code may be used under {target} instead"));
        choices.push(Choice { id: (*target).to_owned(), how: How::Converted, rule: Some(rule) });
    }
    choices
}

/// What a work under `id` may go on under once it has taken code in.
pub(super) fn of_work(id: &str) -> Vec<Choice> {
    let mut choices = vec![Choice::written(id)];
    for version in versions(id) {
        let rule = RuleCitation::new(
            id,
            format!(
                "the license of the work allows {version}; with the code in it, the work may be distributed under {version} only"
            ),
        );
        choices.push(Choice { id: version, how: How::Allowed, rule: Some(rule) });
    }
    choices
}

/// What choosing `version` for the work leaves of `id`.
pub(super) fn duty(id: &str, version: &str) -> Duty {
    Duty::new(DutyKind::ChooseLicense, version, &format!("the work's {id}"))
}

/// The versions that an identifier in `-or-later` or `+` names, without itself: the latest first, and of each first what allows more.
fn versions(id: &str) -> Vec<String> {
    if let Some(stem) = id.strip_suffix("-or-later") {
        let mut later = same_family(stem);
        later.retain(|other| other.as_str() >= stem);
        let forms = later.into_iter().rev().flat_map(|other| {
            let or_later = (other != stem).then(|| format!("{other}-or-later"));
            or_later.into_iter().chain([format!("{other}-only")])
        });
        return forms.filter(|form| spdx::license_id(form).is_some()).collect();
    }
    let Some(stem) = id.strip_suffix('+') else { return Vec::new() };
    let mut later = same_family(stem);
    later.retain(|other| other.as_str() >= stem);
    later.reverse();
    later.retain(|other| other != stem);
    later.insert(0, stem.to_owned());
    later
}

/// The versions of the license that `stem` (`GPL-2.0`) is one of, in order. Versions compare as text, since all are of one digit, a
/// point and digits.
fn same_family(stem: &str) -> Vec<String> {
    let Some((name, _)) = stem.rsplit_once('-').filter(|(_, version)| is_version(version)) else {
        return vec![stem.to_owned()];
    };
    let mut versions: Vec<String> = spdx::identifiers::LICENSES
        .iter()
        .map(|license| license.name)
        .filter(|other| other.starts_with(name))
        .map(|other| other.strip_suffix("-only").unwrap_or(other))
        .filter(|other| {
            other.rsplit_once('-').is_some_and(|(other, version)| other == name && is_version(version))
        })
        .map(str::to_owned)
        .collect();
    versions.sort();
    versions.dedup();
    versions
}

fn is_version(text: &str) -> bool {
    text.split_once('.').is_some_and(|(major, minor)| {
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        major.len() == 1 && digits(major) && digits(minor)
    })
}

/// The sets of licenses of which one has to be kept as a whole; none where there are too many of them.
pub(super) fn alternatives(expression: &Expression) -> Option<Vec<Vec<&License>>> {
    match expression {
        Expression::License(license) => Some(vec![vec![license]]),
        Expression::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(alternatives(part)?);
            }
            (all.len() <= MAX_ALTERNATIVES).then_some(all)
        }
        Expression::And(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let choices = alternatives(part)?;
                if all.len() * choices.len() > MAX_ALTERNATIVES {
                    return None;
                }
                all = all.iter().flat_map(|set| choices.iter().map(move |more| joined(set, more))).collect();
            }
            Some(all)
        }
    }
}

fn joined<'a>(set: &[&'a License], more: &[&'a License]) -> Vec<&'a License> {
    let mut joined = set.to_vec();
    extend(&mut joined, more.to_vec());
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(choices: &[Choice]) -> String {
        choices.iter().map(|choice| choice.id.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn or_later_is_every_later_version_by_itself() {
        assert_eq!(
            ids(&of_work("GPL-2.0-or-later")),
            "GPL-2.0-or-later GPL-3.0-or-later GPL-3.0-only GPL-2.0-only"
        );
        assert_eq!(ids(&of_work("GPL-3.0-or-later")), "GPL-3.0-or-later GPL-3.0-only");
        assert_eq!(ids(&of_work("Apache-1.1+")), "Apache-1.1+ Apache-1.1 Apache-2.0");
        assert_eq!(ids(&of_work("MPL-2.0+")), "MPL-2.0+ MPL-2.0");
        assert_eq!(ids(&of_work("GPL-2.0-only")), "GPL-2.0-only");
        assert_eq!(ids(&of_work("LicenseRef-x")), "LicenseRef-x");
    }

    #[test]
    fn code_under_the_lgpl_may_be_taken_under_the_gpl() {
        assert_eq!(
            ids(&of_code("LGPL-2.1-only")),
            "LGPL-2.1-only GPL-2.0-only GPL-2.0-or-later GPL-3.0-only GPL-3.0-or-later"
        );
        assert_eq!(ids(&of_code("LGPL-3.0-only")), "LGPL-3.0-only GPL-3.0-only");
        assert_eq!(ids(&of_work("LGPL-2.1-only")), "LGPL-2.1-only");
    }

    #[test]
    fn alternatives_are_counted_before_they_are_made() {
        let of = |text: &str| {
            let expression = Expression::parse(text).expect(text);
            let sets = alternatives(&expression)?;
            let texts = sets
                .iter()
                .map(|set| set.iter().map(|license| license.id.as_str()).collect::<Vec<_>>().join("+"));
            Some(texts.collect::<Vec<_>>().join(" "))
        };
        assert_eq!(of("(MIT OR ISC) AND Zlib OR 0BSD"), Some("MIT+Zlib ISC+Zlib 0BSD".to_owned()));
        assert_eq!(of(&vec!["(MIT OR ISC)"; 20].join(" AND ")), None);
    }
}
