//! `familiar completions` and `familiar man`: the command described for shells and for `man`.

use std::io::Write as _;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Command;

use crate::output::Target;

/// Print a completion script for a shell.
#[derive(clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The shell
    shell: clap_complete::Shell,
}

const EXAMPLES: &str = "\
Examples:
  familiar completions bash > ~/.local/share/bash-completion/completions/familiar
  familiar completions zsh > ~/.zfunc/_familiar
  familiar completions fish > ~/.config/fish/completions/familiar.fish";

/// Print the man page.
#[derive(clap::Args)]
#[command(after_long_help = MAN_EXAMPLES)]
pub(crate) struct Man {
    /// Format of the manual: man, or markdown (the help of every command, for the documentation site) [default: man]
    #[arg(long, value_name = "NAME", value_enum, hide_possible_values = true)]
    format: Option<ManFormat>,
}

/// What a manual is written in.
#[derive(Clone, Copy, clap::ValueEnum)]
enum ManFormat {
    Man,
    Markdown,
}

const MAN_EXAMPLES: &str = "\
Examples:
  familiar man | man -l -
  familiar man > /usr/local/share/man/man1/familiar.1
  familiar man --format markdown > commands.md";

/// Columns of the help on the page: as many as fit beside the table of contents.
const PAGE_WIDTH: usize = 100;

/// Prints how a shell completes `command`.
pub(crate) fn run(arguments: &Arguments, mut command: Command) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "familiar", &mut script);
    Target::new(None).write(|out| out.write_all(&script))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual of `command`, with a section for each verb.
pub(crate) fn man(arguments: &Man, command: Command) -> anyhow::Result<ExitCode> {
    let page = match arguments.format.unwrap_or(ManFormat::Man) {
        ManFormat::Man => roff(command)?,
        ManFormat::Markdown => markdown(command)?,
    };
    Target::new(None).write(|out| out.write_all(&page))?;
    Ok(ExitCode::SUCCESS)
}

fn roff(mut command: Command) -> anyhow::Result<Vec<u8>> {
    command.build();
    let mut page = Vec::new();
    render(&command, &mut page)?;
    Ok(page)
}

/// The help of every command as a page of Markdown.
pub(crate) fn markdown(command: Command) -> anyhow::Result<Vec<u8>> {
    let whole = command.term_width(PAGE_WIDTH);
    let mut built = whole.clone();
    built.build();
    let mut page = MARKDOWN_HEAD.as_bytes().to_vec();
    render_markdown(&whole, &built, &[], &mut page)?;
    Ok(page)
}

fn render(command: &Command, page: &mut Vec<u8>) -> anyhow::Result<()> {
    clap_mangen::Man::new(command.clone()).render(page)?;
    verbs(command).try_for_each(|verb| render(verb, page))
}

const MARKDOWN_HEAD: &str = "\
# Commands

This page is the help of every command, as `familiar COMMAND --help` prints it. `familiar man
--format markdown` writes the page. Flags can also stand in a [`familiar.toml`](settings.md). [Exit
codes](exit-codes.md) and [formats](../formats/index.md) have pages of their own.
";

/// A section with the help of a verb of `whole` that stands below `above`, then those of its own verbs.
fn render_markdown(
    whole: &Command,
    verb: &Command,
    above: &[&str],
    page: &mut Vec<u8>,
) -> anyhow::Result<()> {
    let path = [above, &[verb.get_name()]].concat();
    // Only a command line with --help gives exactly what a user reads: clap has a short form where nothing is long.
    let asked = whole.clone().try_get_matches_from(path.iter().chain(&["--help"]));
    let help = asked.err().context("--help gives help")?.to_string();
    let help = help.trim_end().lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    write!(page, "\n{} {}\n\n```text\n{help}\n```\n", "#".repeat(path.len().max(2)), path.join(" "))?;
    verbs(verb).try_for_each(|verb| render_markdown(whole, verb, &path, page))
}

/// The verbs of a command that its help shows.
fn verbs(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|verb| !verb.is_hide_set() && verb.get_name() != "help")
}
