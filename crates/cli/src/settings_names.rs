//! Which names a `familiar.toml` may have: an unknown one is an error, wherever in the file it stands.

use std::sync::OnceLock;

use anyhow::{Context, bail};
use clap::{Arg, Command};
use familiar_source::words;
use toml::de::{DeTable, DeValue};

use crate::settings_reach::check_name;

pub(crate) const AUDIT: &str = "audit";
pub(crate) const LSP: &str = "lsp";
const LICENSE: &str = "license";
/// The tables of a file. What stands at the top is of `familiar clones`.
pub(crate) const TABLES: [&str; 3] = [AUDIT, LSP, LICENSE];
const TOP: &str = "clones";
/// The keys of `[[license.concluded]]`.
const CONCLUDED: [&str; 3] = ["path", "expression", "reason"];
/// The keys of `[audit]` that are policy; all others are settings.
pub(crate) const POLICY_KEYS: [&str; 6] = ["license", "allowed", "denied", "path", "accepted", "fail"];
/// The keys of an entry of `path`, and of one of `accepted`.
pub(crate) const PATH_KEYS: [&str; 4] = ["paths", "license", "allowed", "denied"];
pub(crate) const ACCEPTED_KEYS: [&str; 5] = ["fingerprint", "reason", "date", "license", "paths"];
/// Flags that a settings file cannot hold.
const NOT_SETTINGS: [&str; 2] = ["help", "version"];

/// The flags of a verb that may be settings.
pub(crate) fn flags(verb: &Command) -> impl Iterator<Item = (&str, &Arg)> {
    let named = verb.get_arguments().filter_map(|argument| Some((argument.get_long()?, argument)));
    named.filter(|(name, _)| !NOT_SETTINGS.contains(name))
}

/// The line, from 1, of a place in `text`.
pub(crate) fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

/// What makes the command line, whose flags are names of a settings file. Commands take it from here, since it is made of them.
static COMMAND_LINE: OnceLock<fn() -> Command> = OnceLock::new();

/// Says what makes the command line. It has to be said before a settings file is read.
pub(crate) fn are_of(command_line: fn() -> Command) {
    let _ = COMMAND_LINE.set(command_line);
}

/// Checks all names of a file, those of all verbs.
pub(crate) fn check(text: &str) -> anyhow::Result<()> {
    #[cfg(test)]
    are_of(<crate::Familiar as clap::CommandFactory>::command);
    let command_line = COMMAND_LINE.get().context("the flags of this program are not known")?;
    let whole = DeTable::parse(text)?;
    let names = Names { command: &command_line(), text };
    names.each(whole.get_ref(), |name, value| match value {
        DeValue::Table(table) if TABLES.contains(&name) => names.table(name, table),
        _ if name == LICENSE => {
            bail!("it has to be a table; the license of a project stands under [{AUDIT}]")
        }
        _ if TABLES.contains(&name) => bail!("it has to be a table; write [{name}]"),
        _ => names.top(name),
    })
}

struct Names<'n> {
    command: &'n Command,
    text: &'n str,
}

