//! Names that a text of Python uses, and that neither stand in it nor belong to Python.

use crate::literal::literal;
use crate::prepare::program;
use crate::report::{Cause, Side};
use crate::run::{has_old_members, of_name};
use crate::value::Value;
use familiar_sandbox::exchange::Exchanged;
use familiar_sandbox::{Call, Called, Program, Sandbox, SandboxError, Test};
use familiar_source::Language;

/// What finds them. It reads the text and does not run it.
const FINDER: &str = include_str!("python_names.py");

/// What the finder says before the name of a module that is missing.
const MODULE: &str = "module ";

/// Why a side cannot run by itself, whatever it is given: it is for Python 2, or lacks a name. Nothing of other languages, whose
/// compilers say it.
pub(crate) fn lacks(
    sandbox: &Sandbox,
    side: &Side,
    patience: u32,
) -> Result<Option<(Cause, String)>, SandboxError> {
    if side.language != Language::Python {
        return Ok(None);
    }
    if has_old_members(&side.code, side.language) {
        return Ok(Some((Cause::Python2, "it takes values to be as in Python 2".to_owned())));
    }
    let text = Value::Text(program(&side.code, side.language).text);
    let Some(argument) = literal(&text, "", Language::Python) else { return Ok(None) };
    let call = Call { function: "missing_names".to_owned(), arguments: vec![argument] };
    let finder = Program { language: Language::Python, text: FINDER.to_owned() };
    let outcome = sandbox.run(&finder, &Test::Values { calls: vec![call], patience, cover: false })?;
    let names: Vec<String> = match outcome.calls.first() {
        Some(Called::Returned(returned)) => Exchanged::read(returned)
            .and_then(|exchanged| serde_json::from_value(exchanged.value).ok())
            .unwrap_or_default(),
        _ => Vec::new(),
    };
    let cause = |name: &str| match name.strip_prefix(MODULE) {
        Some(module) => (Cause::MissingModule, module.to_owned()),
        None => (of_name(name, side.language), name.to_owned()),
    };
    let all: Vec<(Cause, String)> = names.iter().map(|name| cause(name)).collect();
    let old = all.iter().find(|(cause, _)| *cause == Cause::Python2);
    Ok(old.or(all.first()).cloned())
}
