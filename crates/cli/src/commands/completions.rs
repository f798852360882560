//! `familiar completions` and `familiar man`: what shells and `man` want to know of the command.

use std::process::ExitCode;

use clap::{Command, CommandFactory};

use crate::Familiar;
use crate::output::Target;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The shell
    shell: clap_complete::Shell,
}

const EXAMPLES: &str = "\
Examples:
  familiar completions bash > ~/.local/share/bash-completion/completions/familiar
  familiar completions zsh > ~/.zfunc/_familiar
  familiar completions fish > ~/.config/fish/completions/familiar.fish";

/// Print the man page
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  familiar man | man -l -\n  familiar man > /usr/local/share/man/man1/familiar.1"
)]
pub(crate) struct Man {}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Familiar::command(), "familiar", &mut script);
    Target::Stdout.write(|out| out.write_all(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// The man page, with a section for each verb.
pub(crate) fn man() -> anyhow::Result<ExitCode> {
    let mut page = Vec::new();
    let mut command = Familiar::command();
    command.build();
    render(&command, &mut page)?;
    Target::Stdout.write(|out| out.write_all(&page))?;
    Ok(ExitCode::SUCCESS)
}

fn render(command: &Command, page: &mut Vec<u8>) -> anyhow::Result<()> {
    clap_mangen::Man::new(command.clone()).render(page)?;
    let shown = |verb: &&Command| !verb.is_hide_set() && verb.get_name() != "help";
    command.get_subcommands().filter(shown).try_for_each(|verb| render(verb, page))
}
