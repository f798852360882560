//! `familiar lsp`: the language server, which shows clones in an editor.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use familiar_editor::{Configure, Ended, Scope, Settings, Severity};
use familiar_files::named;
use serde_json::Value;

use super::clones;
use crate::common::choice;
use crate::{corpora, notes, settings, settings_reach, wrong_value};

/// The name of the command.
pub(crate) const VERB: &str = "lsp";

/// Show clones in an editor, as a language server on standard input and output.
///
/// Editors start it. It shows the clones in open files, the other places of each, and functions that corpora have, too. See the
/// documentation for the settings of each editor.
#[derive(clap::Args, Clone, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The folder whose familiar.toml counts [default: the first folder that the editor opens]
    #[arg(value_name = "FOLDER", num_args = 0..=1)]
    paths: Vec<PathBuf>,
    /// Also show functions that this corpus has (a name or a path). May be repeated
    #[arg(long = "in", value_name = "CORPUS")]
    corpora: Vec<String>,
    /// How urgent findings look: information, warning, hint [default: information]
    #[arg(long, value_name = "LEVEL", value_parser = choice(Severity::ALL), hide_possible_values = true)]
    severity: Option<Severity>,
    /// Show the clones of the files that are open, or of all files of the workspace: open, workspace [default: open]
    #[arg(long, value_name = "SCOPE", value_parser = choice(Scope::ALL), hide_possible_values = true)]
    scope: Option<Scope>,
    /// Wait N milliseconds after an edit before the file is searched [default: 100]
    #[arg(long, value_name = "N")]
    debounce: Option<u64>,
    /// The file in which decisions are kept [default: that of familiar clones, or decisions.json in the folder]
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    /// Who decides [default: the name of the user]
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  familiar lsp
      The command that an editor has to start
  familiar lsp --in world
      Also show functions that the corpus world has

Settings stand in the familiar.toml of the folder, or above it. How clones are found follows from
the settings of familiar clones, at the top of the file. The flags of this command stand under
[lsp]. Settings of the editor win over those of the file.

Exit codes: 0 the editor ended the server, 1 the editor left without doing so, 2 failure.";

const DEBOUNCE: u64 = 100;

/// Where decisions are kept if nobody says so.
const DECISIONS: &str = "decisions.json";

pub(crate) fn run(arguments: Arguments, program: Command) -> anyhow::Result<ExitCode> {
    if let Some(folder) = arguments.paths.first() {
        let read = std::fs::read_dir(folder);
        read.map_err(|error| anyhow::Error::msg(named::cannot_read(folder, &error)))?;
    }
    let (connection, writer) = familiar_editor::stdio();
    let ended = familiar_editor::run(connection, Box::new(Configured { arguments, program }));
    writer.finish();
    Ok(ExitCode::from(u8::from(ended == Ended::Abrupt)))
}

/// What the command line says.
struct Configured {
    arguments: Arguments,
    /// All commands with their flags.
    program: Command,
}

impl Configure for Configured {
    fn settings(&self, folder: &Path, client: &Value) -> Result<Settings, String> {
        self.read(folder, client).map_err(|error| notes::message(&error))
    }
}

