//! The clones of a file: each stretch of it that stands somewhere else, too, with the other places.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use familiar_files::TreePath;
use familiar_report::{CloneReport, FragmentRow, class_fingerprint};
use familiar_source::Lines;
use familiar_source::words::counted;

/// Most other places that are kept of one finding.
const MOST_PLACES: usize = 50;

/// Most findings of one file; the largest are kept.
const MOST_FINDINGS: usize = 200;

/// A stretch of a file that is a clone of others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    pub(crate) lines: Lines,
    /// Bytes of the text that was searched.
    pub(crate) bytes: Range<usize>,
    /// Of the nearest place.
    pub(crate) clone_type: u8,
    /// The nearest places first.
    pub(crate) places: Vec<Place>,
    /// How many further places there are.
    pub(crate) more: usize,
    /// Of the pairs, and of all members together: what a decision names.
    pub(crate) fingerprints: Vec<String>,
}

/// Where something stands, too.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) file: PathBuf,
    /// From the root of the tree.
    pub(crate) path: String,
    pub(crate) lines: Lines,
    pub(crate) clone_type: u8,
    pub(crate) similarity: f64,
}

impl Place {
    /// The path with the lines.
    pub(crate) fn words(&self) -> String {
        format!("{}, {}", self.path, lines_in_words(self.lines))
    }
}

pub(crate) fn lines_in_words(lines: Lines) -> String {
    if lines.start == lines.end {
        format!("line {}", lines.start)
    } else {
        format!("lines {} to {}", lines.start, lines.end)
    }
}

impl Finding {
    /// What it says, in one sentence.
    pub(crate) fn message(&self) -> String {
        let lines = counted(u64::from(self.lines.count()), "line");
        let are = if self.lines.count() == 1 { "is" } else { "are" };
        let Some(first) = self.places.first() else { return format!("{lines} {are} a clone") };
        let place = first.words();
        let text = match self.clone_type {
            1 => format!("{lines} {are} the same as in {place}"),
            2 => format!("{lines} {are} the same, except for names and values, as in {place}"),
            _ => {
                let percent = (first.similarity * 100.0).floor();
                format!("{lines} {are} an edited copy ({percent} % alike) of {place}")
            }
        };
        match self.places.len() - 1 + self.more {
            0 => text,
            more => format!("{text}, and in {}", counted(more as u64, "more place")),
        }
    }

    /// The code of the diagnostic.
    pub(crate) fn code(&self) -> String {
        format!("type-{}", self.clone_type)
    }
}

/// The other side of a pair.
struct Half {
    other: u32,
    clone_type: u8,
    similarity: f64,
}

impl Half {
    /// The nearest one is the least.
    fn order(&self, other: &Self) -> std::cmp::Ordering {
        let near = |half: &Self| (half.clone_type, half.other);
        self.clone_type
            .cmp(&other.clone_type)
            .then(other.similarity.total_cmp(&self.similarity))
            .then(near(self).cmp(&near(other)))
    }
}

/// A stretch of a file and the pairs that it is a side of. It takes no more room where these are many.
struct Stretch {
    /// A fragment that is this stretch.
    here: u32,
    /// The nearest other sides, and how many there are in all.
    halves: Vec<Half>,
    pairs: usize,
    /// The normal forms of the other sides, and how many have each.
    forms: BTreeMap<u64, usize>,
    /// Of the pairs.
    fingerprints: BTreeSet<String>,
}

impl Stretch {
    fn new(here: u32) -> Self {
        let (forms, fingerprints) = (BTreeMap::new(), BTreeSet::new());
        Self { here, halves: Vec::new(), pairs: 0, forms, fingerprints }
    }

    fn add(&mut self, half: Half, form: u64, fingerprint: &str) {
        if self.halves.len() >= 2 * MOST_PLACES {
            self.keep_nearest();
        }
        self.halves.push(half);
        self.pairs += 1;
        *self.forms.entry(form).or_default() += 1;
        if !self.fingerprints.contains(fingerprint) {
            self.fingerprints.insert(fingerprint.to_owned());
        }
    }

    fn keep_nearest(&mut self) {
        self.halves.sort_unstable_by(Half::order);
        self.halves.truncate(MOST_PLACES);
    }
}

