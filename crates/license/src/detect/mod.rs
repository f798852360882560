//! The licenses that one text speaks of.
//!
//! A text becomes [words](crate::rules::Words); [`tags`], [`exact`] and [`sequence`] find rules in them; [`refine`] leaves those that
//! count where several stand on the same words; [`group`] says what those near each other mean. The steps and their
//! thresholds are those of ScanCode (Apache-2.0, `licensedcode`), whose rules they are made for; the look-ups are our own.
//!
//! # Files
//!
//! `query` makes words of a text, `prefixes` takes away what begins a comment. `license_match` is what is found in it.
//!
//! - **Finding:** `tags`, `fields` and `badges`; `exact` for whole rules; `candidates` and `sequence` for parts of them.
//! - **Refining:** `refine` calls all of it. `merge` joins parts of one match, `overlap` says which
//!   of several count, `named` whether a part names licenses. `altered` says whether a part keeps the words that tell licenses apart:
//!   `edit` is one difference, `realign` compares word by word, `ends` what stands before and after, `nearest` which rule
//!   speaks where several are alike, `titles` whether a text stands under another license's name.
//!   `lists` leaves out lists of licenses, `unspecific` words that belong to a notice, `conditions`
//!   what is asked, `offered` what belongs to a choice.
//! - **Reading:** `completed` says which version stands beside a name, `exceptions` which license
//!   has the exception below it, `choice` what a sentence offers as a choice and `instead` what
//!   another one offers, `restricted` what takes away what a license beside it gives, `group` what
//!   those near each other mean. `words` are those of a stretch. `cases` and `mutations` are
//!   tests: notices in words that no rule has, and rules with a word changed.

mod altered;
mod badges;
mod candidates;
#[cfg(test)]
mod cases;
mod choice;
mod completed;
mod conditions;
mod edit;
mod ends;
mod exact;
mod exceptions;
mod fields;
mod found;
mod grams;
mod group;
mod instead;
mod license_match;
mod lists;
mod merge;
#[cfg(test)]
mod mutations;
mod named;
mod nearest;
mod offered;
mod overlap;
mod prefixes;
mod query;
mod realign;
mod refine;
mod restricted;
mod sequence;
mod span;
mod tags;
#[cfg(test)]
mod tests;
mod titles;
mod unspecific;
mod words;

use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::Expression;
use crate::rules::{Flags, Known, Rules, Word};
use candidates::{Candidate, Candidates};
use completed::Completion;
use exact::Anchors;
use found::{Found, KnownWords, Scene};
pub use license_match::{LicenseMatch, MatchKind, Note};
use nearest::Parts;
use query::Query;
use sequence::Sequences;
use span::Span;
use titles::Titles;

/// What one text says of licenses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Detected {
    /// What tells a license, in the order of the text.
    pub matches: Vec<LicenseMatch>,
    /// Mere mentions and hints, which do not.
    pub mentions: Vec<LicenseMatch>,
}

impl Detected {
    /// What all matches say together.
    pub fn expression(&self) -> Option<Expression> {
        self.matches
            .iter()
            .map(|found| found.expression.clone())
            .reduce(Expression::and)
            .map(Expression::simplified)
    }
}

/// Finds licenses in texts. Made once, used by many threads.
#[derive(Debug)]
pub struct Detector {
    rules: &'static Rules,
    words: FxHashMap<&'static str, Known>,
    /// The expression of each rule, parsed.
    expressions: Vec<Expression>,
    /// The words that name the licenses of each, as far as they are known.
    names_of_expressions: Vec<Vec<Word>>,
    /// SPDX's names of licenses, by all their names in lower case.
    names: FxHashMap<String, &'static str>,
    /// The categories of the licenses, by their SPDX names.
    categories: FxHashMap<&'static str, &'static str>,
    anchors: Anchors,
    known: KnownWords,
    /// Words with a digit: `2`, `gplv3`.
    numbered: FxHashSet<Word>,
    /// Made when first needed: whole rules are all that most texts hold.
    candidates: OnceLock<Candidates>,
}

