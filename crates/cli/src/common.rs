//! The flags that mean the same on every command that has them. Nothing else defines one of them.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use familiar_detect::CloneOptions;

use crate::output::{ColorWhen, Target};
use crate::progress::{Bar, When};
use crate::values;

pub(crate) const OUTPUT: &str = "Output";
pub(crate) const RESOURCES: &str = "Resources";

/// The formats in which a command can write its result.
pub(crate) trait Formats: Copy + Send + Sync + 'static {
    /// Whether the first format is taken where none is named. Otherwise the name of the output file decides.
    const HAS_DEFAULT: bool = true;

    /// Each with its name and with what it is.
    fn all() -> Vec<(&'static str, &'static str, Self)>;
}

/// All common flags: of a command that works for a while and writes a result.
#[derive(clap::Args, Debug)]
pub(crate) struct Common<F: Formats> {
    #[command(flatten)]
    pub(crate) writing: Writing<F>,
    #[command(flatten)]
    pub(crate) watching: Watching,
    #[command(flatten)]
    pub(crate) resources: Resources,
}

/// How a result is written, and what is said beside it.
#[derive(clap::Args, Debug)]
pub(crate) struct Writing<F: Formats> {
    /// Format of the result
    #[arg(long, value_name = "FORMAT", value_parser = formats::<F>(), default_value = default_of::<F>(), help_heading = OUTPUT)]
    format: Option<F>,
    /// Write the result to PATH instead of standard output. It is written as a whole or not at all
    #[arg(long, value_name = "PATH", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    quiet: Quiet,
    /// When to use colors: auto (on a terminal, unless NO_COLOR is set), always, never
    #[arg(long, value_name = "WHEN", value_parser = choice(ColorWhen::ALL), default_value = "auto", hide_possible_values = true, help_heading = OUTPUT)]
    color: ColorWhen,
}

#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Quiet {
    /// Write nothing but the result and errors
    #[arg(long, short, help_heading = OUTPUT)]
    pub(crate) quiet: bool,
}

/// Whether it is shown how far the work has come.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Watching {
    /// When to show progress on standard error: auto (on a terminal), always, never
    #[arg(long, value_name = "WHEN", value_parser = choice(When::ALL), default_value = "auto", hide_possible_values = true, help_heading = OUTPUT)]
    progress: When,
}

/// What a command may take of the machine.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Resources {
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    memory: Memory,
}

#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Threads {
    /// Number of threads, at most 256 [default: one for each processor core]
    #[arg(long, value_name = "N", value_parser = values::threads, help_heading = RESOURCES)]
    threads: Option<usize>,
}

#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct Memory {
    /// Limit for the memory, such as 512M or 2GiB; at least 64M [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::memory, help_heading = RESOURCES)]
    memory: Option<usize>,
}

impl<F: Formats> Writing<F> {
    pub(crate) fn format(&self) -> F {
        self.format.unwrap_or_else(|| F::all()[0].2)
    }

    pub(crate) fn quiet(&self) -> bool {
        self.quiet.quiet
    }

    /// The format that was asked for by its name.
    pub(crate) fn given_format(&self) -> Option<F> {
        self.format
    }

    /// Standard output, or the file that was named.
    pub(crate) fn target(&self) -> Target {
        Target::new(self.output.clone()).in_color(self.color)
    }
}

impl Watching {
    /// A line that shows progress, or nothing where `quiet` or the flag says so.
    pub(crate) fn bar(&self, quiet: bool) -> Bar {
        Bar::new(self.progress, quiet)
    }
}

impl<F: Formats> Common<F> {
    pub(crate) fn bar(&self) -> Bar {
        self.watching.bar(self.writing.quiet())
    }
}

impl Threads {
    /// 0 stands for one thread for each core.
    pub(crate) fn number(self) -> usize {
        self.threads.unwrap_or(0)
    }
}

impl Memory {
    pub(crate) fn bytes(self) -> usize {
        self.memory.unwrap_or(CloneOptions::default().memory)
    }
}

impl Resources {
    pub(crate) fn threads(self) -> usize {
        self.threads.number()
    }

    pub(crate) fn memory(self) -> usize {
        self.memory.bytes()
    }
}

/// Takes the name of one of some formats; what is misspelt gets a suggestion.
fn formats<F: Formats>() -> impl TypedValueParser<Value = F> {
    let names = F::all().into_iter().map(|(name, what, _)| PossibleValue::new(name).help(what));
    PossibleValuesParser::new(names).map(|name| {
        let found = F::all().into_iter().find(|(known, _, _)| *known == name);
        found.expect("the parser takes known names alone").2
    })
}

fn default_of<F: Formats>() -> Option<&'static str> {
    F::HAS_DEFAULT.then(|| F::all()[0].0)
}

/// Takes one of some names; what is misspelt gets a suggestion.
pub(crate) fn choice<T: Copy + Send + Sync + 'static, const N: usize>(
    all: [(&'static str, T); N],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.map(|(name, _)| name)).map(move |name| {
        all.iter().find(|(known, _)| *known == name).expect("the parser takes known names alone").1
    })
}

#[cfg(all(test, feature = "all"))]
mod tests;
