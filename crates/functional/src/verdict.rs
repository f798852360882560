//! What the results of both sides say.

use crate::compare::{How, Seen, plain};
use crate::report::{Cause, Difference, Report, Verdict, Where};
use crate::signature::Function;
use crate::stage::Both;
use crate::types::Type;
use crate::value::Value;
use familiar_sandbox::{Agreement, LEAST_INPUTS, LEAST_RESULTS};
use familiar_source::Language;
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// Of the mutants, so many in a hundred have to be detected.
const LEAST_DETECTED: usize = 80;
/// One alone does not say whether the inputs see much.
pub(crate) const LEAST_MUTANTS: usize = 2;

/// How results are judged.
pub(crate) struct Judge {
    pub(crate) how: How,
    /// Whether the types of parameters were guessed.
    pub(crate) guessed: bool,
    pub(crate) languages: [Language; 2],
    pub(crate) functions: [Function; 2],
    /// Whether no side ever returns a value.
    pub(crate) silent: bool,
}

/// What was found in all results.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    /// How many inputs were compared.
    pub(crate) compared: usize,
    /// Those on which both sides ended normally.
    pub(crate) normal: Vec<usize>,
    /// How many different results the first side gave among these.
    pub(crate) results: usize,
    /// Those on which the sides differ.
    pub(crate) differing: Vec<(usize, Where)>,
}

impl Judge {
    /// Judges all that both sides did.
    pub(crate) fn of(&self, both: &Both) -> Judged {
        self.all(&both.rows, &both.runs[0].seen, &both.runs[1].seen)
    }

    /// Judges the results of all inputs.
    pub(crate) fn all(&self, rows: &[Vec<Value>], first: &[Seen], second: &[Seen]) -> Judged {
        let mut judged = Judged::default();
        let mut results = BTreeSet::new();
        for (place, (one, other)) in first.iter().zip(second).enumerate() {
            // A limit says nothing of a function, and what it does not take is no input.
            let outside = |seen: &Seen| self.guessed && seen.refused();
            if one.over_a_limit() || other.over_a_limit() || outside(one) != outside(other) {
                continue;
            }
            judged.compared += 1;
            if let (Some(left), Some(_)) = (one.normal(), other.normal()) {
                judged.normal.push(place);
                // An argument that stays as it was is no result.
                let given = rows.get(place).map_or(&[][..], Vec::as_slice);
                results.insert(match &left.value {
                    Json::Null => format!("{} {}", Json::from(changed(&left.after, given)), left.printed),
                    value => value.to_string(),
                });
            }
            judged.differing.extend(self.differ(one, other).map(|kind| (place, kind)));
        }
        judged.results = results.len();
        judged
    }

    fn differ(&self, one: &Seen, other: &Seen) -> Option<Where> {
        let (Some(left), Some(right)) = (one.normal(), other.normal()) else {
            let both = one.normal().is_none() && other.normal().is_none();
            let alike = both && (self.how.across || self.guessed || one == other);
            return (!alike).then_some(Where::Raised);
        };
        let (first, second) = (self.result(0, one)?, self.result(1, other)?);
        if !self.how.alike(&first, &second) {
            return Some(Where::Value);
        }
        if self.silent && plain(&left.printed) != plain(&right.printed) {
            return Some(Where::Output);
        }
        let shared = left.after.len().min(right.after.len());
        let alike = |place: usize| self.how.alike(&left.after[place], &right.after[place]);
        let comparable = !self.how.across
            || self.by_reference(0) && self.by_reference(1) && left.after.len() == right.after.len();
        (comparable && !(0..shared).all(alike)).then_some(Where::Arguments)
    }

    /// What a side gives. Across languages, a list that a function fills counts as its result where the other side returns one.
    fn result(&self, side: usize, seen: &Seen) -> Option<Json> {
        let exchanged = seen.normal()?;
        let fills = self.how.across
            && self.functions[side].returns == Type::Nothing
            && self.functions[1 - side].returns != Type::Nothing
            && !self.silent;
        let filled = if fills { exchanged.after.first() } else { None };
        Some(filled.unwrap_or(&exchanged.value).clone())
    }

    /// Whether a function can change what it is given, so that the caller sees it.
    fn by_reference(&self, side: usize) -> bool {
        match self.languages[side] {
            Language::Cpp => self.functions[side].parameters.iter().all(|it| it.written.contains(['&', '*'])),
            _ => {
                self.functions[1 - side].returns == Type::Nothing
                    || self.functions[side].returns == Type::Nothing
            }
        }
    }

    /// A difference as it is reported.
    pub(crate) fn difference(&self, row: &[Value], seen: &[Seen; 2], place: Where) -> Difference {
        let text = |side: usize| match (place, seen[side].normal()) {
            (Where::Output, Some(exchanged)) => exchanged.printed.clone(),
            (Where::Arguments, Some(exchanged)) => Json::from(exchanged.after.clone()).to_string(),
            (Where::Value, Some(_)) => self.result(side, &seen[side]).unwrap_or_default().to_string(),
            _ => seen[side].text(),
        };
        let input = row.iter().map(Value::json).collect();
        Difference { input, left: text(0), right: text(1), place }
    }
}

/// The arguments that are not as they were given.
fn changed(after: &[Json], given: &[Value]) -> Vec<Json> {
    let how = How { across: true };
    let given: Vec<Json> = given.iter().map(Value::json).collect();
    after.iter().filter(|after| !given.iter().any(|given| how.alike(given, after))).cloned().collect()
}

/// Whether so many detected mutants are enough.
pub(crate) fn enough(mutants: usize, detected: usize) -> bool {
    mutants >= LEAST_MUTANTS && detected * 100 >= mutants * LEAST_DETECTED
}

/// What it says that both sides do the same.
pub(crate) fn strength(normal: usize, results: usize, mutants: usize, detected: usize) -> Verdict {
    let strong = normal >= LEAST_INPUTS && results >= LEAST_RESULTS && enough(mutants, detected);
    if strong { Verdict::Agrees } else { Verdict::WeaklyTested }
}

/// The report on two programs that run by themselves.
pub(crate) fn of_programs(agreement: &Agreement) -> Report {
    let mut report = Report::cannot(Cause::NoNormalInput, None, "");
    report.inputs = agreement.inputs;
    report.normal = agreement.normal;
    report.results = agreement.results;
    report.mutants = agreement.mutants;
    report.detected = agreement.detected;
    if let Some(difference) = &agreement.difference {
        report.verdict = Verdict::Differs;
        report.cause = None;
        report.differing = 1;
        report.difference = Some(Difference {
            input: Json::from(difference.input.clone()),
            left: difference.original.clone(),
            right: difference.candidate.clone(),
            place: Where::Output,
        });
    } else if agreement.normal > 0 {
        report.cause = None;
        report.verdict = strength(agreement.normal, agreement.results, agreement.mutants, agreement.detected);
    }
    report
}