impl Configured {
    fn read(&self, folder: &Path, client: &Value) -> anyhow::Result<Settings> {
        let start = self.arguments.paths.first().map_or(folder, PathBuf::as_path);
        let mut given = Given::of_client(client, folder, &self.program)?;
        given.own.extend(self.arguments.corpora.iter().map(|name| format!("--in={name}").into()));
        let own = Arguments::from_arg_matches(&self.parsed(VERB, given.own, start)?)?;
        let clones = clones::Arguments::from_arg_matches(&self.parsed("clones", given.clones, start)?)?;
        let (options, baseline, decisions) = clones.for_editor()?;
        let first = |flag: &Option<PathBuf>, setting: Option<PathBuf>| flag.clone().or(setting);
        let named = first(&self.arguments.decisions, own.decisions).or(decisions);
        let names = if self.arguments.corpora.is_empty() { &own.corpora } else { &self.arguments.corpora };
        // One that is not there is told by the server, which shows clones without it.
        let corpora = names.iter().map(|name| Ok((name.clone(), corpora::folder(name)?)));
        let user = || ["USER", "USERNAME"].iter().find_map(|name| std::env::var(name).ok());
        let author = self.arguments.author.clone().or(own.author).or_else(user);
        let debounce = self.arguments.debounce.or(own.debounce).unwrap_or(DEBOUNCE);
        Ok(Settings {
            clones: options,
            decisions: named.unwrap_or_else(|| start.join(DECISIONS)),
            corpora: corpora.collect::<anyhow::Result<_>>()?,
            severity: self.arguments.severity.or(own.severity).unwrap_or_default(),
            scope: self.arguments.scope.or(own.scope).unwrap_or_default(),
            debounce: Duration::from_millis(debounce),
            author: author.filter(|author| !author.trim().is_empty()).unwrap_or_else(|| "editor".to_owned()),
            files: clones.baseline.iter().cloned().collect(),
            baseline,
        })
    }

    /// The command `verb` with some flags and the settings of the `familiar.toml` that counts for a folder.
    fn parsed(&self, verb: &str, flags: Vec<OsString>, folder: &Path) -> anyhow::Result<ArgMatches> {
        let mut arguments: Vec<OsString> = vec!["familiar".into(), verb.into()];
        arguments.extend(flags);
        arguments.extend(["--".into(), folder.into()]);
        let arguments = settings::with_file(&self.program, arguments)?;
        let matches = wrong_value::matches(self.program.clone(), arguments).map_err(|error| {
            let message = error.to_string();
            let line = message.lines().next().unwrap_or_default();
            anyhow::Error::msg(line.trim_start_matches("error: ").to_owned())
        })?;
        let (_, matches) = matches.subcommand().context("the command that was just named")?;
        Ok(matches.clone())
    }
}

/// The settings of an editor, as flags of the two commands.
#[derive(Debug, Default)]
struct Given {
    own: Vec<OsString>,
    clones: Vec<OsString>,
}

impl Given {
    fn of_client(client: &Value, folder: &Path, program: &Command) -> anyhow::Result<Self> {
        let mut given = Self::default();
        let settings = match client {
            Value::Null => return Ok(given),
            Value::Object(settings) => settings,
            _ => bail!("the settings of the editor have to be an object"),
        };
        for (name, value) in settings {
            let of_verb = |verb: &str| {
                let verb: &Command = program.find_subcommand(verb)?;
                verb.get_arguments().find(|argument| argument.get_long() == Some(name))
            };
            let (argument, flags) = match (of_verb(VERB), of_verb("clones")) {
                (Some(argument), _) => (argument, &mut given.own),
                (None, Some(argument)) => (argument, &mut given.clones),
                (None, None) => bail!("the settings of the editor: there is no setting {name}"),
            };
            let spelled = spelled(name, value, argument, folder);
            flags.extend(spelled.with_context(|| format!("the settings of the editor: {name}"))?);
        }
        Ok(given)
    }
}

