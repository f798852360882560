//! `familiar corpus list`, `info` and `verify`: what there is.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use familiar_library::{self as corpus, SourceInfo};
use familiar_report::{about, counted, printable};
use serde_json::json;

use super::change;
use crate::common::{Watching, Writing};
use crate::corpora::{existing, home};
use crate::formats::TextOrJson;

/// List the corpora in FAMILIAR_HOME.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  familiar corpus list")]
pub(super) struct List {
    #[command(flatten)]
    writing: Writing<TextOrJson>,
}

/// Show what a corpus contains.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  familiar corpus info world\n  familiar corpus info world --skips")]
pub(super) struct Info {
    /// The corpus: a name or a path
    #[arg(value_name = "CORPUS")]
    corpus: String,
    /// List what was left out, and why: with --format json, one JSON object on each line
    #[arg(long)]
    skips: bool,
    #[command(flatten)]
    writing: Writing<TextOrJson>,
}

/// Check that every file of a corpus is as it was written.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  familiar corpus verify world")]
pub(super) struct Verify {
    /// The corpus: a name or a path
    #[arg(value_name = "CORPUS")]
    corpus: String,
    #[command(flatten)]
    writing: Writing<TextOrJson>,
    #[command(flatten)]
    watching: Watching,
}

pub(super) fn list(given: &List) -> anyhow::Result<ExitCode> {
    let home = home().ok_or(corpus::NoHome)?;
    let names = corpus::list(&home).with_context(|| format!("cannot read {}", home.display()))?;
    let fault = |name: &String| Some((name.clone(), corpus::check(&home.join(name)).err()?.to_string()));
    let faults: BTreeMap<String, String> = names.iter().filter_map(fault).collect();
    let done = [("corpora", names.clone().into()), ("errors", json!(faults))];
    change::write(&given.writing, &done, |out| {
        names.iter().try_for_each(|name| match faults.get(name) {
            Some(fault) => writeln!(out, "{name} cannot be read: {}", printable(fault)),
            None => writeln!(out, "{name}"),
        })
    })?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn info(given: &Info) -> anyhow::Result<ExitCode> {
    let folder = existing(&given.corpus)?;
    let target = given.writing.target();
    target.check()?;
    let json = given.writing.format() == TextOrJson::Json;
    if given.skips {
        let mut lines = Vec::new();
        corpus::skips(&folder, |source, skip| lines.push((source.to_owned(), skip)))?;
        target.write(|out| {
            lines.iter().try_for_each(|(source, skip)| {
                if json {
                    let row = json!({"source": source, "path": skip.path, "reason": skip.reason});
                    return writeln!(out, "{row}");
                }
                writeln!(out, "{} {}: {}", printable(source), printable(&skip.path), printable(&skip.reason))
            })
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let info = corpus::info(&folder)?;
    target.write(|out| {
        if json {
            serde_json::to_writer_pretty(&mut *out, &info)?;
            return writeln!(out);
        }
        write_info(out, &info)
    })?;
    Ok(ExitCode::SUCCESS)
}

pub(super) fn verify(given: &Verify) -> anyhow::Result<ExitCode> {
    let folder = existing(&given.corpus)?;
    given.writing.target().check()?;
    let progress = given.watching.bar(given.writing.quiet());
    progress.begin("comparing files");
    let damage = corpus::verify(&folder)?;
    progress.finish();
    let rows: Vec<_> =
        damage.iter().map(|damage| json!({"file": damage.file, "reason": damage.reason})).collect();
    change::write(&given.writing, &[("damage", rows.into())], |out| {
        if damage.is_empty() {
            return writeln!(out, "every file is as it was written");
        }
        damage.iter().try_for_each(|damage| writeln!(out, "{}: {}", damage.file, damage.reason))
    })?;
    anyhow::ensure!(
        damage.is_empty(),
        "{} damaged; `familiar corpus rebuild` repairs segments. If a table is damaged, add the sources to a new corpus",
        if damage.len() == 1 { "1 file is".to_owned() } else { format!("{} files are", damage.len()) }
    );
    Ok(ExitCode::SUCCESS)
}

/// Most lines of a list in the text.
const LISTED: usize = 20;

fn write_info(out: &mut dyn Write, info: &corpus::Info) -> io::Result<()> {
    let corpus::Info { generation, blobs, occurrences, fragments, lines, license_files, skips, .. } = info;
    writeln!(
        out,
        "{} ({}, {}) in {}",
        counted(*blobs, "different file"),
        about(info.bytes),
        counted(*lines, "line"),
        counted(*occurrences, "place")
    )?;
    writeln!(
        out,
        "{}, {}, {} left out, generation {generation}",
        counted(*fragments, "fragment"),
        counted(*license_files, "license file"),
        counted(*skips, "file")
    )?;
    if let Some(count) = info.unused_blobs {
        let unused = counted(count, "file");
        let (have, take) = if count == 1 { ("has", "takes") } else { ("have", "take") };
        writeln!(out, "{unused} {have} no place anymore and {take} space until `familiar corpus merge`")?;
    }
    if info.ignored_lines > 0 {
        writeln!(out, "{} left out (familiar:ignore comments)", counted(info.ignored_lines, "line"))?;
    }
    writeln!(out, "{} on disk, of which {} are source text", about(info.disk_bytes), about(info.text_bytes))?;
    if let Some(encoder) = &info.vectors {
        writeln!(out, "vectors of functions by {encoder}")?;
    }
    let mut languages: Vec<_> = info.languages.iter().collect();
    languages.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
    let languages: Vec<String> = languages.iter().map(|(name, count)| format!("{name} {count}")).collect();
    writeln!(out, "languages: {}", languages.join(", "))?;
    writeln!(out, "sources:")?;
    info.sources.iter().take(LISTED).try_for_each(|source| write_source(out, source, &info.sources))?;
    rest(out, info.sources.len(), "more source")?;
    writeln!(out, "projects:")?;
    for project in info.projects.iter().take(LISTED) {
        let places = counted(project.occurrences, "place");
        writeln!(out, "  {} ({places})", printable(&project.project))?;
    }
    rest(out, info.projects.len(), "more project")
}

fn write_source(out: &mut dyn Write, source: &SourceInfo, all: &[SourceInfo]) -> io::Result<()> {
    let is_release = |other: &SourceInfo| {
        other.source.strip_prefix(&source.source).is_some_and(|rest| rest.starts_with(['=', '@', ':']))
    };
    if source.occurrences + source.skips == 0 && all.iter().any(is_release) {
        // Its code is that of its releases, each of which is a source of its own.
        return writeln!(out, "  {} (corpus update adds its newest release)", printable(&source.source));
    }
    let SourceInfo { source, occurrences, skips, base, without, exclude, .. } = source;
    let base = if *base { ", template code" } else { "" };
    write!(
        out,
        "  {} ({}, {} left out{base}",
        printable(source),
        counted(*occurrences, "place"),
        counted(*skips, "file")
    )?;
    if !without.is_empty() {
        write!(out, ", without {}", printable(&without.join(", ")))?;
    }
    if !exclude.is_empty() {
        write!(out, ", --exclude {}", printable(&exclude.join(", ")))?;
    }
    writeln!(out, ")")
}

fn rest(out: &mut dyn Write, count: usize, noun: &str) -> io::Result<()> {
    let rest = count.saturating_sub(LISTED) as u64;
    if rest == 0 {
        return Ok(());
    }
    writeln!(out, "  and {} (--format json lists all)", counted(rest, noun))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_without_a_version_is_not_said_to_be_empty() {
        let source = |name: &str, occurrences| SourceInfo {
            source: name.to_owned(),
            read: 0,
            base: false,
            without: Vec::new(),
            exclude: Vec::new(),
            occurrences,
            skips: 0,
        };
        let all = [source("pypi:six==1.16", 3), source("pypi:six", 0), source("dir:/a", 0)];
        let mut out = Vec::new();
        all.iter().try_for_each(|source| write_source(&mut out, source, &all)).expect("memory");
        assert_eq!(
            String::from_utf8_lossy(&out),
            "  pypi:six==1.16 (3 places, 0 files left out)\n  pypi:six (corpus update adds its newest release)\n  \
             dir:/a (0 places, 0 files left out)\n"
        );
    }
}
