//! `familiar.toml`: settings that stand beside the code, named as the flags are; a flag wins.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::error::{ContextKind, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use toml::de::{DeTable, DeValue};

const FILE: &str = "familiar.toml";
const VERB: &str = "clones";
/// Flags that name files: those of a settings file are relative to its folder.
const PATHS: [&str; 4] = ["query", "against", "baseline", "output"];
/// Tables that other verbs read.
const OF_OTHERS: [&str; 2] = ["audit", "license"];
/// Flags that a settings file cannot hold.
const NOT_SETTINGS: [&str; 2] = ["help", "version"];

/// `arguments` with the settings of the nearest `familiar.toml` added for the flags that they do not give.
///
/// The file is looked for in the folder of the first path and above, then in the current folder and above. Fails where it
/// cannot be read, where a key is no flag's name, or where a value is none that the flag takes.
pub(crate) fn with_file(command: &Command, arguments: Vec<OsString>) -> anyhow::Result<Vec<OsString>> {
    let Ok(matches) = command.clone().try_get_matches_from(&arguments) else { return Ok(arguments) };
    let Some((VERB, given)) = matches.subcommand() else { return Ok(arguments) };
    let Some(file) = nearest(given) else { return Ok(arguments) };
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let verb = command.find_subcommand(VERB).context("the verb that was just matched")?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let settings = Settings { command, verb, given, text: &text, folder };
    let flags = settings.flags().with_context(|| format!("in {}", file.display()))?;
    // The added flags come last, so that values of the command line cannot take them up; what follows `--` is no flag.
    let mut all = arguments;
    let end = all.iter().position(|argument| argument == "--").unwrap_or(all.len());
    all.splice(end..end, flags);
    Ok(all)
}

fn nearest(given: &ArgMatches) -> Option<PathBuf> {
    let first = ["paths", "query"].iter().find_map(|id| given.get_many::<PathBuf>(id)?.next().cloned());
    first.iter().map(PathBuf::as_path).chain([Path::new(".")]).find_map(above)
}

/// The settings file in `start` or above.
fn above(start: &Path) -> Option<PathBuf> {
    let start = start.canonicalize().or_else(|_| std::path::absolute(start)).ok()?;
    start.ancestors().map(|folder| folder.join(FILE)).find(|file| Path::is_file(file))
}

struct Settings<'s> {
    command: &'s Command,
    verb: &'s Command,
    /// What the command line gives.
    given: &'s ArgMatches,
    text: &'s str,
    folder: &'s Path,
}

impl Settings<'_> {
    /// The settings as flags, without those that the command line gives.
    fn flags(&self) -> anyhow::Result<Vec<OsString>> {
        let table = DeTable::parse(self.text)?;
        let mut keys: Vec<_> = table.get_ref().iter().collect();
        keys.sort_by_key(|(key, _)| key.span().start);
        let mut flags = Vec::new();
        for (key, value) in keys {
            let line = self.text[..key.span().start].matches('\n').count() + 1;
            let name: &str = key.get_ref().as_ref();
            if OF_OTHERS.contains(&name) && matches!(value.get_ref(), DeValue::Table(_)) {
                continue;
            }
            let added = self.flag(name, value.get_ref()).with_context(|| format!("line {line}: {name}"))?;
            flags.extend(added);
        }
        Ok(flags)
    }

    fn flag(&self, name: &str, value: &DeValue<'_>) -> anyhow::Result<Vec<OsString>> {
        let named = |argument: &&Arg| argument.get_long() == Some(name);
        let argument = self.verb.get_arguments().find(named).filter(|_| !NOT_SETTINGS.contains(&name));
        let Some(argument) = argument else {
            bail!("is no setting; settings are the flags of familiar {VERB}, without dashes in front")
        };
        let flags = self.spelled(name, argument, value)?;
        self.check(&flags)?;
        Ok(if self.is_given(argument) { Vec::new() } else { flags })
    }

    /// Whether the command line gives the flag, or one that takes its place.
    fn is_given(&self, argument: &Arg) -> bool {
        let given = |id: &str| self.given.value_source(id) == Some(ValueSource::CommandLine);
        let id = argument.get_id().as_str();
        given(id) || (matches!(id, "query" | "against") && ["paths", "query"].into_iter().any(given))
    }

    fn spelled(&self, name: &str, argument: &Arg, value: &DeValue<'_>) -> anyhow::Result<Vec<OsString>> {
        if matches!(argument.get_action(), ArgAction::SetTrue) {
            return match value {
                DeValue::Boolean(true) => Ok(vec![format!("--{name}").into()]),
                DeValue::Boolean(false) => Ok(Vec::new()),
                _ => bail!("give true or false"),
            };
        }
        let many =
            argument.get_value_delimiter().is_some() || matches!(argument.get_action(), ArgAction::Append);
        match value {
            DeValue::Array(values) if many => {
                values.iter().map(|value| self.with_value(name, value.get_ref())).collect()
            }
            DeValue::Array(_) => bail!("give one value, not a list"),
            value => Ok(vec![self.with_value(name, value)?]),
        }
    }

    fn with_value(&self, name: &str, value: &DeValue<'_>) -> anyhow::Result<OsString> {
        let text = match value {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            _ => bail!("give a text, a number or a list of these"),
        };
        let mut flag = OsString::from(format!("--{name}="));
        if PATHS.contains(&name) {
            flag.push(self.folder.join(text));
        } else {
            flag.push(text);
        }
        Ok(flag)
    }

    /// Lets the flag judge its value, so that the message can name the file and the line.
    fn check(&self, flags: &[OsString]) -> anyhow::Result<()> {
        let program = [self.command.get_name(), self.verb.get_name()].map(OsString::from);
        let all = program.into_iter().chain(flags.iter().cloned());
        let Err(error) = self.command.clone().try_get_matches_from(all) else { return Ok(()) };
        if error.kind() != ErrorKind::ValueValidation {
            // A flag may need another one, which the rest of the file or the command line gives.
            return Ok(());
        }
        let message = error.to_string();
        let line = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let flag =
            error.get(ContextKind::InvalidArg).map(|flag| format!(" for '{flag}'")).unwrap_or_default();
        bail!("{}", line.replace(&flag, ""))
    }
}
