//! All verbs but `clones`.

use std::process::ExitCode;

use crate::output;

/// A verb with its flags.
#[derive(clap::Subcommand)]
pub(crate) enum Verb {
    Audit(Box<super::audit::Arguments>),
    Corpus(super::corpus::Arguments),
    Find(Box<super::find::Arguments>),
    Report(super::report::Arguments),
    Decisions(super::decisions::Arguments),
    Serve(Box<super::serve::Arguments>),
    Lsp(super::lsp::Arguments),
    Trend(Box<super::trend::Arguments>),
    Fingerprint(super::fingerprint::Arguments),
    License(super::license::Arguments),
    Evaluate(super::evaluate::Arguments),
    #[cfg(feature = "train")]
    Train(super::train::Arguments),
    Embed(super::embed::Arguments),
    Transform(super::transform::Arguments),
    Tokens(super::tokens::Arguments),
    Tree(super::tree::Arguments),
    Graph(super::graph::Arguments),
    Attack(super::attack::Arguments),
    Benchmark(super::benchmark::Arguments),
    Codenet(super::codenet::Arguments),
    Completions(super::completions::Arguments),
    Man(super::completions::Man),
    #[command(hide = true)]
    Debug(super::debug::Arguments),
}

/// Runs a verb of the program `command`.
pub(crate) fn run(verb: Verb, command: fn() -> clap::Command) -> anyhow::Result<ExitCode> {
    if !matches!(verb, Verb::Serve(_)) {
        // A server ends in its own way.
        output::clean_up_on_interrupt();
    }
    match verb {
        Verb::Audit(arguments) => super::audit::run(&arguments),
        Verb::Corpus(arguments) => super::corpus::run(&arguments),
        Verb::Find(arguments) => super::find::run(&arguments),
        Verb::Report(arguments) => super::report::run(&arguments),
        Verb::Decisions(arguments) => super::decisions::run(&arguments),
        Verb::Serve(arguments) => super::serve::run(&arguments),
        Verb::Lsp(arguments) => super::lsp::run(arguments, command()),
        Verb::Trend(arguments) => super::trend::run(&arguments),
        Verb::Fingerprint(arguments) => super::fingerprint::run(&arguments),
        Verb::License(arguments) => super::license::run(&arguments),
        Verb::Evaluate(arguments) => super::evaluate::run(&arguments),
        #[cfg(feature = "train")]
        Verb::Train(arguments) => super::train::run(&arguments),
        Verb::Embed(arguments) => super::embed::run(&arguments),
        Verb::Attack(arguments) => super::attack::run(&arguments),
        Verb::Benchmark(arguments) => super::benchmark::run(&arguments),
        Verb::Codenet(arguments) => super::codenet::run(&arguments),
        Verb::Transform(arguments) => super::transform::run(&arguments),
        Verb::Tokens(arguments) => super::tokens::run(&arguments),
        Verb::Tree(arguments) => super::tree::run(&arguments),
        Verb::Graph(arguments) => super::graph::run(&arguments),
        Verb::Completions(arguments) => super::completions::run(&arguments, command()),
        Verb::Man(arguments) => super::completions::man(&arguments, command()),
        Verb::Debug(arguments) => super::debug::run(&arguments),
    }
}
