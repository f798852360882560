//! Accepted findings: classes that an earlier result holds, or that somebody settled, stay quiet, wherever their code has moved since.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use familiar_files::named;
use familiar_report::{ClassRow, pair_fingerprint};
use familiar_review::{Decisions, ReviewError};
use familiar_search::Matches;
use familiar_search::classes::{Accepted, Class, Pair};

use crate::resolve::Text;
use crate::stream::class_of;

/// Why a baseline could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error("the baseline: {}", named::cannot_read(path, source))]
    Read { path: PathBuf, source: std::io::Error },
    #[error(
        "{} is not a baseline, which is a result that familiar clones wrote as JSON: {source}; to write one, run familiar clones --format json --output {}",
        path.display(), another(path)
    )]
    Parse { path: PathBuf, source: serde_json::Error },
    #[error("{}: {source}", path.display())]
    Decisions { path: PathBuf, source: ReviewError },
}

/// The name of a file for a baseline: not that of `path`, which holds something else.
fn another(path: &Path) -> &'static str {
    let names = ["clones.json", "baseline.json"];
    if path.ends_with(names[0]) { names[1] } else { names[0] }
}

/// The findings of an earlier result, and what was decided, by fingerprint.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    classes: HashMap<String, u32>,
    /// Those of `classes` that are nested in no other. A result shows and counts these.
    top: HashMap<String, u32>,
    pairs: HashMap<String, u32>,
    /// What is settled, however often it is found.
    settled: HashSet<String>,
    /// What is settled and reported all the same.
    shown: HashSet<String>,
    /// Whether it accepts anything, and so is compared with what is found.
    is_compared: bool,
}

#[derive(serde::Deserialize)]
struct Document {
    pairs: Vec<Finding>,
    classes: Vec<FoundClass>,
}

#[derive(Clone, serde::Deserialize)]
struct Finding {
    fingerprint: String,
}

#[derive(Clone, serde::Deserialize)]
struct FoundClass {
    #[serde(flatten)]
    class: Finding,
    #[serde(default)]
    nested: Vec<Finding>,
}

impl Baseline {
    /// Reads a `familiar.clones/1` document, or a `familiar.decisions/1` one, of at most `most` bytes.
    pub fn read(path: &Path, most: u64) -> Result<Self, BaselineError> {
        let bytes = named::read(path, most)
            .map_err(|source| BaselineError::Read { path: path.to_owned(), source })?;
        if Decisions::is_one(&bytes) {
            let decisions = Decisions::parse(&bytes)
                .map_err(|source| BaselineError::Decisions { path: path.to_owned(), source })?;
            return Ok(Self::default().with(&decisions));
        }
        let document: Document = serde_json::from_slice(&bytes)
            .map_err(|source| BaselineError::Parse { path: path.to_owned(), source })?;
        let all =
            document.classes.iter().flat_map(|found| std::iter::once(&found.class).chain(&found.nested));
        Ok(Self {
            classes: counted(all.cloned()),
            top: counted(document.classes.iter().map(|found| found.class.clone())),
            pairs: counted(document.pairs.into_iter()),
            is_compared: true,
            ..Self::default()
        })
    }

    /// The baseline that accepts what was settled, too.
    #[must_use]
    pub fn with(mut self, decisions: &Decisions) -> Self {
        self.settled.extend(settled(decisions));
        self.is_compared = true;
        self
    }

    /// The baseline with which what was settled is reported, and is not counted as unsettled.
    #[must_use]
    pub fn showing(mut self, decisions: &Decisions) -> Self {
        self.shown.extend(settled(decisions));
        self
    }

    /// Of what is left, the baseline that accepts what this one shows; none where it shows nothing.
    pub(crate) fn of_shown(&self) -> Option<Self> {
        (!self.shown.is_empty()).then(|| Self { settled: self.shown.clone(), ..Self::default() })
    }

    /// Classes that the earlier result showed and that are not found any more as they were; none where nothing is compared.
    fn gone(&self) -> Option<u64> {
        let left = |fingerprint: &String| self.classes.get(fingerprint).copied().unwrap_or(0);
        let gone = self.top.iter().map(|(fingerprint, &shown)| u64::from(shown.min(left(fingerprint))));
        self.is_compared.then(|| gone.sum())
    }

    /// Whether the baseline holds the class: the same members, or, where members have gone, all the pairs that are
    /// left. A further copy makes a class that is not accepted. Each finding of the baseline accepts one of the result, and
    /// what is settled accepts one pair of a class: a second pair of the same forms is a further copy.
    pub(crate) fn accepts(&mut self, class: &str, rays: &[String]) -> bool {
        if take(&mut self.classes, class) || self.settled.contains(class) {
            for ray in rays {
                take(&mut self.pairs, ray);
            }
            return true;
        }
        let mut used = HashSet::new();
        let rays: Vec<&String> =
            rays.iter().filter(|&ray| !(self.settled.contains(ray) && used.insert(ray))).collect();
        let taken = rays.iter().take_while(|ray| take(&mut self.pairs, ray)).count();
        if taken < rays.len() {
            // Not accepted after all: the pairs that were taken are there for others.
            for ray in &rays[..taken] {
                *self.pairs.entry((*ray).clone()).or_default() += 1;
            }
        }
        taken == rays.len()
    }
}

/// The fingerprints of what was settled.
fn settled(decisions: &Decisions) -> impl Iterator<Item = String> {
    let settled = decisions.standing().filter(|decision| decision.decision.settles());
    settled.map(|decision| decision.fingerprint.clone())
}

fn counted(findings: impl Iterator<Item = Finding>) -> HashMap<String, u32> {
    let mut counts = HashMap::new();
    for finding in findings {
        *counts.entry(finding.fingerprint).or_default() += 1;
    }
    counts
}

