//! `familiar transform`: programs that look different and behave the same.

mod design;
mod folder;
mod list;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::bail;
use familiar_engine::members::{Members, RunOptions};
use familiar_engine::transform::sites::SitesOptions;
use familiar_engine::transform::{self, At, Recipe, TransformError, TransformOptions, TransformedRow};
use familiar_engine::verify::{Verified, VerifyOptions};
use familiar_report::printable;
use familiar_source::words::counted;

use crate::common::{Common, choice};
use crate::formats::ProgramFormat;
use crate::notes::Notes;
use crate::values;
use folder::Folder;

/// Rewrite programs so that they look different and behave the same.
///
/// With --with, all transformations that are named are applied one after the other. With --set, each member of the set gives a
/// program of its own, and --count may ask for compositions of them. What a transformation cannot prove to be safe stays as
/// it is. Programs that stay as they are are named on standard error, with the reason.
///
/// With --output, the programs go to a file, or into a folder that exists or ends in a slash: each program as a file, and
/// recipes.jsonl with a row for each.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    design: Option<Design>,
    /// Files, folders, archives, or JSON lines with code, lang and id
    #[arg(value_name = "PATH", required_unless_present = "list")]
    paths: Vec<String>,
    /// Apply these transformations, one after the other: names, or folders of one transformation each
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "set")]
    with: Vec<String>,
    /// Sets: all, orig-4, orig-20, classics, new-20, or folders of `transform design`; or one that is composed: minify, reformat,
    /// decompiled
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    set: Vec<String>,
    /// At which sites: first, each (a program for each site), all
    #[arg(long, value_name = "WHERE", value_parser = choice(SITES), default_value = "all", hide_possible_values = true)]
    at: At,
    /// At most N programs for each source, one of each transformation first [default: one of each]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    count: Option<usize>,
    /// Decides what transformations may choose, such as names
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Run each program in a sandbox beside its source: on the test of its row, or on inputs that are made up
    #[arg(long)]
    verify: bool,
    /// Run programs with your own rights where this system cannot confine them: with --verify, and transformations of folders
    #[arg(long)]
    unsandboxed: bool,
    /// List the transformations and the sets. With PATH: list the sites of each transformation there (or of those of --with or
    /// --set), with the line, the column, and the reason of each that stays as it is
    #[arg(long)]
    list: bool,
    /// Leave out paths that match the glob, written as in .gitignore. May be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Also read files that .gitignore leaves out
    #[arg(long)]
    no_ignore: bool,

    #[command(flatten)]
    common: Common<ProgramFormat>,
}

#[derive(Debug, clap::Subcommand)]
enum Design {
    Design(Box<design::Arguments>),
}

const SITES: [(&str, At); 3] = [("first", At::First), ("each", At::Each), ("all", At::All)];

const EXAMPLES: &str = "\
Examples:
  familiar transform parser.py --with for-while,variable-rename
  familiar transform --list
  familiar transform --list parser.py --with for-while --format ndjson
  familiar transform src --set orig-4 --format ndjson --output variants.jsonl
  familiar transform src --set new-20 --count 5 --verify --output variants/
  familiar transform solutions.jsonl.zst --set all --count 5 --seed 7 --format ndjson";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(Design::Design(arguments)) = &arguments.design {
        return design::run(arguments);
    }
    let target = arguments.common.writing.target();
    let notes = Notes { quiet: arguments.common.writing.quiet() };
    if arguments.list && arguments.paths.is_empty() {
        target.write(|out| list::catalog(out))?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.list {
        list::sites(&arguments.sites()?, &target, arguments.common.writing.format(), notes)?;
        return Ok(ExitCode::SUCCESS);
    }
    let options = arguments.options()?;
    let mut seen = Seen { notes, ..Seen::default() };
    if let Some(mut folder) = Folder::asked_for(arguments.common.writing.output.as_deref())? {
        write_all(&options, &mut seen, &mut |row| folder.write(row))?;
        folder.finish()?;
    } else {
        let format = arguments.common.writing.format();
        target.check()?;
        let told = RefCell::new(&mut seen);
        target.try_write(|out| {
            match write_all(&options, &mut told.borrow_mut(), &mut |row| write_row(row, format, out)) {
                Err(TransformError::Write(error)) => Err(error.into()),
                other => Ok(other?),
            }
        })?;
    }
    seen.tell(arguments.verify);
    Ok(ExitCode::SUCCESS)
}

