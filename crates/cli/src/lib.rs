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
//! `input` reads files and standard input. `corpora` knows corpora by name, `encoders` encoders,
//! `programs` detectors. `represented` writes programs as models see them. `output` and `html` say
//! where results go, `progress` and `notes` what is said beside them. `allocator` keeps memory
//! small, and `program` knows how this program is started. `documented` and `reference` test the
//! documentation.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

#[cfg(feature = "allocator")]
mod allocator;
mod asking;
pub mod calls;
mod commands;
mod common;
mod corpora;
#[cfg(test)]
mod documented;
mod encoders;
mod finding;
mod formats;
mod html;
mod input;
mod notes;
mod output;
mod policy;
mod program;
mod programs;
mod progress;
#[cfg(test)]
mod reference;
mod represented;
mod settings;
mod settings_file;
mod settings_names;
mod settings_reach;
mod values;

/// Have I seen this code before?
///
/// Finds exact, renamed and edited copies of code, tells who had the code first, and checks its licenses.
#[derive(Parser)]
#[command(name = "familiar", version, max_term_width = 110, after_help = EXAMPLES)]
pub(crate) enum Familiar {
    Clones(Box<commands::clones::Arguments>),
    Audit(Box<commands::audit::Arguments>),
    Corpus(commands::corpus::Arguments),
    Find(Box<commands::find::Arguments>),
    Report(commands::report::Arguments),
    Decisions(commands::decisions::Arguments),
    Serve(Box<commands::serve::Arguments>),
    Lsp(commands::lsp::Arguments),
    Trend(Box<commands::trend::Arguments>),
    Fingerprint(commands::fingerprint::Arguments),
    License(commands::license::Arguments),
    Evaluate(commands::evaluate::Arguments),
    #[cfg(feature = "train")]
    Train(commands::train::Arguments),
    Embed(commands::embed::Arguments),
    Transform(commands::transform::Arguments),
    Tokens(commands::tokens::Arguments),
    Tree(commands::tree::Arguments),
    Graph(commands::graph::Arguments),
    Attack(commands::attack::Arguments),
    Benchmark(commands::benchmark::Arguments),
    Codenet(commands::codenet::Arguments),
    Completions(commands::completions::Arguments),
    Man(commands::completions::Man),
    #[command(hide = true)]
    Debug(commands::debug::Arguments),
}

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

fn run(arguments: Vec<OsString>) -> anyhow::Result<ExitCode> {
    settings_names::are_of(Familiar::command);
    // Which settings file counts for an editor follows from the folder that it opens.
    let is_for_editor = arguments.get(1).is_some_and(|verb| verb == commands::lsp::VERB);
    let arguments =
        if is_for_editor { arguments } else { settings::with_file(&Familiar::command(), arguments)? };
    let matches = match Familiar::command().try_get_matches_from(arguments) {
        Ok(matches) => matches,
        Err(error) => {
            // Help that nobody reads to its end is no failure.
            let _ = error.print();
            return Ok(ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)));
        }
    };
    let command = Familiar::from_arg_matches(&matches)?;
    if !matches!(command, Familiar::Serve(_)) {
        // A server ends in its own way.
        output::clean_up_on_interrupt();
    }
    match command {
        Familiar::Clones(arguments) => commands::clones::run(&arguments),
        Familiar::Audit(arguments) => commands::audit::run(&arguments),
        Familiar::Corpus(arguments) => commands::corpus::run(&arguments),
        Familiar::Find(arguments) => commands::find::run(&arguments),
        Familiar::Report(arguments) => commands::report::run(&arguments),
        Familiar::Decisions(arguments) => commands::decisions::run(&arguments),
        Familiar::Serve(arguments) => commands::serve::run(&arguments),
        Familiar::Lsp(arguments) => commands::lsp::run(arguments, Familiar::command()),
        Familiar::Trend(arguments) => commands::trend::run(&arguments),
        Familiar::Fingerprint(arguments) => commands::fingerprint::run(&arguments),
        Familiar::License(arguments) => commands::license::run(&arguments),
        Familiar::Evaluate(arguments) => commands::evaluate::run(&arguments),
        #[cfg(feature = "train")]
        Familiar::Train(arguments) => commands::train::run(&arguments),
        Familiar::Embed(arguments) => commands::embed::run(&arguments),
        Familiar::Attack(arguments) => commands::attack::run(&arguments),
        Familiar::Benchmark(arguments) => commands::benchmark::run(&arguments),
        Familiar::Codenet(arguments) => commands::codenet::run(&arguments),
        Familiar::Transform(arguments) => commands::transform::run(&arguments),
        Familiar::Tokens(arguments) => commands::tokens::run(&arguments),
        Familiar::Tree(arguments) => commands::tree::run(&arguments),
        Familiar::Graph(arguments) => commands::graph::run(&arguments),
        Familiar::Completions(arguments) => commands::completions::run(&arguments, Familiar::command()),
        Familiar::Man(arguments) => commands::completions::man(&arguments, Familiar::command()),
        Familiar::Debug(arguments) => commands::debug::run(&arguments),
    }
}