impl Names<'_> {
    /// Calls `check` with all that stands in a table. An error of it names the line.
    fn each(
        &self,
        table: &DeTable<'_>,
        check: impl Fn(&str, &DeValue<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let name: &str = key.get_ref().as_ref();
            check(name, value.get_ref()).map_err(|error| {
                let line = line(self.text, key.span().start);
                // Of what stands in a table, the line of its own is enough.
                let is_told = error.to_string().starts_with("line ");
                if is_told { error } else { error.context(format!("line {line}: {name}")) }
            })?;
        }
        Ok(())
    }

    fn top(&self, name: &str) -> anyhow::Result<()> {
        if self.is_flag(TOP, name) {
            return check_name(name);
        }
        let table = TABLES.into_iter().find(|table| name.eq_ignore_ascii_case(table)).or_else(|| {
            let near = words::nearest(name, TABLES);
            near.first().copied()
        });
        if let Some(table) = table {
            bail!("there is no such table (did you mean [{table}]?)");
        }
        if POLICY_KEYS.contains(&name) || self.is_flag(AUDIT, name) {
            bail!("there is no such setting at the top of the file; it stands under [{AUDIT}]");
        }
        if self.is_flag(LSP, name) {
            bail!("there is no such setting at the top of the file; it stands under [{LSP}]");
        }
        Err(self.unknown(TOP, name, &[]))
    }

    fn table(&self, table: &str, entries: &DeTable<'_>) -> anyhow::Result<()> {
        self.each(entries, |name, value| match (table, name) {
            (LICENSE, "concluded") => self.rows(value, "license.concluded", &CONCLUDED),
            (LICENSE, _) => {
                bail!("there is no such setting; the one key of [license] is concluded, as in [[license.concluded]]")
            }
            (AUDIT, "path") => self.rows(value, "audit.path", &PATH_KEYS),
            (AUDIT, "accepted") => self.rows(value, "audit.accepted", &ACCEPTED_KEYS),
            (AUDIT, _) if POLICY_KEYS.contains(&name) => Ok(()),
            (verb, _) if self.command.find_subcommand(verb).is_none() => Ok(()),
            (verb, _) if self.is_flag(verb, name) => check_name(name),
            (verb, _) => Err(self.unknown(verb, name, if verb == AUDIT { &POLICY_KEYS } else { &[] })),
        })
    }

    /// Checks the keys of a list of tables.
    fn rows(&self, value: &DeValue<'_>, name: &str, known: &[&str]) -> anyhow::Result<()> {
        let wrong = || format!("it has to be a list of tables; write [[{name}]]");
        let DeValue::Array(rows) = value else { bail!(wrong()) };
        for row in rows {
            let DeValue::Table(row) = row.get_ref() else { bail!(wrong()) };
            self.each(row, |key, _| {
                if known.contains(&key) {
                    return Ok(());
                }
                let meant = words::suggestion(key, known.iter().copied());
                bail!("there is no such key{meant}; the keys of [[{name}]] are {}", known.join(", "))
            })?;
        }
        Ok(())
    }

    /// The flags of a verb: none where this build lacks it.
    fn flags(&self, verb: &str) -> impl Iterator<Item = &str> {
        self.command.find_subcommand(verb).into_iter().flat_map(flags).map(|(flag, _)| flag)
    }

    fn is_flag(&self, verb: &str, name: &str) -> bool {
        self.flags(verb).any(|flag| flag == name)
    }

    fn unknown(&self, verb: &str, name: &str, others: &[&str]) -> anyhow::Error {
        let meant = words::suggestion(name, self.flags(verb).chain(others.iter().copied()));
        anyhow::anyhow!(
            "there is no such setting{meant}; the settings are the flags of familiar {verb}, without dashes"
        )
    }
}

#[cfg(all(test, feature = "all"))]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        check(text).map_or_else(|error| format!("{error:#}"), |()| String::new())
    }

    #[test]
    fn every_name_of_a_file_is_known() {
        for right in [
            "",
            "types = [1]\n[audit]\ndenied = []\nagainst = ['x']\n[[audit.path]]\npaths = ['a']\n[lsp]\nin = []\n",
            "[[license.concluded]]\npath = 'a'\nexpression = 'MIT'\nreason = 'r'\n[license]\n",
            "[[audit.accepted]]\nfingerprint = ''\nreason = ''\ndate = ''\n",
        ] {
            assert_eq!(error(right), "", "{right}");
        }
        for (text, parts) in [
            ("\n[Audit]\ndenied = []", &["line 2: Audit", "did you mean [audit]?"][..]),
            ("[audits]", &["line 1: audits", "did you mean [audit]?"]),
            ("min-lines = 3\ndenied = []", &["line 2: denied", "under [audit]"]),
            ("severity = 'hint'", &["line 1: severity", "under [lsp]"]),
            ("audit = 1", &["line 1: audit", "write [audit]"]),
            ("license = 'MIT'", &["line 1: license", "under [audit]"]),
            ("[license]\nfoo = 1", &["line 2: foo", "[[license.concluded]]"]),
            ("[[license.conclude]]\npath = 'a'", &["line 1: conclude"]),
            ("concluded = 5", &["line 1: concluded"]),
            ("[license]\nconcluded = 5", &["line 2: concluded", "[[license.concluded]]"]),
            ("[[license.concluded]]\npaths = 'a'", &["line 2: paths", "did you mean path?"]),
            ("[audit]\nalowed = []", &["line 2: alowed", "did you mean allowed?"]),
            ("[[audit.path]]\n\npath = ['a']", &["line 3: path", "did you mean paths?"]),
            ("[[audit.accepted]]\nwhy = 'x'", &["line 2: why", "fingerprint, reason, date"]),
            ("[audit.path]\npaths = ['a']", &["line 1: path", "write [[audit.path]]"]),
            ("[lsp]\nsevrity = 'hint'", &["line 2: sevrity", "did you mean severity?"]),
            ("output = 'x'", &["line 1: output", "command line"]),
            ("[audit]\nnotices = 'x'", &["line 2: notices", "command line"]),
            ("help = true", &["line 1: help", "no such setting"]),
        ] {
            let error = error(text);
            assert!(parts.iter().all(|part| error.contains(part)), "{text}: {error}");
            assert_eq!(error.matches("line ").count(), 1 + error.matches("command line ").count(), "{error}");
        }
    }
}