/// Takes one of what is counted under `fingerprint`.
fn take(counts: &mut HashMap<String, u32>, fingerprint: &str) -> bool {
    match counts.get_mut(fingerprint) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

/// What a search found, of which a baseline may accept some.
#[derive(Clone)]
pub(crate) struct Findings<'m> {
    pub(crate) matches: &'m Matches,
    pub(crate) texts: &'m [Text],
    pub(crate) classes: Vec<Class>,
    /// One for each of `classes`, in the same order.
    pub(crate) class_rows: Vec<ClassRow>,
    /// Rays and links.
    pub(crate) pairs: Vec<Pair>,
}

/// What a baseline accepts of them.
pub(crate) struct Hidden {
    pub(crate) classes: Vec<ClassRow>,
    /// Classes of the earlier result that are not found any more as they were, where there is one.
    pub(crate) gone: Option<u64>,
    pub(crate) pairs: Accepted,
}

/// Takes what the baseline accepts out of the findings: classes with all pairs between their members, and links.
pub(crate) fn leave_out_accepted(mut baseline: Baseline, all: Findings<'_>) -> (Findings<'_>, Hidden) {
    let Findings { matches, texts, mut classes, mut class_rows, mut pairs } = all;
    let fingerprint =
        |left: u32, right: u32| pair_fingerprint(texts[left as usize].form, texts[right as usize].form);
    let known: HashSet<String> = baseline.pairs.keys().chain(&baseline.settled).cloned().collect();
    let mut items = vec![false; texts.len()];
    let mut accepts = |row: &ClassRow| {
        let others = &row.members[1..];
        let rays: Vec<String> =
            others.iter().map(|&member| fingerprint(row.representative, member)).collect();
        let accepted = baseline.accepts(&row.fingerprint, &rays);
        if accepted {
            row.members.iter().for_each(|&member| items[member as usize] = true);
        }
        accepted
    };
    let accepted: Vec<bool> = class_rows.iter().map(&mut accepts).collect();
    let mut each = accepted.iter();
    classes.retain(|_| !*each.next().expect("as many as rows"));
    let mut each = accepted.iter();
    let quiet = class_rows.extract_if(.., |_| *each.next().expect("as many as rows")).collect();
    let hidden = known_pairs(matches, &class_of(&classes, texts.len()), items, &pairs, |pair| {
        known.contains(&fingerprint(pair.left, pair.right))
    });
    pairs.retain(|pair| !hidden.holds(matches, pair.left, pair.right));
    let hidden = Hidden { classes: quiet, gone: baseline.gone(), pairs: hidden };
    (Findings { matches, texts, classes, class_rows, pairs }, hidden)
}

/// The pairs that are known though they are part of no accepted class. What is known between the members of a class that
/// is reported is part of what it reports.
fn known_pairs(
    matches: &Matches,
    class_of: &[Option<u32>],
    items: Vec<bool>,
    pairs: &[Pair],
    is_known: impl Fn(&Pair) -> bool,
) -> Accepted {
    let within = |pair: &Pair| {
        let class = class_of[pair.left as usize];
        class.is_some() && class == class_of[pair.right as usize]
    };
    let group = |pair: &Pair| {
        let group = matches.twin_group(pair.left);
        (group == matches.twin_group(pair.right)).then_some(group)
    };
    let nodes = |pair: &Pair| {
        let (a, b) = (matches.node(pair.left), matches.node(pair.right));
        (a.min(b), a.max(b))
    };
    let mut accepted = Accepted { items, ..Accepted::default() };
    let known = || pairs.iter().filter(|pair| !within(pair) && is_known(pair));
    accepted.groups = known().filter_map(group).collect();
    accepted.links = known().filter(|pair| group(pair).is_none()).map(nodes).collect();
    let reported = || pairs.iter().filter(|pair| within(pair));
    let groups: HashSet<u32> = reported().filter_map(group).collect();
    let links: HashSet<(u32, u32)> = reported().map(nodes).collect();
    accepted.groups.retain(|group| !groups.contains(group));
    accepted.links.retain(|link| !links.contains(link));
    accepted.groups.sort_unstable();
    accepted.links.sort_unstable();
    accepted
}

#[cfg(test)]
mod tests {
    use familiar_report::class_fingerprint;
    use familiar_review::{Decision, Judgement};

    use super::*;

    /// A baseline that settles a class of these forms, and whether it accepts another one; the first is the representative.
    fn accepts(settled: &[u64], class: &[u64]) -> bool {
        let mut decisions = Decisions::default();
        let decision = Decision {
            fingerprint: class_fingerprint(settled.iter().copied()),
            decided: "2026-01-31T10:00:00Z".to_owned(),
            author: "ada".to_owned(),
            decision: Judgement::Accepted,
            comment: String::new(),
            place: String::new(),
        };
        decisions.add(decision).expect("it is right");
        let rays: Vec<String> = class[1..].iter().map(|&form| pair_fingerprint(class[0], form)).collect();
        Baseline::default().with(&decisions).accepts(&class_fingerprint(class.iter().copied()), &rays)
    }

    #[test]
    fn what_is_settled_of_two_copies_settles_no_third() {
        assert!(accepts(&[1, 1], &[1, 1]) && accepts(&[1, 2], &[2, 1]));
        assert!(!accepts(&[1, 1], &[1, 1, 1]) && !accepts(&[1, 1], &[1; 7]));
        assert!(!accepts(&[1, 2], &[1, 2, 2]) && !accepts(&[1, 2], &[1, 1, 2]));
        assert!(accepts(&[1, 1, 1], &[1, 1, 1]) && !accepts(&[1, 1, 1], &[1, 1, 1, 1]));
    }
}
