//! Programs as models see them: which ones, and where the result goes.

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::Path;

use anyhow::{Context, bail};
use familiar_engine::represent::tree::TreeOptions;
use familiar_engine::represent::{
    self, Form, RepresentError, RepresentOptions, Represented, Rows, Table, gnn,
};
use familiar_source::Language;

use crate::common::{Common, Formats};
use crate::notes::{Notes, nothing_read};
use crate::output::{self, Target};
use crate::values;

/// Which programs are represented.
#[derive(clap::Args, Debug)]
pub(crate) struct Sources {
    /// Files, folders, archives, or JSON lines with code, lang and id
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<String>,
    /// Read only these languages
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language)]
    lang: Vec<Language>,
    /// Leave out paths that match the glob, written as in .gitignore. May be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Also read files that .gitignore leaves out
    #[arg(long)]
    no_ignore: bool,
}

impl Sources {
    pub(crate) fn options<F: Formats>(&self, common: &Common<F>) -> RepresentOptions {
        RepresentOptions {
            sources: self.paths.clone(),
            languages: self.lang.clone(),
            exclude: self.exclude.clone(),
            no_ignore: self.no_ignore,
            memory: common.resources.memory(),
            threads: common.resources.threads(),
        }
    }
}

/// The format that was asked for, or the one of `endings` that the name of the output file has, or `usual`.
pub(crate) fn format<F: Formats>(common: &Common<F>, endings: &[(&str, F)], usual: F) -> F {
    let ending = common.writing.output.as_deref().and_then(Path::extension).and_then(|it| it.to_str());
    let by_name = endings.iter().find(|(known, _)| Some(*known) == ending).map(|(_, format)| *format);
    common.writing.given_format().or(by_name).unwrap_or(usual)
}

/// Writes what `form` makes of the programs, one after the other, between `head` and `foot`. `missing` is the error where
/// nothing can be made of any of them.
pub(crate) fn text<F: Formats, R: Form<Made = Vec<u8>>>(
    common: &Common<F>,
    options: &RepresentOptions,
    form: &R,
    head: &[u8],
    foot: &[u8],
    missing: Option<&str>,
) -> anyhow::Result<()> {
    let notes = Notes { quiet: common.writing.quiet() };
    let target = common.writing.target();
    target.check()?;
    // Nothing is known where the reader went away before the end.
    let counts = RefCell::new(None);
    target.try_write(|out| {
        out.write_all(head)?;
        let mut skipped = |path: &str, reason: &str| notes.left_out(path, &reason);
        let made = match represent::run(options, form, &mut |made| out.write_all(&made), &mut skipped) {
            Err(RepresentError::Write(error)) => return Err(error.into()),
            all => all?,
        };
        found(&made, missing)?;
        counts.replace(Some(made));
        Ok(out.write_all(foot)?)
    })?;
    counts.take().into_iter().for_each(|counts| warn(counts, notes));
    Ok(())
}

/// Writes what `form` makes of the programs into the table that `open` makes of an empty file. `missing` is as for [`text`].
pub(crate) fn table<F: Formats, R: Form<Made = Rows>>(
    common: &Common<F>,
    options: &RepresentOptions,
    form: &R,
    open: impl FnOnce(File) -> io::Result<Table>,
    missing: Option<&str>,
) -> anyhow::Result<()> {
    const NEEDS: &str = "a table needs a file; give --output FILE.parquet";
    let notes = Notes { quiet: common.writing.quiet() };
    let path = common.writing.output.clone().context(NEEDS)?;
    Target::new(Some(path.clone())).check()?;
    let counts = output::write_files(&[path], |files| {
        let mut table = open(files.into_iter().next().context("a file for each path")?)?;
        let mut skipped = |path: &str, reason: &str| notes.left_out(path, &reason);
        let counts = represent::run(options, form, &mut |rows| table.write(rows), &mut skipped)?;
        found(&counts, missing)?;
        table.finish()?;
        Ok(counts)
    })?;
    warn(counts, notes);
    Ok(())
}

/// Writes the trees of the programs into a folder for graph neural networks.
pub(crate) fn folder<F: Formats>(
    common: &Common<F>,
    options: &RepresentOptions,
    trees: TreeOptions,
) -> anyhow::Result<()> {
    let notes = Notes { quiet: common.writing.quiet() };
    let path = common.writing.output.clone().context("the format gnn is a folder; give --output DIR")?;
    let counts = output::write_folder(
        &path,
        |_| false,
        |folder| {
            let mut written =
                gnn::Folder::new(folder).with_context(|| format!("cannot write {}", path.display()))?;
            let mut skipped = |path: &str, reason: &str| notes.left_out(path, &reason);
            let form = gnn::TreeTables { options: trees };
            let counts = represent::run(options, &form, &mut |made| written.write(&made), &mut skipped)?;
            written.finish()?;
            Ok(counts)
        },
    )?;
    warn(counts, notes);
    Ok(())
}

/// Fails where nothing was made, and `missing` says why that is wrong.
fn found(counts: &Represented, missing: Option<&str>) -> anyhow::Result<()> {
    match missing {
        Some(missing) if counts.programs == 0 => bail!("{missing}"),
        _ => Ok(()),
    }
}

fn warn(counts: Represented, notes: Notes) {
    nothing_read(counts.programs, usize::try_from(counts.left_out).unwrap_or(usize::MAX), notes.quiet);
}