/// The findings of the file at `place` in a report; those that `settled` names by the fingerprint of all their members are left out.
pub(crate) fn of(
    report: &CloneReport,
    roots: &[PathBuf],
    (root, path): &(u32, TreePath),
    settled: &BTreeSet<String>,
) -> io::Result<Vec<Finding>> {
    let is_here = |fragment: &FragmentRow| fragment.root == *root && *fragment.path == *path.as_str();
    let stretches = stretches(report, |fragment| is_here(fragment).then_some(()))?;
    Ok(stretches.into_values().next().map(|it| largest(report, roots, it, settled)).unwrap_or_default())
}

/// The findings of every file that has some.
pub(crate) fn by_file(
    report: &CloneReport,
    roots: &[PathBuf],
    settled: &BTreeSet<String>,
) -> io::Result<Vec<(PathBuf, Vec<Finding>)>> {
    let files = stretches(report, |fragment| Some((fragment.root, fragment.path.to_string())))?;
    let of_file = |stretches: Stretches| {
        let first = stretches.values().next()?.here;
        let file = file_of(roots, &report.fragments[first as usize]);
        Some((file, largest(report, roots, stretches, settled)))
    };
    let files = files.into_values().filter_map(of_file);
    Ok(files.filter(|(_, findings)| !findings.is_empty()).collect())
}

/// Stretches of a file, by their bytes.
type Stretches = BTreeMap<(u32, u32), Stretch>;

/// The stretches of all files that have a key, by their keys.
fn stretches<K: Ord>(
    report: &CloneReport,
    key: impl Fn(&FragmentRow) -> Option<K>,
) -> io::Result<BTreeMap<K, Stretches>> {
    let mut files: BTreeMap<K, Stretches> = BTreeMap::new();
    report.all_pairs.for_each(&mut |pair| {
        for (here, other) in [(pair.left, pair.right), (pair.right, pair.left)] {
            let fragment = &report.fragments[here as usize];
            if let Some(key) = key(fragment) {
                let bytes = (fragment.start_byte, fragment.end_byte);
                let stretch =
                    files.entry(key).or_default().entry(bytes).or_insert_with(|| Stretch::new(here));
                let half = Half { other, clone_type: pair.clone_type, similarity: pair.similarity };
                stretch.add(half, report.fragments[other as usize].form, &pair.fingerprint);
            }
        }
        Ok(())
    })?;
    Ok(files)
}

fn largest(
    report: &CloneReport,
    roots: &[PathBuf],
    stretches: Stretches,
    settled: &BTreeSet<String>,
) -> Vec<Finding> {
    let finding = |stretch: Stretch| finding(report, roots, stretch, settled);
    let mut findings: Vec<Finding> = stretches.into_values().filter_map(finding).collect();
    if findings.len() > MOST_FINDINGS {
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.lines.count()));
        findings.truncate(MOST_FINDINGS);
        findings.sort_by_key(|finding| (finding.bytes.start, finding.bytes.end));
    }
    findings
}

fn finding(
    report: &CloneReport,
    roots: &[PathBuf],
    mut stretch: Stretch,
    settled: &BTreeSet<String>,
) -> Option<Finding> {
    let fragment = |id: u32| &report.fragments[id as usize];
    let own = fragment(stretch.here);
    let forms = stretch.forms.iter().flat_map(|(&form, &count)| std::iter::repeat_n(form, count));
    let whole = class_fingerprint(forms.chain([own.form]));
    if settled.contains(&whole) {
        return None;
    }
    stretch.keep_nearest();
    stretch.fingerprints.insert(whole);
    let place = |half: &Half| {
        let row = fragment(half.other);
        Place {
            file: file_of(roots, row),
            path: row.path.to_string(),
            lines: Lines::new(row.start_line, row.end_line),
            clone_type: half.clone_type,
            similarity: half.similarity,
        }
    };
    Some(Finding {
        lines: Lines::new(own.start_line, own.end_line),
        bytes: own.start_byte as usize..own.end_byte as usize,
        clone_type: stretch.halves.first()?.clone_type,
        places: stretch.halves.iter().map(place).collect(),
        more: stretch.pairs - stretch.halves.len(),
        fingerprints: stretch.fingerprints.into_iter().collect(),
    })
}

/// Where the file of a fragment lies.
pub(crate) fn file_of(roots: &[PathBuf], row: &FragmentRow) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    let root = roots.get(row.root as usize).map_or(Path::new(""), PathBuf::as_path);
    if root.is_file() {
        return root.to_owned();
    }
    match &row.path_bytes {
        Some(bytes) => root.join(std::ffi::OsStr::from_bytes(bytes)),
        None => root.join(&*row.path),
    }
}
