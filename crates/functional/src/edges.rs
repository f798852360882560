//! Inputs at the edges of what types hold, and which differences there say nothing of a pair.
//!
//! They are tried where both sides did the same on ordinary inputs. Within one language, what differs there differs. Two languages
//! have numbers of different sizes and other letters by design, so that an honest translation differs there, too.

use crate::boundaries::{INTEGERS, REALS};
use crate::compare::Seen;
use crate::inputs::{Literals, Maker};
use crate::prepare::trapping;
use crate::run::run;
use crate::stage::{Both, Stage};
use crate::tokens::words;
use crate::types::Type;
use crate::value::Value;
use familiar_sandbox::{Call, Chance, SandboxError};
use familiar_source::Language;
use serde_json::Value as Json;
use std::collections::BTreeSet;

/// How many thousandths of a second a call may take on these inputs.
const PATIENCE: u32 = 100;
/// Up to here, a whole number is an ordinary one for every language.
const ORDINARY: u64 = 1000;
/// From here on, four bytes do not hold a whole number.
const LARGE: f64 = (1_u64 << 31) as f64;

impl Stage<'_> {
    /// Rows with values at the edges: first the same one for each parameter, then one beside ordinary values. Where types were
    /// guessed, real numbers get some rows, too, if both sides take them.
    pub(crate) fn edge_rows(&self, known: &[Vec<Value>]) -> Vec<Vec<Value>> {
        let literals = Literals::default();
        let mut maker = Maker { literals: &literals, chance: Chance::new(self.options.seed ^ 2), edge: None };
        let mut rows: Vec<Vec<Value>> = Vec::new();
        for (turn, kinds) in self.kinds.iter().enumerate() {
            // Further choices are less likely: of these, real numbers in the place of whole ones are tried.
            let likely = kinds.iter().zip(&self.kinds[0]).all(|(kind, first)| of_one_shape(kind, first));
            if !likely || !kinds.iter().any(|kind| holds(kind, &is_of_edges)) {
                continue;
            }
            let count = if turn == 0 { INTEGERS.len() } else { REALS.len() };
            for alone in [false, true] {
                for at in 0..count {
                    let mut row = Vec::new();
                    for (slot, kind) in kinds.iter().enumerate() {
                        maker.edge = Some(at).filter(|_| !alone || slot == at % kinds.len());
                        row.push(maker.row(std::slice::from_ref(kind), at).pop().unwrap_or(Value::Null));
                    }
                    if !rows.contains(&row) && !known.contains(&row) {
                        rows.push(row);
                    }
                }
            }
        }
        rows.sort_by_key(|row| row.iter().map(largest).max());
        rows
    }

    /// Tries inputs at the edges and adds them to `both`, but for those whose difference says nothing.
    pub(crate) fn add_edges(
        &mut self,
        judge: &crate::verdict::Judge,
        both: &mut Both,
    ) -> Result<(), SandboxError> {
        let rows = self.edge_rows(&both.rows);
        if rows.is_empty() {
            return Ok(());
        }
        let patience = std::mem::replace(&mut self.patience, PATIENCE.min(self.options.patience));
        let more = self.both(rows);
        self.patience = patience;
        let Ok(mut more) = more? else { return Ok(()) };
        let differing: Vec<usize> = judge.of(&more).differing.iter().map(|(place, _)| *place).collect();
        let mut excused = self.excused(&more, &differing)?;
        let single =
            [0, 1].into_iter().any(|side| has_single(&self.side(side).code, self.side(side).language));
        for place in differing {
            let ended = more.runs.iter().any(|run| matches!(run.seen[place], Seen::Ended(_)));
            let far = more.rows[place].iter().any(|value| largest(value) > ORDINARY);
            let real = more.rows[place].iter().any(has_real);
            if ended || self.across() && (far || real && single) {
                excused.insert(place);
            }
        }
        more.leave_out(&excused);
        both.add(more);
        Ok(())
    }

    /// The inputs among `places` whose difference says nothing, wherever they come from.
    pub(crate) fn excused(&self, both: &Both, places: &[usize]) -> Result<BTreeSet<usize>, SandboxError> {
        if self.across() {
            let large = |place: usize| {
                both.runs.iter().any(|run| run.seen[place].normal().is_some_and(|it| has_large(&it.value)))
            };
            let foreign = |place: usize| both.rows[place].iter().any(has_foreign_letters);
            return Ok(places.iter().copied().filter(|place| large(*place) || foreign(*place)).collect());
        }
        self.overflowing(both, places)
    }

    /// In C and C++ nothing is said of a number with a sign that becomes too large: the inputs with which one does.
    fn overflowing(&self, both: &Both, places: &[usize]) -> Result<BTreeSet<usize>, SandboxError> {
        let mut found = BTreeSet::new();
        if !matches!(self.side(0).language, Language::C | Language::Cpp) {
            return Ok(found);
        }
        for side in [0, 1] {
            let calls: Vec<Call> = places.iter().map(|place| both.calls[side][*place].clone()).collect();
            let prepared = trapping(&self.sides[side]);
            let Ok(run) = run(self.sandbox, &prepared, &calls, self.options.patience, false)? else {
                continue;
            };
            for (place, seen) in places.iter().zip(run.seen) {
                if seen.normal().is_none() && both.runs[side].seen[*place].normal().is_some() {
                    found.insert(*place);
                }
            }
        }
        Ok(found)
    }

    fn across(&self) -> bool {
        self.side(0).language != self.side(1).language
    }
}