/// A license text of more tokens that is found nearly whole is looked into again for longer texts of the same license only.
const LONG_TEXT: u32 = 120;
/// Least share of a license text that is there, if the whole text of another license is a part of it.
const LEAST_AROUND: f32 = 0.9;
/// What is said of a license text that is none that is known.
const UNKNOWN: &str = "LicenseRef-scancode-unknown";

/// What is told of a license text with words changed: that there is one, and which it is nearest to.
fn in_doubt(found: LicenseMatch) -> LicenseMatch {
    let expression = Expression::parse(UNKNOWN).unwrap_or_else(|_| Expression::no_assertion());
    LicenseMatch { expression, score: found.score / 2.0, note: Some(Note::Altered), ..found }
}

fn numbered(rules: &Rules) -> FxHashSet<Word> {
    let words = rules.vocabulary.words.iter();
    words.filter(|(word, _)| word.contains(|c: char| c.is_ascii_digit())).map(|(_, number)| *number).collect()
}

impl Detector {
    /// The detector with the rules that come with it.
    pub fn embedded() -> &'static Self {
        static DETECTOR: OnceLock<Detector> = OnceLock::new();
        DETECTOR.get_or_init(|| Self::of(Rules::embedded()))
    }

    /// Makes now what finds parts of rules, and otherwise is made when a text first needs it.
    pub fn prepare(&self) {
        self.candidates.get_or_init(|| Candidates::of(self.rules));
    }

    /// A detector with these rules.
    pub fn of(rules: &'static Rules) -> Self {
        let parse = |text: &String| Expression::parse(text).unwrap_or_else(|_| Expression::no_assertion());
        let mut names = FxHashMap::default();
        for license in &rules.licenses {
            for alias in &license.aliases {
                names.entry(alias.to_lowercase()).or_insert(license.id.as_str());
            }
        }
        for license in &rules.licenses {
            names.insert(license.id.to_lowercase(), license.id.as_str());
        }
        let words = rules.vocabulary.index();
        let known = KnownWords::of(|word| match words.get(word) {
            Some(Known::Word(word)) => Some(*word),
            _ => None,
        });
        let expressions: Vec<Expression> = rules.expressions.iter().map(parse).collect();
        Self {
            rules,
            words,
            known,
            numbered: numbered(rules),
            names_of_expressions: named::names(rules, &expressions),
            expressions,
            names,
            categories: rules.licenses.iter().map(|license| (&*license.id, &*license.category)).collect(),
            anchors: Anchors::of(rules),
            candidates: OnceLock::new(),
        }
    }

    /// The licenses that `text` speaks of; `text` is decoded, comment leaders and all.
    pub fn detect(&self, text: &str) -> Detected {
        let text = &*prefixes::blanked(text);
        let mut detected = self.stated(text);
        let joined = choice::joined(text, &exceptions::joined(text, detected.matches));
        let (matches, of_choices) = offered::split(text, joined);
        detected.matches = matches;
        detected.mentions.extend(of_choices);
        detected
    }

    /// The same, each license of a choice by itself.
    fn stated(&self, text: &str) -> Detected {
        let query = Query::read(text, &self.words);
        if query.tokens.is_empty() {
            return Detected::default();
        }
        let (mut tags, mut in_tags) = tags::find(self.rules, &self.names, text, &query);
        fields::add(self.rules, &self.names, &self.words, text, &query, (&mut tags, &mut in_tags));
        badges::add(self.rules, &self.names, text, &query, (&mut tags, &mut in_tags));
        let scene = Scene {
            rules: self.rules,
            expressions: &self.expressions,
            query: &query,
            tags: &tags,
            known: self.known,
            names: &self.names_of_expressions,
        };
        let Parts { kept, mut altered } = self.matches(scene, in_tags);
        let (lacking, matches): (Vec<Found>, Vec<Found>) = kept
            .into_iter()
            .partition(|found| self.is_permissive(scene, found) && altered::lacks_right(scene, found));
        altered.extend(lacking);
        let covered = Span::of_all(matches.iter().map(|found| &found.text));
        let completion = Completion { scene, text, covered: &covered };
        let mut detected = Detected::default();
        for group in group::groups(scene, text, matches) {
            detected.matches.extend(group.counted.iter().map(|found| match_of(completion, found)));
            detected.mentions.extend(group.rest.iter().map(|found| match_of(completion, found)));
        }
        if !altered.is_empty() {
            detected.matches.extend(altered.iter().map(|found| in_doubt(match_of(completion, found))));
            detected.matches.sort_by_key(|found| found.bytes);
        }
        let (statements, conditions) = conditions::split(text, detected.matches);
        detected.mentions.extend(conditions);
        let (matches, of_notices) = unspecific::split(text, statements);
        detected.matches = matches;
        let covered = covered.union(&Span::of_all(altered.iter().map(|found| &found.text)));
        let restrictions = self.restrictions(scene, text, &covered, &detected.matches);
        if !restrictions.is_empty() {
            detected.matches.extend(restrictions);
            detected.matches.sort_by_key(|found| found.bytes);
        }
        detected.mentions.extend(of_notices);
        detected
    }

    /// Whether a rule stands for a license that gives much and asks for little.
    fn is_permissive(&self, scene: Scene<'_>, found: &Found) -> bool {
        let licenses = scene.expression(found).licenses();
        licenses.iter().all(|license| self.categories.get(&*license.id) == Some(&"Permissive"))
    }

    /// The sentences beside `matches`, which stand at the words `covered`, that take away what these give.
    fn restrictions(
        &self,
        scene: Scene<'_>,
        text: &str,
        covered: &Span,
        matches: &[LicenseMatch],
    ) -> Vec<LicenseMatch> {
        if matches.is_empty() {
            return Vec::new();
        }
        let category = |id: &str| self.categories.get(id).copied();
        restricted::sentences(text, matches, category, |byte| {
            scene.query.token_at(byte).is_some_and(|token| covered.holds(token))
        })
    }

    /// What tells a license, and license texts with words changed.
    fn matches(&self, scene: Scene<'_>, in_tags: Vec<Found>) -> Parts {
        let (rules, query) = (self.rules, scene.query);
        let tagged = Span::of_all(in_tags.iter().map(|found| &found.text));
        let exact = self.anchors.find(rules, &query.tokens, &tagged);
        let is_all =
            |found: &&Found| found.text.len() == query.len() && !scene.is(found, Flags::FALSE_POSITIVE);
        if let Some(all) = exact.iter().find(is_all) {
            return Parts { kept: vec![all.clone()], ..Parts::default() };
        }
        let mut matches = in_tags;
        matches.extend(refine::refine(scene, exact));
        if !may_have_parts(scene, &tagged) {
            return Parts { kept: refine::without_false_positives(scene, matches), ..Parts::default() };
        }
        let mut altered = Vec::new();
        let is_done = |found: &&Found| {
            scene.is(found, Flags::TEXT) && scene.length(found) > LONG_TEXT && scene.coverage(found) > 0.98
        };
        let done: Vec<&Found> = matches.iter().filter(is_done).collect();
        let taken = Span::of_all(done.iter().map(|found| &found.text).chain([&tagged]));
        let known = Span::of_all(matches.iter().map(|found| &found.text));
        let candidates = self.candidates.get_or_init(|| Candidates::of(rules));
        let mut searches = vec![(candidates.choose(rules, query, &known, &taken), &taken)];
        if !done.is_empty() {
            // What is known may be a part of a longer text of the same license, or the end of another one.
            let goes_on = |candidate: &Candidate| {
                let rule = candidate.rule;
                let is_part = |found: &&Found| {
                    rules.length(rule) > scene.length(found)
                        && (scene.expression(found) == scene.expression_of(rule)
                            || ends_with(scene, rule, found))
                };
                done.iter().any(is_part)
            };
            let windows = candidates.choose(rules, query, &known, &tagged).into_iter();
            let longer = windows.map(|window| window.into_iter().filter(goes_on).collect());
            searches.push((longer.collect(), &tagged));
        }
        let titles = Titles { anchors: &self.anchors, numbered: &self.numbered };
        let mut all_parts = Vec::new();
        for (windows, taken) in searches {
            let mut sequences = Sequences::new(rules, query, taken);
            for window in windows {
                let parts = window.into_iter().flat_map(|candidate| sequences.find(candidate)).collect();
                let mut parts = merge::merge(scene, parts);
                parts.retain(|part| {
                    refine::is_enough(scene, part)
                        && !takes_another(scene, &done, part)
                        && !matches.iter().any(|whole| refine::explains(scene, whole, part))
                });
                let Parts { kept, altered: of_window } = nearest::sorted(scene, titles, parts);
                all_parts.extend(refine::likeliest(scene, kept));
                altered.extend(of_window);
            }
        }
        if !all_parts.is_empty() {
            matches.extend(all_parts);
            matches = refine::refine(scene, matches);
        }
        let kept = refine::without_false_positives(scene, matches);
        Parts { altered: nearest::in_doubt(scene, altered, &kept), kept }
    }
}

