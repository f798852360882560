//! `familiar.toml`: settings that stand beside the code, named as the flags are; a flag wins. Those of `familiar audit` stand under
//! `[audit]`, beside its policy, and those of `familiar lsp` under `[lsp]`. `familiar trend` takes from those of `familiar clones` what says how clones are found.
//! `settings_names` has the names, `settings_reach` what a file may not say.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use familiar_files::dir;
use toml::de::{DeTable, DeValue};

use crate::common::RESOURCES;
use crate::corpora;
use crate::finding::{FINDING, INPUT};
use crate::settings_file::{above, file_of, text_of};
use crate::settings_names::{self, AUDIT, LSP, POLICY_KEYS, TABLES, line};
use crate::settings_reach::Reach;
use crate::wrong_value;

/// The verbs that have settings, and the table that they stand in.
const VERBS: [(&str, Option<&str>); 4] =
    [("clones", None), ("trend", None), ("audit", Some(AUDIT)), ("lsp", Some(LSP))];
/// The verb that takes only what stands under these headings.
const TREND: &str = "trend";
const SHARED: [&str; 3] = [FINDING, INPUT, RESOURCES];

/// `arguments` with the settings of the nearest `familiar.toml` added for the flags that they do not give.
///
/// The file is looked for in the folder of the first path and above, then in the current folder and above. Fails where it
/// cannot be read, where a key is no flag's name, or where a value is none that the flag takes or that a file may give.
pub(crate) fn with_file(command: &Command, arguments: Vec<OsString>) -> anyhow::Result<Vec<OsString>> {
    let Ok(matches) = command.clone().try_get_matches_from(&arguments) else { return Ok(arguments) };
    let Some((name, given)) = matches.subcommand() else { return Ok(arguments) };
    let Some(&(_, table)) = VERBS.iter().find(|(verb, _)| *verb == name) else { return Ok(arguments) };
    let Some(file) = nearest(given) else { return Ok(arguments) };
    let text = text_of(&file)?;
    let verb = command.find_subcommand(name).context("the verb that was just matched")?;
    let folder = file.parent().unwrap_or(Path::new("."));
    let settings = Settings { command, verb, table, given, text: &text, folder };
    let checked = settings_names::check(&text).and_then(|()| settings.flags());
    let flags = checked.with_context(|| format!("in {}", file.display()))?;
    // The added flags come last, so that values of the command line cannot take them up; what follows `--` is no flag.
    let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    for flag in &flags {
        let named = flag.to_str().and_then(|flag| flag.strip_prefix("--")?.split_once('='));
        // The language server tells of a corpus that is not there, and goes on.
        if let Some((key @ ("in" | "beside"), corpus)) = named.filter(|_| table != Some(LSP)) {
            corpora::existing(corpus).with_context(|| format!("in {}: {key}", file.display()))?;
        }
    }
    let with =
        |flags: &[OsString]| -> Vec<OsString> { [&arguments[..end], flags, &arguments[end..]].concat() };
    let all = with(&flags);
    if let Err(error) = wrong_value::matches(command.clone(), &all) {
        let fails = |flag: &&OsString| {
            let alone = command.clone().try_get_matches_from(with(std::slice::from_ref(flag)));
            alone.is_err_and(|it| it.kind() == error.kind())
        };
        let key = flags.iter().find(fails).map(|flag| flag.to_string_lossy().into_owned());
        let key = key.as_deref().map(|flag| flag.trim_start_matches('-').split('=').next().unwrap_or(flag));
        let key = key.map(|key| format!("{key}: ")).unwrap_or_default();
        let message = error.to_string();
        let lines: Vec<&str> = message.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
        bail!("in {}: {key}{}", file.display(), lines.join(" ").trim_start_matches("error: "));
    }
    Ok(all)
}

/// Checks the names in the settings file that counts for a path, for a verb that has no flags there.
pub(crate) fn check_beside(path: &Path) -> anyhow::Result<()> {
    let Some(file) = above(path) else { return Ok(()) };
    settings_names::check(&text_of(&file)?).with_context(|| format!("in {}", file.display()))
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
        let is_policy = |name: &str| POLICY_KEYS.contains(&name);
        let is_flag = |name: &str| {
            if self.table.is_some() { !is_policy(name) } else { !TABLES.contains(&name) }
        };
        let is_flag = |name: &str| is_flag(name) && (self.verb.get_name() != TREND || self.is_shared(name));
        let mut keys: Vec<_> = table.iter().filter(|(key, _)| is_flag(key.get_ref())).collect();
        keys.sort_by_key(|(key, _)| key.span().start);
        let mut flags = Vec::new();
        for (key, value) in keys {
            let line = line(self.text, key.span().start);
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
        let argument = settings_names::flags(self.verb).find(|(flag, _)| *flag == name);
        let (_, argument) = argument.context("there is no such setting")?;
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
            // What a list chooses from is all there is, unless it chooses something.
            DeValue::Array(values) if values.is_empty() && argument.get_value_delimiter().is_some() => {
                bail!("the list is empty; give at least one value, or leave the setting out")
            }
            DeValue::Array(values) if many => {
                values.iter().map(|value| self.with_value(argument, name, value.get_ref())).collect()
            }
            DeValue::Array(_) => bail!("give one value instead of a list"),
            value => Ok(vec![self.with_value(argument, name, value)?]),
        }
    }

    fn with_value(&self, argument: &Arg, name: &str, value: &DeValue<'_>) -> anyhow::Result<OsString> {
        let text = match value {
            DeValue::String(text) => text.to_string(),
            DeValue::Integer(number) => number.to_string(),
            DeValue::Float(number) => number.to_string(),
            _ => bail!("give a text, a number, or a list of texts and numbers"),
        };
        if name == "exclude" {
            dir::check_exclude(&text)?;
        }
        let is_audit = self.table == Some(AUDIT);
        let may_lack = self.is_given(argument) || self.table == Some(LSP);
        let reach = Reach { folder: self.folder, is_audit, may_lack };
        let mut flag = OsString::from(format!("--{name}="));
        flag.push(reach.value(name, &text)?);
        Ok(flag)
    }

    /// Lets the flag judge its value, so that the message can name the file and the line.
    fn check(&self, flags: &[OsString]) -> anyhow::Result<()> {
        let program = [self.command.get_name(), self.verb.get_name()].map(OsString::from);
        let all = program.into_iter().chain(flags.iter().cloned());
        let Err(error) = wrong_value::matches(self.command.clone(), all) else { return Ok(()) };
        if !matches!(error.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
            // A flag may need another one, which the rest of the file or the command line gives.
            return Ok(());
        }
        let message = error.to_string();
        let line = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
        let flag =
            error.get(ContextKind::InvalidArg).map(|flag| format!(" for '{flag}'")).unwrap_or_default();
        let known = match error.get(ContextKind::ValidValue) {
            Some(ContextValue::Strings(known)) if !known.is_empty() => {
                format!("; give one of {}", known.join(", "))
            }
            _ => String::new(),
        };
        bail!("{}{known}", line.replace(&flag, ""))
    }
}
