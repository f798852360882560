//! The result of `familiar find` (`familiar.find/1`, `docs/formats/find.md`): who has some code, and who had it first.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use familiar_source::words::counted;
use serde::{Deserialize, Serialize};

use crate::formats::explained_lines;
use crate::layer_row::by_in_words;
use crate::share::percent;
use crate::{Explanation, LayerRow, printable};

/// The schema's name and version.
pub const SCHEMA: &str = "familiar.find/1";

/// The name and version of the schema of fingerprints.
pub const FINGERPRINT_SCHEMA: &str = "familiar.fingerprint/1";

/// What of a file can be looked up without it: `familiar fingerprint` writes it, `familiar find --fingerprints` reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FingerprintRow {
    pub schema: String,
    /// Of the way in which fingerprints are made; only those of the same version can be compared.
    pub version: u32,
    pub path: String,
    pub language: String,
    pub start_line: u32,
    pub end_line: u32,
    /// Lines on which tokens start, each with their number.
    pub lines: Vec<(u32, u32)>,
    /// Sampled k-grams.
    pub runs: Vec<HashRow>,
    pub functions: Vec<HashRow>,
}

/// First token, number of tokens, hash by which they are found, and in hex digits the hashes of the tokens with all names
/// and literals alike and of the tokens as written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HashRow(pub u32, pub u32, pub u32, pub String, pub String);

/// What a corpus has of one query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FindReport {
    pub schema: &'static str,
    pub query: QueryRow,
    /// The best first.
    pub blobs: Vec<BlobRow>,
    /// Blobs that were found and are not listed.
    pub more_blobs: u64,
    pub origin: Origin,
}

/// What was asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct QueryRow {
    /// As the user named it; `-` for standard input.
    pub path: String,
    /// The exact path, where it is not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_bytes: Option<Vec<u8>>,
    pub language: &'static str,
    pub start_line: u32,
    pub end_line: u32,
    pub tokens: u32,
    /// Whether only some lines of a file were asked for.
    #[serde(skip)]
    pub is_part: bool,
}

/// What one blob, or one file in several versions, has of the query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BlobRow {
    #[serde(flatten)]
    pub found: FoundBlob,
    /// Other versions of the same file that have some of the query, the best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub versions: Vec<FoundBlob>,
}

/// What one blob has of the query.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoundBlob {
    /// SWHID.
    pub blob: String,
    pub language: String,
    /// First and last line of the query, first and last line of the blob.
    pub matched_lines: Vec<[u32; 4]>,
    /// Share of the query's tokens that correspond to some of the blob.
    pub coverage: f64,
    /// The smallest type that holds for everything that corresponds.
    #[serde(rename = "type")]
    pub clone_type: u8,
    /// Of what corresponds, weighted by tokens.
    pub similarity: f64,
    /// By which results are ranked: the covered tokens, those that many blobs have counting less.
    pub score: f64,
    /// What makes functions of type 4 alike, by their lines in the query; only where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explanations: Vec<ExplainedLines>,
    /// How many projects have it, those that are forks of each other counted as one.
    pub projects: usize,
    /// By project, path and time.
    pub occurrences: Vec<OccurrenceRow>,
    /// Under which licenses it stands at the places that the text names, and at the first ones: one entry for all places of which
    /// the same is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub licenses: Vec<LicenseRow>,
}

/// What makes a function of the query and one of a blob alike, which do the same. The query is the left side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedLines {
    /// First and last line of the function in the query, first and last line in the blob.
    pub matched_lines: [u32; 4],
    #[serde(flatten)]
    pub explanation: Explanation,
}

/// Under which license a blob stands at some places.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LicenseRow {
    /// What follows from the layers: an SPDX license expression, if anything.
    pub expression: Option<String>,
    /// The layer that says so.
    pub layer: &'static str,
    /// Everything that speaks, the word that counts most first.
    pub layers: Vec<LayerRow>,
    /// Positions in the blob's occurrences.
    pub occurrences: Vec<usize>,
}