/// Whether a rule is a license text that ends with that of another license: Python's with that of the CWI.
fn ends_with(scene: Scene<'_>, rule: u32, found: &Found) -> bool {
    matches!(scene.expression_of(rule), Expression::License(_))
        && scene.rules.tokens(rule).ends_with(scene.rules.tokens(found.rule))
}

/// Whether a part of a rule has the whole text of another license in it, but not as its end, or not with the most of its own.
fn takes_another(scene: Scene<'_>, done: &[&Found], part: &Found) -> bool {
    let is_another =
        |found: &Found| scene.expression(found) != scene.expression(part) && part.text.contains(&found.text);
    let is_whole = scene.coverage(part) >= LEAST_AROUND;
    done.iter().any(|found| is_another(found) && !(is_whole && ends_with(scene, part.rule, found)))
}

/// Whether a text has a legal word that is not `taken`. Without one, no part of a rule is found.
fn may_have_parts(scene: Scene<'_>, taken: &Span) -> bool {
    let is_legal = |&word: &Word| word < scene.rules.vocabulary.legal;
    scene.query.tokens.iter().zip(0..).any(|(word, at)| is_legal(word) && !taken.holds(at))
}

/// What is found, for those who read it.
fn match_of(completion: Completion<'_>, found: &Found) -> LicenseMatch {
    let scene = completion.scene;
    let rule = scene.rule(found);
    let kinds = [
        (Flags::TEXT, MatchKind::Text),
        (Flags::NOTICE, MatchKind::Notice),
        (Flags::TAG, MatchKind::Tag),
        (Flags::REFERENCE, MatchKind::Reference),
        (Flags::INTRO, MatchKind::Intro),
    ];
    let kind = kinds.iter().find(|(flag, _)| rule.flags.has(*flag)).map_or(MatchKind::Clue, |kind| kind.1);
    let expression = scene.expression(found);
    let (expression, note) = match completion.of(found, expression) {
        Some(complete) => (complete, Some(Note::Version)),
        None => (expression.clone(), scene.note(found)),
    };
    let bytes = scene.query.bytes(found.text.start(), found.text.last());
    LicenseMatch {
        kind,
        expression,
        rule: rule.name.clone(),
        score: scene.score(found),
        lines: scene.lines(found),
        bytes: (bytes.start, bytes.end),
        note,
    }
}
