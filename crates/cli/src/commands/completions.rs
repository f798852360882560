//! `familiar completions` and `familiar man`: what shells and `man` want to know of the command.

use std::process::ExitCode;

use clap::CommandFactory;

use crate::Familiar;
use crate::output::Target;

/// Print a completion script for a shell
///
/// Bash: familiar completions bash > ~/.local/share/bash-completion/completions/familiar
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// bash, elvish, fish, powershell or zsh
    shell: clap_complete::Shell,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Familiar::command(), "familiar", &mut script);
    Target::Stdout.write(|out| out.write_all(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// The man page, with a section for each verb.
pub(crate) fn man() -> anyhow::Result<ExitCode> {
    let command = Familiar::command();
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        clap_mangen::Man::new(verb.clone()).render(&mut page)?;
    }
    Target::Stdout.write(|out| out.write_all(&page))?;
    Ok(ExitCode::SUCCESS)
}