/// Whether a type is one, or holds one, of which `is` is true.
fn holds(kind: &Type, is: &dyn Fn(&Type) -> bool) -> bool {
    is(kind)
        || match kind {
            Type::List(of) | Type::Set(of) => holds(of, is),
            Type::Map(key, value) => holds(key, is) || holds(value, is),
            Type::Object(fields) | Type::Record(fields) => fields.iter().any(|(_, kind)| holds(kind, is)),
            _ => false,
        }
}

/// Whether two types are the same but for the kind of their numbers.
fn of_one_shape(one: &Type, other: &Type) -> bool {
    let number = |kind: &Type| matches!(kind, Type::Int | Type::Any | Type::Real);
    match (one, other) {
        (Type::List(one), Type::List(other)) | (Type::Set(one), Type::Set(other)) => of_one_shape(one, other),
        (one, other) => one == other || number(one) && number(other),
    }
}

fn is_of_edges(kind: &Type) -> bool {
    matches!(kind, Type::Int | Type::Any | Type::Real | Type::Text | Type::Char)
}

/// Whether a value is one, or holds one, of which `is` is true.
fn has(value: &Value, is: &dyn Fn(&Value) -> bool) -> bool {
    is(value)
        || match value {
            Value::List(items) | Value::Set(items) => items.iter().any(|item| has(item, is)),
            Value::Map(pairs) => pairs.iter().any(|(key, value)| has(key, is) || has(value, is)),
            Value::Object(fields) => fields.iter().any(|(_, value)| has(value, is)),
            _ => false,
        }
}

fn has_real(value: &Value) -> bool {
    has(value, &|value| matches!(value, Value::Real(_)))
}

fn has_foreign_letters(value: &Value) -> bool {
    has(value, &|value| matches!(value, Value::Text(text) if !text.is_ascii()))
}

/// The size of the largest whole number in a value.
fn largest(value: &Value) -> u64 {
    match value {
        Value::Int(number) => number.unsigned_abs(),
        Value::List(items) | Value::Set(items) => items.iter().map(largest).max().unwrap_or(0),
        Value::Map(pairs) => {
            pairs.iter().map(|(key, value)| largest(key).max(largest(value))).max().unwrap_or(0)
        }
        Value::Object(fields) => fields.iter().map(|(_, value)| largest(value)).max().unwrap_or(0),
        _ => 0,
    }
}

/// Whether a result has a whole number that four bytes do not hold.
fn has_large(value: &Json) -> bool {
    match value {
        Json::Number(number) => number.as_f64().is_some_and(|it| it.abs() >= LARGE && it.fract() == 0.0),
        Json::Array(items) => items.iter().any(has_large),
        Json::Object(form) => form.contains_key("int") || form.values().any(has_large),
        _ => false,
    }
}

/// Whether a text has real numbers of four bytes.
fn has_single(code: &str, language: Language) -> bool {
    let names = match language {
        Language::C | Language::Cpp => ["float", "float"],
        Language::Java => ["float", "Float"],
        Language::CSharp => ["float", "Single"],
        Language::Go => ["float32", "float32"],
        _ => return false,
    };
    words(code, language).iter().any(|word| names.contains(&word.text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_four_bytes_do_not_hold_is_seen() {
        for large in [json!(2_147_483_648_u64), json!([1, -2e10]), json!({"int": "0x20000000000001"})] {
            assert!(has_large(&large), "{large}");
        }
        for small in [json!(2_147_483_647), json!(0.5), json!("2147483648"), json!([null, {"set": [1]}])] {
            assert!(!has_large(&small), "{small}");
        }
        assert!(has_single("float f(float x) { return x; }", Language::C));
        assert!(!has_single("double f(double floats) { return floats; }", Language::C));
        let nested = Value::List(vec![Value::Map(vec![(Value::Text("é".into()), Value::Int(-40_000))])]);
        assert!(has_foreign_letters(&nested) && !has_real(&nested));
        assert_eq!(largest(&nested), 40_000);
    }
}
