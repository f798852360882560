//! What is known of a release, for people (after Gebru et al. 2021).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use super::asked;
use super::content::Release;
use super::files::write_file;
use crate::error::DatasetError;
use crate::inject::Kind;
use crate::pair::Pair;
use crate::status::{Status, status};
use crate::validators::{self, Validators};

pub(super) fn write(release: &Release<'_>, folder: &Path) -> Result<(), DatasetError> {
    let text = text(release)?;
    write_file(&folder.join("DATASHEET.md"), &text)
}

/// How many pairs there are of each kind, by a name.
fn table<'p>(
    out: &mut String,
    heading: &str,
    release: &Release<'_>,
    pairs: impl Iterator<Item = (String, &'p Pair)>,
) -> std::fmt::Result {
    let kind = |pair: &Pair| release.judged.kind(pair).map_or(pair.band.name(), Kind::name);
    let mut rows: BTreeMap<String, BTreeMap<&str, u64>> = BTreeMap::new();
    for (name, pair) in pairs {
        *rows.entry(name).or_default().entry(kind(pair)).or_default() += 1;
    }
    writeln!(out, "| {heading} | false | type3 | type4 | cross-language |\n|---|--:|--:|--:|--:|")?;
    for (name, counts) in rows {
        let count = |band: &str| counts.get(band).copied().unwrap_or(0);
        writeln!(
            out,
            "| {name} | {} | {} | {} | {} |",
            count("false"),
            count("type3"),
            count("type4"),
            count("cross-language")
        )?;
    }
    writeln!(out)
}

fn text(release: &Release<'_>) -> Result<String, DatasetError> {
    let (status, models) = (status(release.project)?, asked::models(release)?);
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = made(&mut out, release)
        .and_then(|()| asked::write(&mut out, release, &models))
        .and_then(|()| known(&mut out, release, &status));
    Ok(out)
}

/// What the pairs are, and how many.
fn made(out: &mut String, release: &Release<'_>) -> std::fmt::Result {
    let Release { project, options, pairs, seeds, splits, .. } = release;
    let settings = &project.settings;
    writeln!(out, "# {} {}\n", settings.name, options.version)?;
    writeln!(
        out,
        "{} pairs of a function and another implementation of it, from {} functions. Made by familiar {}.\n",
        pairs.len(),
        seeds.len(),
        env!("CARGO_PKG_VERSION")
    )?;
    writeln!(out, "## What a pair is\n")?;
    writeln!(
        out,
        "Lines are compared with names and literals made alike. A pair whose lines are more than {} alike is a false semantic clone. \
         From {} on it is of Type-3, and below of Type-4. Across languages there is no such number. Functions of fewer than {} lines \
         are marked as short: {} pairs.\n",
        percent(settings.filter.false_above),
        percent(settings.filter.type3_from),
        settings.filter.min_lines,
        pairs.iter().filter(|pair| pair.short).count()
    )?;
    let languages = |pair: &Pair| {
        if pair.lang1 == pair.lang2 {
            pair.lang1.clone()
        } else {
            format!("{} to {}", pair.lang1, pair.lang2)
        }
    };
    table(out, "languages", release, pairs.iter().map(|pair| (languages(pair), pair)))?;
    table(out, "prompt", release, pairs.iter().map(|pair| (pair.prompt.clone(), pair)))?;
    table(
        out,
        "part",
        release,
        splits.iter().zip(pairs).map(|(split, pair)| (split.name().to_owned(), pair)),
    )?;
    writeln!(
        out,
        "Pairs of one function are in one part, and so are pairs that share a copy (Type-1 or Type-2) of the same code.\n"
    )?;
    Ok(())
}

/// Where the pairs come from, and what is wrong with them.
fn known(out: &mut String, release: &Release<'_>, status: &Status) -> std::fmt::Result {
    writeln!(out, "## Where it comes from\n")?;
    writeln!(
        out,
        "{} replies of a model should have had {} implementations. {} were found; {} texts were dropped, and {} implementations were \
         copies of another one of the same function.\n",
        status.replies,
        status.expected,
        status.candidates,
        status.all_dropped(),
        status.merged
    )?;
    if !status.dropped.is_empty() {
        writeln!(out, "| dropped because | texts |\n|---|--:|")?;
        for (cause, count) in &status.dropped {
            writeln!(out, "| {cause} | {count} |")?;
        }
        writeln!(out)?;
    }
    let mut tested: BTreeMap<&str, u64> = BTreeMap::new();
    for verdict in release.tested.iter().flatten() {
        *tested.entry(verdict).or_default() += 1;
    }
    if !tested.is_empty() {
        writeln!(
            out,
            "Both sides of some pairs were run on the same inputs. The column `tested` of `pairs.parquet` has the verdict. \
             No pair is left out because of it.\n"
        )?;
        writeln!(out, "| what the runs say | pairs |\n|---|--:|")?;
        for (verdict, count) in &tested {
            writeln!(out, "| {verdict} | {count} |")?;
        }
        writeln!(out)?;
    }
    let mut validators = Validators::default();
    release.pairs.iter().for_each(|pair| validators.count(pair));
    writeln!(
        out,
        "Two validators looked at the pairs that are no false semantic clones. One goes by syntax: it takes a pair for a clone if \
         its lines and tokens are at least 76 % alike, so the fewer, the more semantic. The other is an encoder, where it was asked.\n"
    )?;
    writeln!(out, "{}", validators::table(&validators.rows()))?;
    let mut licenses: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in release.seeds.values() {
        *licenses.entry(seed.license.as_deref().unwrap_or("unknown")).or_default() += 1;
    }
    writeln!(out, "| license of the function | functions |\n|---|--:|")?;
    for (license, count) in licenses {
        writeln!(out, "| {license} | {count} |")?;
    }
    writeln!(out, "\n`pairs.parquet` has the license and the origin of each function.\n")?;
    writeln!(out, "## What is known to be wrong\n")?;
    writeln!(out, "{}", release.judged.text())?;
    let contaminated = release.pairs.iter().filter(|pair| pair.contamination.is_some()).count();
    if contaminated > 0 {
        writeln!(out, "\n{contaminated} implementations stand in a corpus, too: see the column `found_in`.")?;
    }
    Ok(())
}

fn percent(share: f64) -> String {
    format!("{} %", (share * 1000.0).round() / 10.0)
}