/// Writes all rows, and sees what is said of them.
fn write_all(
    options: &TransformOptions,
    seen: &mut Seen,
    out: &mut dyn FnMut(&TransformedRow) -> io::Result<()>,
) -> Result<(), TransformError> {
    let notes = seen.notes;
    let mut write = |row: &TransformedRow| {
        seen.see(row);
        out(row)
    };
    transform::run(options, &mut write, &mut |path, reason| notes.left_out(path, &reason))?;
    Ok(())
}

/// What is said of all rows on standard error.
#[derive(Default)]
struct Seen {
    notes: Notes,
    /// How many programs have which answer.
    counts: BTreeMap<Verified, u64>,
    /// Why the last of them was not run; all programs of a source have the same reason.
    not_run: String,
}

impl Seen {
    fn see(&mut self, row: &TransformedRow) {
        *self.counts.entry(row.verified).or_default() += 1;
        let Some(reason) = &row.reason else { return };
        let (source, reason) = (printable(&row.source), printable(reason));
        if row.verified == Verified::Failed {
            let steps: Vec<_> = row.steps.iter().map(|it| it.name).collect();
            self.notes.warn(&format!("{source}: {}: {reason}", steps.join(", ")));
            return;
        }
        let not_run = format!("not run: {source}: {reason}");
        if self.not_run != not_run {
            self.notes.say(&not_run);
            self.not_run = not_run;
        }
    }

    fn tell(&self, verified: bool) {
        if self.counts.is_empty() {
            self.notes.warn("no program was rewritten");
        } else if verified {
            let all = self.counts.values().sum();
            let parts: Vec<_> =
                self.counts.iter().map(|(it, count)| format!("{count} {}", it.name())).collect();
            self.notes.say(&format!("{}: {}", counted(all, "program"), parts.join(", ")));
        }
    }
}

impl Arguments {
    /// Gives each new program to `out`. `left_out` is told of programs that stay as they are, and why.
    pub(crate) fn transformed(
        &self,
        out: &mut dyn FnMut(&TransformedRow) -> io::Result<()>,
        left_out: &mut dyn FnMut(&str, &str),
    ) -> anyhow::Result<()> {
        if self.list || self.design.is_some() {
            bail!("--list and design are commands only");
        }
        transform::run(&self.options()?, out, left_out)?;
        Ok(())
    }

    fn options(&self) -> anyhow::Result<TransformOptions> {
        let resources = self.common.resources;
        let recipe = self.recipe()?;
        let (Recipe::Steps(members) | Recipe::Set(members)) = &recipe;
        let has_programs = members.has_programs();
        if self.unsandboxed && !self.verify && !has_programs {
            bail!("--unsandboxed: nothing is run without --verify");
        }
        let verify = self.verify.then(|| VerifyOptions {
            unsandboxed: self.unsandboxed,
            apart: has_programs,
            seconds: None,
            seed: self.seed,
            threads: resources.threads(),
        });
        Ok(TransformOptions {
            sources: self.paths.clone(),
            recipe,
            at: self.at,
            count: self.count.unwrap_or(0),
            seed: self.seed,
            verify,
            exclude: self.exclude.clone(),
            no_ignore: self.no_ignore,
            memory: resources.memory(),
            threads: resources.threads(),
        })
    }

    /// What `--list` lists of PATH: the sites of what is named, or else of all transformations.
    fn sites(&self) -> anyhow::Result<SitesOptions> {
        let transformations = if self.with.is_empty() && self.set.is_empty() {
            Members::of_sets(&["all".to_owned()], RunOptions::default())?
        } else {
            let (Recipe::Set(members) | Recipe::Steps(members)) = self.recipe()?;
            members
        };
        Ok(SitesOptions {
            sources: self.paths.clone(),
            transformations,
            seed: self.seed,
            exclude: self.exclude.clone(),
            no_ignore: self.no_ignore,
            memory: self.common.resources.memory(),
            threads: self.common.resources.threads(),
        })
    }

    fn recipe(&self) -> anyhow::Result<Recipe> {
        let options = RunOptions { unsandboxed: self.unsandboxed, threads: self.common.resources.threads() };
        if !self.set.is_empty() {
            let members = Members::of_sets(&self.set, options)?;
            return Ok(if members.is_composed() { Recipe::Steps(members) } else { Recipe::Set(members) });
        }
        if self.with.is_empty() {
            bail!("name transformations with --with or --set; `familiar transform --list` shows them");
        }
        Ok(Recipe::Steps(Members::named(&self.with, options)?))
    }
}

fn write_row(row: &TransformedRow, format: ProgramFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        ProgramFormat::Ndjson => {
            serde_json::to_writer(&mut *out, row)?;
            writeln!(out)
        }
        ProgramFormat::Text => out.write_all(&row.bytes),
    }
}