/// A setting as flags. Paths are relative to the folder.
fn spelled(name: &str, value: &Value, argument: &Arg, folder: &Path) -> anyhow::Result<Vec<OsString>> {
    let is_path = ["decisions", "baseline"].contains(&name);
    let flag = |text: String| -> OsString {
        let text = if is_path { folder.join(text).into_os_string() } else { text.into() };
        let mut flag = OsString::from(format!("--{name}="));
        flag.push(text);
        flag
    };
    if !argument.get_action().takes_values() {
        return match value {
            Value::Bool(true) => Ok(vec![format!("--{name}").into()]),
            Value::Bool(false) => Ok(Vec::new()),
            _ => bail!("give true or false"),
        };
    }
    let text = |value: &Value| match value {
        // Those of an editor may come from the folder that it opens.
        Value::String(text) if name == "encoder" => settings_reach::encoder(text, None),
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => bail!("give a text, a number, or a list of texts and numbers"),
    };
    match value {
        Value::Array(values) => values.iter().map(|value| Ok(flag(text(value)?))).collect(),
        value => Ok(vec![flag(text(value)?)]),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use serde_json::json;

    use super::super::others::Verb;
    use super::*;
    use crate::Familiar;

    fn read(folder: &Path, flags: &[&str], client: &Value) -> Result<Settings, String> {
        let all = ["familiar", "lsp"].into_iter().chain(flags.iter().copied());
        let matches = Familiar::command().try_get_matches_from(all).expect("the flags are right");
        let Ok(Familiar::Other(verb)) = Familiar::from_arg_matches(&matches) else { panic!("it is lsp") };
        let Verb::Lsp(arguments) = *verb else { panic!("it is lsp") };
        Configured { arguments, program: Familiar::command() }.settings(folder, client)
    }

    #[test]
    fn the_editor_wins_over_the_file_and_the_command_line_over_both() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = "min-lines = 9\ntypes = [1]\ndecisions = \"d.json\"\n\n[lsp]\nseverity = \"hint\"\ndebounce = 7\n";
        std::fs::write(folder.path().join("familiar.toml"), file).expect("it can be written");
        let settings = read(folder.path(), &[], &Value::Null).expect("it is right");
        assert_eq!((settings.clones.min_lines, settings.clones.types), (9, vec![1]));
        assert_eq!((settings.severity, settings.debounce), (Severity::Hint, Duration::from_millis(7)));
        assert_eq!(settings.decisions, folder.path().canonicalize().expect("it is there").join("d.json"));
        let client = json!({"min-lines": 6, "types": [1, 2], "debounce": 8, "include-generated": true, "scope": "workspace"});
        let settings = read(folder.path(), &["--severity", "warning"], &client).expect("it is right");
        assert_eq!((settings.clones.min_lines, settings.clones.types), (6, vec![1, 2]));
        assert!(settings.clones.include_generated);
        assert_eq!((settings.severity, settings.debounce), (Severity::Warning, Duration::from_millis(8)));
        assert_eq!(settings.scope, Scope::Workspace);
        let settings = read(folder.path(), &["--debounce", "9"], &client).expect("it is right");
        assert_eq!(settings.debounce, Duration::from_millis(9));
    }

    #[test]
    fn a_corpus_that_is_not_there_does_not_end_the_rest() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let names = |settings: &Settings| -> Vec<String> {
            settings.corpora.iter().map(|(name, _)| name.clone()).collect()
        };
        let client = json!({"in": ["no-such-corpus"]});
        assert_eq!(names(&read(folder.path(), &[], &client).expect("it is right")), ["no-such-corpus"]);
        std::fs::write(folder.path().join("familiar.toml"), "[lsp]\nin = [\"none-either\"]\n")
            .expect("written");
        assert_eq!(names(&read(folder.path(), &[], &Value::Null).expect("right")), ["none-either"]);
    }

    #[test]
    fn what_is_wrong_with_settings_is_told() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        for (client, part) in [
            (json!({"min-linse": 6}), "min-linse"),
            (json!({"min-lines": {}}), "min-lines"),
            (json!({"include-generated": 1}), "true or false"),
            (json!([1]), "an object"),
            (json!({"encoder": "api:http://localhost#m"}), "encoder"),
        ] {
            let error = read(folder.path(), &[], &client).expect_err(part);
            assert!(error.contains(part), "{error}");
        }
        std::fs::write(folder.path().join("familiar.toml"), "[lsp]\nsevrity = \"hint\"\n").expect("written");
        let error = read(folder.path(), &[], &Value::Null).expect_err("it is wrong");
        assert!(error.contains("familiar.toml") && error.contains("severity"), "{error}");
    }
}
