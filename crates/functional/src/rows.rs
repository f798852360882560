//! Rows of values, and the calls that give them to a side.

use crate::inputs::{Literals, Maker};
use crate::literal::literal;
use crate::matching::{Give, Match};
use crate::types::Type;
use crate::value::Value;
use familiar_sandbox::Call;
use familiar_sandbox::Chance;
use familiar_source::Language;

/// The call of a side for a row; nothing where its language cannot write a value.
pub(crate) fn call(
    found: &Match,
    side: usize,
    language: Language,
    function: &str,
    row: &[Value],
) -> Option<Call> {
    let parameters = &found.functions[side].parameters;
    let arguments: Option<Vec<String>> = found.gives[side]
        .iter()
        .enumerate()
        .map(|(place, give)| {
            let written = &parameters[place].written;
            match give {
                Give::Slot(slot) => literal(row.get(*slot)?, written, language),
                Give::LengthOf(slot) => literal(&Value::Int(length(row.get(*slot)?)), written, language),
                Give::Own(kind) => literal(&plain(kind), written, language),
            }
        })
        .collect();
    Some(Call { function: function.to_owned(), arguments: arguments? })
}

fn length(value: &Value) -> i64 {
    let length = match value {
        Value::List(items) | Value::Set(items) => items.len(),
        Value::Text(text) => text.len(),
        Value::Map(pairs) => pairs.len(),
        _ => 0,
    };
    i64::try_from(length).unwrap_or(i64::MAX)
}

/// A plain value of a type, the same each time.
fn plain(kind: &Type) -> Value {
    let mut maker = Maker { literals: &Literals::default(), chance: Chance::new(1), edge: None };
    maker.row(std::slice::from_ref(kind), 0).pop().unwrap_or(Value::Null)
}