/// Where a blob stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OccurrenceRow {
    pub project: String,
    /// The source, where another project of the result has the same name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The name of the project's family, where the corpus has forks of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// Whether it was handed out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub base: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purl: Option<String>,
    /// The revision that brought it.
    pub revision: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed_by: Option<String>,
    pub path: String,
    /// What it is in words, where the path is not what people know it by: `answer 2 to question 1 on stackoverflow.com`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Line of the file at `path` on which the blob starts.
    pub first_line: u32,
    /// UTC.
    pub first_seen: Option<String>,
    pub last_seen: Option<String>,
    /// What the times rest on.
    pub evidence: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// What the place itself says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<String>,
}

/// Who had the code first, as far as the corpus knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// Whether there is an earliest occurrence that times speak for.
    pub known: bool,
    /// Why, in words.
    pub reason: String,
    /// The earliest occurrence of those that have a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blob: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    pub occurrence: Option<OccurrenceRow>,
}

/// Results that stand for people, and how many occurrences of a blob.
const PLACES: usize = 5;

/// Most stretches of lines that are named of a blob.
const STRETCHES: usize = 4;

/// Writes a result for people.
pub fn write_text(report: &FindReport, out: &mut dyn Write) -> io::Result<()> {
    let query = &report.query;
    let path = printable(&query.path);
    if report.blobs.is_empty() {
        let lines = format!("lines {}-{}", query.start_line, query.end_line);
        return writeln!(out, "{path}: the corpus has no code like {lines}");
    }
    // What was asked for: some lines of a file, or the whole.
    let lines = if query.is_part || query.start_line > 1 {
        format!(":{}-{}", query.start_line, query.end_line)
    } else {
        String::new()
    };
    let asked = format!("{path}{lines}");
    report.blobs.iter().try_for_each(|row| write_row(row, &asked, out))?;
    if report.more_blobs > 0 {
        writeln!(out, "and {} (--limit shows more)", counted(report.more_blobs, "more file"))?;
    }
    match &report.origin.occurrence {
        Some(first) if report.origin.known => writeln!(out, "first: {}", in_words(first))?,
        _ => writeln!(out, "first: unknown")?,
    }
    writeln!(out, "       {}", report.origin.reason)
}

/// What one file of the corpus has.
fn write_row(row: &BlobRow, path: &str, out: &mut dyn Write) -> io::Result<()> {
    let found = &row.found;
    write!(out, "{:3}% of {path}, Type-{}", percent(found.coverage), found.clone_type)?;
    if found.similarity < 1.0 {
        let similarity = percent(found.similarity);
        match found.clone_type {
            4 => write!(out, ", with a probability of {similarity}%")?,
            _ => write!(out, ", {similarity}% similar")?,
        }
    }
    writeln!(out, ", in {}", found.blob)?;
    let lines = found.matched_lines.iter().take(STRETCHES).map(|[a, b, c, d]| format!("{a}-{b} = {c}-{d}"));
    let lines: Vec<String> = lines.collect();
    let rest = found.matched_lines.len().saturating_sub(STRETCHES) as u64;
    let rest = if rest > 0 { format!(" and {}", counted(rest, "more stretch")) } else { String::new() };
    writeln!(out, "      lines {}{rest}", lines.join(", "))?;
    write_explanations(&found.explanations, out)?;
    let places = without_forks(&found.occurrences);
    for &(at, forks) in places.iter().take(PLACES) {
        let place = &found.occurrences[at];
        let forks =
            if forks > 0 { format!(", and {}", counted(forks as u64, "fork")) } else { String::new() };
        writeln!(out, "      {}{forks}", in_words(place))?;
    }
    let rest = places.len().saturating_sub(PLACES) as u64;
    if rest > 0 {
        writeln!(out, "      and {}", counted(rest, "more place"))?;
    }
    let named: Vec<usize> = places.iter().take(PLACES).map(|place| place.0).collect();
    if let Some(licenses) = licenses_in_words(found, &named) {
        writeln!(out, "      license: {licenses}")?;
    }
    if !row.versions.is_empty() {
        let versions = counted(row.versions.len() as u64, "other version of this file");
        writeln!(out, "      and {versions}")?;
    }
    Ok(())
}

