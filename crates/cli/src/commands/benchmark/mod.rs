//! `familiar benchmark`: a benchmark of clones, from seed functions to a release.

mod agree;
mod filter;
mod generate;
mod import;
mod inject;
mod judge;
mod new;
mod parse;
mod prompts;
mod release;
mod run;
mod said;
mod sample;
mod seeds;
mod status;
mod test;

use std::process::ExitCode;

use clap::Subcommand;

/// Build a benchmark of clones: seed functions, what a language model makes of them, and which of these are clones.
///
/// A benchmark is a folder. Each step reads the files of those before it and writes its own, so each can be repeated, and goes on
/// after a kill. `status` says what is next.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    New(new::Arguments),
    Seeds(seeds::Arguments),
    Prompts(prompts::Arguments),
    Generate(generate::Arguments),
    Import(import::Arguments),
    Parse(parse::Arguments),
    Filter(filter::Arguments),
    Test(test::Arguments),
    Sample(sample::Arguments),
    Judge(judge::Arguments),
    Agree(agree::Arguments),
    Release(release::Arguments),
    Inject(inject::Arguments),
    Run(run::Arguments),
    Status(status::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  familiar benchmark new clones2
  familiar benchmark seeds clones2 ~/src/project --min-lines 5 --count 200 --self-contained
  familiar benchmark generate clones2 --llm http://localhost:11434/v1#qwen2.5-coder
  familiar benchmark parse clones2
  familiar benchmark filter clones2
  familiar benchmark status clones2";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.what {
        What::New(arguments) => new::run(arguments)?,
        What::Seeds(arguments) => seeds::run(arguments)?,
        What::Prompts(arguments) => prompts::run(arguments)?,
        What::Generate(arguments) => generate::run(arguments)?,
        What::Import(arguments) => import::run(arguments)?,
        What::Parse(arguments) => parse::run(arguments)?,
        What::Filter(arguments) => filter::run(arguments)?,
        What::Test(arguments) => test::run(arguments)?,
        What::Sample(arguments) => sample::run(arguments)?,
        What::Judge(arguments) => judge::run(arguments)?,
        What::Agree(arguments) => agree::run(arguments)?,
        What::Release(arguments) => release::run(arguments)?,
        What::Inject(arguments) => inject::run(arguments)?,
        What::Run(arguments) => run::run(arguments)?,
        What::Status(arguments) => status::run(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}
