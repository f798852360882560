//! `familiar.toml`: settings that stand beside the code, named as the flags are; a flag wins.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command};
use toml::de::{DeTable, DeValue};

const FILE: &str = "familiar.toml";

/// `arguments` with the settings of the nearest `familiar.toml` added for the flags that they do not give.
///
/// The file is looked for in the folder of the first path and above. Fails where it cannot be read, or where a key is no
/// flag's name.
pub(crate) fn with_file(command: &Command, arguments: Vec<OsString>) -> anyhow::Result<Vec<OsString>> {
    let Ok(matches) = command.clone().try_get_matches_from(&arguments) else { return Ok(arguments) };
    let Some(("clones", given)) = matches.subcommand() else { return Ok(arguments) };
    let Some(file) = nearest(given) else { return Ok(arguments) };
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let verb = command.find_subcommand("clones").context("the verb that was just matched")?;
    let settings = flags(verb, given, &text).with_context(|| format!("in {}", file.display()))?;
    // The added flags come last, so that values of the command line cannot take them up.
    Ok(arguments.into_iter().chain(settings).collect())
}

fn nearest(given: &ArgMatches) -> Option<PathBuf> {
    let first = ["paths", "query"].iter().find_map(|id| given.get_many::<PathBuf>(id)?.next().cloned());
    let start = std::path::absolute(first.unwrap_or_else(|| PathBuf::from("."))).ok()?;
    start.ancestors().map(|folder| folder.join(FILE)).find(|file| Path::is_file(file))
}

/// The settings as flags, without those that the command line gives.
fn flags(verb: &Command, given: &ArgMatches, text: &str) -> anyhow::Result<Vec<OsString>> {
    let table = DeTable::parse(text)?;
    let mut flags = Vec::new();
    for (key, value) in table.get_ref() {
        let name = key.get_ref().as_ref();
        let line = text[..key.span().start].matches('\n').count() + 1;
        let argument = verb.get_arguments().find(|argument| argument.get_long() == Some(name));
        let Some(argument) = argument else {
            bail!(
                "line {line}: {name} is no setting: settings are the flags of familiar clones, without dashes in front"
            );
        };
        if given.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine) {
            continue;
        }
        let flag = format!("--{name}");
        match (argument.get_action(), value.get_ref()) {
            (ArgAction::SetTrue, DeValue::Boolean(on)) => flags.extend(on.then(|| flag.into())),
            (ArgAction::SetTrue, _) => bail!("line {line}: {name} is true or false"),
            (_, DeValue::Array(values)) => {
                for value in values {
                    flags.push(format!("{flag}={}", plain(value.get_ref(), line)?).into());
                }
            }
            (_, value) => flags.push(format!("{flag}={}", plain(value, line)?).into()),
        }
    }
    Ok(flags)
}

fn plain(value: &DeValue<'_>, line: usize) -> anyhow::Result<String> {
    Ok(match value {
        DeValue::String(text) => text.to_string(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        _ => bail!("line {line}: give a text, a number or a list of these"),
    })
}
