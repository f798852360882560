//! `familiar.toml`: settings that stand beside the code, named as the flags are; a flag wins. Those of `familiar audit` stand under
//! `[audit]`, beside its policy, and those of `familiar lsp` under `[lsp]`. `familiar trend` takes from those of `familiar clones` what says how clones are found.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::error::{ContextKind, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use familiar_source::words;
use toml::de::{DeTable, DeValue};

use crate::common::RESOURCES;
use crate::finding::{FINDING, INPUT};
use crate::policy;
use crate::settings_file::file_of;

/// The verbs that have settings, and the table that they stand in.
const VERBS: [(&str, Option<&str>); 4] =
    [("clones", None), ("trend", None), ("audit", Some(AUDIT)), ("lsp", Some(LSP))];
const AUDIT: &str = "audit";
const LSP: &str = "lsp";
/// Flags that name files: those of a settings file are relative to its folder.
const PATHS: [&str; 6] = ["query", "against", "baseline", "decisions", "output", "notices"];
/// Tables that other verbs read.
const OF_OTHERS: [&str; 3] = [AUDIT, LSP, "license"];
/// The verb that takes only what stands under these headings.
const TREND: &str = "trend";
const SHARED: [&str; 3] = [FINDING, INPUT, RESOURCES];
/// Flags that a settings file cannot hold.
const NOT_SETTINGS: [&str; 2] = ["help", "version"];

/// `arguments` with the settings of the nearest `familiar.toml` added for the flags that they do not give.
///
/// The file is looked for in the folder of the first path and above, then in the current folder and above. Fails where it
/// cannot be read, where a key is no flag's name, or where a value is none that the flag takes.
pub(crate) fn with_file(command: &Command, arguments: Vec<OsString>) -> anyhow::Result<Vec<OsString>> {
    let Ok(matches) = command.clone().try_get_matches_from(&arguments) else { return Ok(arguments) };
    let Some((name, given)) = matches.subcommand() else { return Ok(arguments) };
    let Some(&(_, table)) = VERBS.iter().find(|(verb, _)| *verb == name) else { return Ok(arguments) };
    let Some(file) = nearest(given) else { return Ok(arguments) };
    let text = std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let verb = command.find_subcommand(name).context("the verb that was just matched")?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let settings = Settings { command, verb, table, given, text: &text, folder };
    let flags = settings.flags().with_context(|| format!("in {}", file.display()))?;
    // The added flags come last, so that values of the command line cannot take them up; what follows `--` is no flag.
    let mut all = arguments;
    let end = all.iter().position(|argument| argument == "--").unwrap_or(all.len());
    all.splice(end..end, flags);
    Ok(all)
}

fn nearest(given: &ArgMatches) -> Option<PathBuf> {
    let path = |id: &str| given.try_get_many::<PathBuf>(id).ok()??.next().cloned();
    let source = |id: &str| given.try_get_many::<String>(id).ok()??.next().map(PathBuf::from);
    file_of(
        ["paths", "query", "folder"].into_iter().find_map(|id| path(id).or_else(|| source(id))).as_deref(),
    )
}

struct Settings<'s> {
    command: &'s Command,
    verb: &'s Command,
    /// Where the settings stand, if not at the top.
    table: Option<&'s str>,
    /// What the command line gives.
    given: &'s ArgMatches,
    text: &'s str,
    folder: &'s Path,
}

impl Settings<'_> {
    /// The settings as flags, without those that the command line gives.
    fn flags(&self) -> anyhow::Result<Vec<OsString>> {
        let whole = DeTable::parse(self.text)?;
        let mut table = whole.get_ref();
        if let Some(name) = self.table {
            match table.get(name).map(toml::Spanned::get_ref) {
                Some(DeValue::Table(own)) => table = own,
                Some(_) => bail!("{name} has to be a table; write [{name}]"),
                None => return Ok(Vec::new()),
            }
        }
        let is_policy = |name: &str| policy::KEYS.contains(&name);
        let is_flag = |name: &str| {
            if self.table.is_some() { !is_policy(name) } else { !OF_OTHERS.contains(&name) }
        };
        let is_flag = |name: &str| is_flag(name) && (self.verb.get_name() != TREND || self.is_shared(name));
        let mut keys: Vec<_> = table.iter().filter(|(key, _)| is_flag(key.get_ref())).collect();
        keys.sort_by_key(|(key, _)| key.span().start);
        let mut flags = Vec::new();
        for (key, value) in keys {
            let line = self.text[..key.span().start].matches('\n').count() + 1;
            let name: &str = key.get_ref().as_ref();
            let added = self.flag(name, value.get_ref()).with_context(|| format!("line {line}: {name}"))?;
            flags.extend(added);
        }
        Ok(flags)
    }

    /// Whether a setting says how clones are found.
    fn is_shared(&self, name: &str) -> bool {
        let shared =
            |argument: &Arg| argument.get_help_heading().is_some_and(|heading| SHARED.contains(&heading));
        self.verb.get_arguments().any(|argument| argument.get_long() == Some(name) && shared(argument))
    }

    fn flag(&self, name: &str, value: &DeValue<'_>) -> anyhow::Result<Vec<OsString>> {
        let named = |argument: &&Arg| argument.get_long() == Some(name);
        let argument = self.verb.get_arguments().find(named).filter(|_| !NOT_SETTINGS.contains(&name));
        let Some(argument) = argument else {
            let verb = self.verb.get_name();
            let known = self.verb.get_arguments().filter_map(Arg::get_long);
            let known = known.filter(|name| !NOT_SETTINGS.contains(name));
            let policy = policy::KEYS.into_iter().filter(|_| self.table.is_some());
            let meant = words::suggestion(name, known.chain(policy));
            bail!(
                "there is no such setting{meant}; the settings are the flags of familiar {verb}, without dashes"
            )
        };
        let flags = self.spelled(name, argument, value)?;
        self.check(&flags)?;
        Ok(if self.is_given(argument) { Vec::new() } else { flags })
    }

    /// Whether the command line gives the flag, or one that takes its place.
    fn is_given(&self, argument: &Arg) -> bool {
        let given = |id: &str| self.given.value_source(id) == Some(ValueSource::CommandLine);
        let id = argument.get_id().as_str();
        if self.table.is_some() {
            return given(id);
        }
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
            DeValue::Array(_) => bail!("give one value instead of a list"),
            value => Ok(vec![self.with_value(name, value)?]),
        }
    }

    fn with_value(&self, name: &str, value: &DeValue<'_>) -> anyhow::Result<OsString> {
        let text = match value {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            _ => bail!("give a text, a number, or a list of texts and numbers"),
        };
        let mut flag = OsString::from(format!("--{name}="));
        // What is audited against may be the name of a corpus.
        let is_name = self.table.is_some() && name == "against" && !self.folder.join(&text).exists();
        if PATHS.contains(&name) && !is_name {
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
