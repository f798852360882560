//! What does the `familiar` command do?
//!
//! [`main`] is the program, and [`run_for`] the same inside a process of another one. [`calls`] has operations with the flags of
//! the command for callers inside this process, which take results as values.
//!
//! # Files
//!
//! `commands` has a file for each verb, with the flags of its own and its exit codes. `common` has
//! the flags that all share, `finding` those of searches, `values` what their values mean,
//! `formats` what each command writes. `settings` and `policy` read `familiar.toml`, which
//! `settings_file` finds; `settings_names` knows its names, and `settings_reach` what it may reach.
//! `input` reads files and standard input. `corpora` knows corpora by name
//! (`no_corpora` stands for it in a build without them), `encoders` encoders, `programs` detectors. `represented` writes programs as models see them. `output` and `html` say
//! where results go, `progress` and `notes` what is said beside them. `allocator` keeps memory
//! small, and `program` knows how this program is started. `documented` and `reference` test the
//! documentation.

#![cfg_attr(not(feature = "all"), allow(dead_code, reason = "other verbs need it"))]

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

#[cfg(feature = "allocator")]
mod allocator;
#[cfg(feature = "all")]
mod asking;
#[cfg(feature = "all")]
pub mod calls;
mod commands;
mod common;
#[cfg(feature = "all")]
mod corpora;
#[cfg(not(feature = "all"))]
#[path = "no_corpora.rs"]
mod corpora;
#[cfg(all(test, feature = "all"))]
mod documented;
mod encoders;
mod finding;
mod formats;
mod html;
#[cfg(feature = "all")]
mod input;
mod notes;
mod output;
#[cfg(feature = "all")]
mod policy;
#[cfg(feature = "all")]
mod program;
#[cfg(feature = "all")]
mod programs;
mod progress;
#[cfg(all(test, feature = "all"))]
mod reference;
#[cfg(feature = "all")]
mod represented;
mod settings;
mod settings_file;
mod settings_names;
mod settings_reach;
mod values;
mod wrong_value;

/// Have I seen this code before?
///
/// Finds exact, renamed and edited copies of code, tells who had the code first, and checks its licenses.
#[derive(Parser)]
#[command(name = "familiar", version, max_term_width = 110, after_help = EXAMPLES)]
pub(crate) enum Familiar {
    Clones(Box<commands::clones::Arguments>),
    #[cfg(feature = "all")]
    #[command(flatten)]
    Other(Box<commands::others::Verb>),
}

#[cfg(not(feature = "all"))]
const EXAMPLES: &str = "\
This build has familiar clones alone. To build all of Familiar: cargo build --release";

#[cfg(feature = "all")]
const EXAMPLES: &str = "\
Examples:
  familiar clones .
      Which code in this folder is copied?
  familiar clones --query new --against old
      Which code in new is also in old?
  familiar corpus add world ~/src && familiar find parser.py --in world
      Who has this code, how much of it, and who had it first?
  familiar license .
      Which licenses apply to this code, and what is the evidence?
  familiar audit src --against world
      Which code in src is also in world, and do the licenses allow that?
  familiar trend .
      How much of each release is duplicated?
  familiar serve
      Use Familiar in a browser and from other programs
  familiar clones --help
      Every flag of a command, and more examples";

/// Runs the command that the arguments of this process name.
pub fn main() -> ExitCode {
    #[cfg(feature = "allocator")]
    allocator::keep_little();
    finish(std::env::args_os().collect())
}

/// Runs a command inside a process of another program, such as Python, and tells its exit code. `arguments` begin with the name of
/// the script that stands for the program: starting it again has to come here again.
#[cfg(feature = "all")]
pub fn run_for(arguments: Vec<OsString>) -> u8 {
    program::is_started_by(arguments.first());
    let code = finish(arguments);
    // Nobody else flushes what Rust has buffered.
    let _ = std::io::stdout().flush();
    (0..u8::MAX).find(|&number| ExitCode::from(number) == code).unwrap_or(2)
}

fn finish(arguments: Vec<OsString>) -> ExitCode {
    run(arguments).unwrap_or_else(|error| {
        // If standard error is closed, the exit code still reports the failure.
        let _ = writeln!(std::io::stderr(), "familiar: {}", notes::message(&error));
        ExitCode::from(2)
    })
}

/// Says of a command that this build lacks that it does, unless it is called nearly as one that there is.
#[cfg(not(feature = "all"))]
fn without_others(error: clap::Error) -> clap::Error {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    use familiar_source::words;

    let Some(ContextValue::String(verb)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    let command = Familiar::command();
    if !words::nearest(verb, command.get_subcommands().map(clap::Command::get_name)).is_empty() {
        return error;
    }
    let message = format!("this build has no command '{verb}'\n\n{EXAMPLES}\n");
    clap::Error::raw(ErrorKind::InvalidSubcommand, message).with_cmd(&command)
}

fn run(arguments: Vec<OsString>) -> anyhow::Result<ExitCode> {
    settings_names::are_of(Familiar::command);
    // Which settings file counts for an editor follows from the folder that it opens.
    let is_for_editor = arguments.get(1).is_some_and(|verb| verb == settings_names::LSP);
    let arguments =
        if is_for_editor { arguments } else { settings::with_file(&Familiar::command(), arguments)? };
    let matches = match wrong_value::matches(Familiar::command(), arguments) {
        Ok(matches) => matches,
        Err(error) => {
            #[cfg(not(feature = "all"))]
            let error = without_others(error);
            // Help that nobody reads to its end is no failure.
            let _ = error.print();
            return Ok(ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)));
        }
    };
    let command = Familiar::from_arg_matches(&matches)?;
    match command {
        Familiar::Clones(arguments) => {
            output::clean_up_on_interrupt();
            commands::clones::run(&arguments)
        }
        #[cfg(feature = "all")]
        Familiar::Other(verb) => commands::others::run(*verb, Familiar::command),
    }
}