/// What makes functions alike, of more than one each below its lines.
fn write_explanations(all: &[ExplainedLines], out: &mut dyn Write) -> io::Result<()> {
    for ExplainedLines { matched_lines: [a, b, c, d], explanation } in all {
        if all.len() > 1 {
            writeln!(out, "      lines {a}-{b} = {c}-{d}:")?;
        }
        for line in explained_lines(explanation) {
            writeln!(out, "        {line}")?;
        }
    }
    Ok(())
}

/// Under which licenses a blob stands at the places that are named, and which layer says so.
fn licenses_in_words(found: &FoundBlob, named: &[usize]) -> Option<String> {
    let is_named = |row: &&LicenseRow| row.occurrences.iter().any(|at| named.contains(at));
    let told = found.licenses.iter().filter(is_named).map(|row| match &row.expression {
        Some(expression) => format!("{} ({})", printable(expression), by_in_words(row.layer)),
        None => "unknown".to_owned(),
    });
    let mut words: Vec<String> = Vec::new();
    for word in told {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    (!words.is_empty()).then(|| words.join(", "))
}

/// The positions of the occurrences that the text names, and how many forks have each.
pub fn named_places(occurrences: &[OccurrenceRow]) -> Vec<(usize, usize)> {
    let mut places = without_forks(occurrences);
    places.truncate(PLACES);
    places
}

/// The positions of occurrences, of each family those of the project that had the blob first, with how many others of the family
/// have it: said of the project's first occurrence.
fn without_forks(occurrences: &[OccurrenceRow]) -> Vec<(usize, usize)> {
    let mut first: BTreeMap<&str, &OccurrenceRow> = BTreeMap::new();
    let mut members: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let age = |place: &OccurrenceRow| {
        let is_name = place.family.as_ref() == Some(&place.project);
        (place.first_seen.is_none(), place.first_seen.clone(), !is_name)
    };
    for place in occurrences {
        let Some(family) = &place.family else { continue };
        members.entry(family).or_default().insert(&place.project);
        let first = first.entry(family).or_insert(place);
        if age(place) < age(first) {
            *first = place;
        }
    }
    let mut shown = Vec::new();
    for (at, place) in occurrences.iter().enumerate() {
        let Some(family) = place.family.as_deref() else {
            shown.push((at, 0));
            continue;
        };
        if place.project == first[family].project {
            let forks = members.remove(family).map_or(0, |members| members.len() - 1);
            shown.push((at, forks));
        }
    }
    shown
}

/// One occurrence on a line.
fn in_words(place: &OccurrenceRow) -> String {
    let base = if place.base { " (template code)" } else { "" };
    let time = place.since_in_words().map_or_else(String::new, |since| format!(", {since}"));
    if let Some(title) = &place.title {
        let author =
            place.author.as_ref().map_or_else(String::new, |author| format!(", by {}", printable(author)));
        let link = place.link.as_ref().map_or_else(String::new, |link| format!(", {}", printable(link)));
        return format!("{}{base}{author}{time}{link}", printable(title));
    }
    let line = if place.first_line > 1 { format!(":{}", place.first_line) } else { String::new() };
    let revision = place.revision.as_ref().map(|revision| format!(" at {}", printable(revision)));
    let (project, path) = (printable(&place.project), printable(&place.path));
    let source =
        place.source.as_ref().map_or_else(String::new, |source| format!(", in {}", printable(source)));
    format!("{project}: {path}{line}{base}{}{time}{source}", revision.unwrap_or_default())
}

impl OccurrenceRow {
    /// Since when the code stands there, and what says so.
    pub(crate) fn since_in_words(&self) -> Option<String> {
        let time = self.first_seen.as_ref()?;
        let day = time.get(..10).unwrap_or(time);
        Some(match self.evidence {
            "post-time" => format!("posted {day}"),
            "upload-time" => format!("uploaded {day}"),
            "commit-time" => format!("committed {day}"),
            "file-time" => format!("{day} (time of the file)"),
            _ => format!("{day} or before"),
        })
    }
}
