//! Where blobs stand: the occurrences of each blob, by its id, in a file that is mapped and not read. With them what files were
//! renamed from, the roots of projects' histories, and the files that speak for the license of others.

use std::path::Path;

use familiar_source::{BlobId, Evidence, Lineage, Occurrence, Project};
use rustc_hash::FxHashMap;

use crate::blocks::{self, Blocks, Layout, SegmentError, Written, u32_at};
use crate::declared::{self, DeclaredBuilder};
use crate::project_history::{self, FileKey, HistoryBuilder, ProjectHistory};

/// The sections: ids and ends of their occurrences; the occurrences; texts' ends; texts; renames; roots; license files by project,
/// and where they stand; blobs of license files, and their content.
const IDS: usize = 0;
const ROWS: usize = 1;
const ENDS: usize = 2;
const TEXTS: usize = 3;
const RENAMES: usize = 4;
const ROOTS: usize = 5;
const DECLARED: usize = 6;
const DECLARED_ROWS: usize = 7;
const CONTENTS: usize = 8;
const CONTENT_BYTES: usize = 9;

/// Files that are older than license files have six sections, and those that are older than renames and roots have four.
const LAYOUT: Layout = Layout { kind: *b"plac", version: 1, sections: &[10, 6, 4] };

/// An id, and where its occurrences start.
const ENTRY: usize = 24;

/// Texts of an occurrence that many share, then the path.
const SHARED: usize = 7;

/// Collects occurrences; what it holds is bounded by whoever pushes them.
#[derive(Debug, Default)]
pub struct PlacesBuilder {
    /// Number of each text, from 1; 0 stands for none.
    numbers: FxHashMap<String, u32>,
    texts: Vec<u8>,
    ends: Vec<u32>,
    rows: Vec<(BlobId, u32, u32)>,
    bytes: Vec<u8>,
    history: HistoryBuilder,
    declared: DeclaredBuilder,
}

/// Most bytes of a file's sections.
const MOST: usize = 1 << 31;

impl PlacesBuilder {
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.history.is_empty() && self.declared.is_empty()
    }

    /// About the bytes that are held.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
            + self.rows.len() * 32
            + self.texts.len() * 2
            + self.ends.len() * 64
            + self.history.bytes()
            + self.declared.bytes()
    }

    /// Whether the file has room for many more.
    pub fn has_room(&self) -> bool {
        self.bytes.len().max(self.texts.len()).max(self.declared.longest()) < MOST
    }

    pub fn push(&mut self, blob: BlobId, occurrence: &Occurrence) {
        let start = self.bytes.len();
        self.encode(occurrence);
        self.rows.push((blob, start as u32, self.bytes.len() as u32));
    }

    /// Takes where a file stands that speaks for the license of others.
    pub fn license_file(&mut self, blob: BlobId, occurrence: &Occurrence) {
        let start = self.bytes.len();
        self.encode(occurrence);
        self.declared.place(&occurrence.project, blob, &self.bytes[start..]);
        self.bytes.truncate(start);
    }

    /// Takes the content of such a file, packed or not: these bytes come back.
    pub fn license_text(&mut self, blob: BlobId, content: &[u8]) {
        self.declared.content(blob, content);
    }

    /// Adds an occurrence to the bytes.
    fn encode(&mut self, o: &Occurrence) {
        let optional = [&o.purl, &o.introduced_by, &o.removed_by, &o.author, &o.link, &o.license];
        let shared = std::iter::once(Some(&o.project)).chain(optional.map(Option::as_ref));
        for text in shared {
            let number = text.map_or(0, |text| self.number(text));
            self.bytes.extend(number.to_le_bytes());
        }
        self.bytes.extend(o.first_line.to_le_bytes());
        for time in [o.first_seen, o.last_seen] {
            self.bytes.extend(time.unwrap_or(i64::MIN).to_le_bytes());
        }
        let evidence = o.evidence.name();
        self.bytes.push(evidence.len() as u8);
        self.bytes.extend(evidence.as_bytes());
        self.bytes.extend(o.path.as_bytes());
    }

    /// Takes what a file was renamed from.
    pub fn lineage(&mut self, row: &Lineage) {
        self.history.lineage(row);
    }

    /// Takes the roots of a project.
    pub fn project(&mut self, row: &Project) {
        self.history.project(row);
    }

    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        self.texts.extend(text.as_bytes());
        self.ends.push(self.texts.len() as u32);
        let number = self.ends.len() as u32;
        self.numbers.insert(text.to_owned(), number);
        number
    }

    /// Writes the file.
    pub fn write(mut self, path: &Path) -> Result<Written, SegmentError> {
        drop(std::mem::take(&mut self.numbers));
        // Stable: the occurrences of a blob stay in the order in which they came.
        self.rows.sort_by_key(|(blob, ..)| *blob);
        let (mut ids, mut rows) = (Vec::new(), Vec::with_capacity(self.bytes.len() + self.rows.len() * 4));
        for (blob, start, end) in self.rows {
            ids.extend(blob.0);
            ids.extend((rows.len() as u32).to_le_bytes());
            rows.extend(&self.bytes[start as usize..end as usize]);
        }
        let ends = self.ends.iter().flat_map(|end| end.to_le_bytes()).collect();
        let [renames, roots] = self.history.sections();
        let mut sections = vec![ids, rows, ends, self.texts, renames, roots];
        sections.extend(self.declared.sections());
        blocks::write(path, &LAYOUT, &sections)
    }
}

/// An open file of occurrences.
#[derive(Debug)]
pub struct Places {
    blocks: Blocks,
    rows: usize,
}

impl Places {
    pub fn open(path: &Path) -> Result<Self, SegmentError> {
        let blocks = Blocks::open(path, &LAYOUT)?;
        let rows = blocks.len(IDS) / ENTRY;
        if !blocks.len(IDS).is_multiple_of(ENTRY) || !blocks.len(ENDS).is_multiple_of(4) {
            return Err(blocks.damaged("its places have changed"));
        }
        Ok(Self { blocks, rows })
    }

    fn entry(&self, row: usize) -> Result<(&[u8], usize), SegmentError> {
        let bytes = self.blocks.get(IDS, row * ENTRY..(row + 1) * ENTRY)?;
        Ok((&bytes[..20], u32_at(&bytes[20..], 0) as usize))
    }

    /// Whether anything is known of renames.
    pub fn has_renames(&self) -> bool {
        self.blocks.sections() > RENAMES && self.blocks.len(RENAMES) > 0
    }

    /// Calls `each` with what a file was renamed from.
    pub fn renamed_from(&self, file: FileKey, each: impl FnMut(FileKey)) -> Result<(), SegmentError> {
        if !self.has_renames() {
            return Ok(());
        }
        let entry = |range| -> Result<_, SegmentError> {
            Ok(self.blocks.get(RENAMES, range)?.try_into().expect("as long as asked for"))
        };
        project_history::renamed_from(file, self.blocks.len(RENAMES), entry, each)
    }

    /// The roots of the projects that have some.
    pub fn roots(&self) -> Result<Vec<ProjectHistory>, SegmentError> {
        if self.blocks.sections() <= ROOTS {
            return Ok(Vec::new());
        }
        let bytes = self.blocks.get(ROOTS, 0..self.blocks.len(ROOTS))?;
        project_history::roots(bytes).ok_or_else(|| self.blocks.damaged("its roots are not what they were"))
    }

    /// Whether license files were noted when it was made.
    pub fn knows_license_files(&self) -> bool {
        self.blocks.sections() > DECLARED
    }

    /// The license files of a project, in the order in which they were added.
    pub fn license_files(&self, project: &str) -> Result<Vec<(BlobId, Occurrence)>, SegmentError> {
        if !self.knows_license_files() {
            return Ok(Vec::new());
        }
        let damaged = || self.blocks.damaged("its license files are not what they were");
        let entries = self.blocks.all(DECLARED)?;
        let places = declared::places(entries, self.blocks.len(DECLARED_ROWS), project);
        let mut found = Vec::new();
        for (blob, range) in places {
            let occurrence = self.occurrence(self.blocks.get(DECLARED_ROWS, range)?)?.ok_or_else(damaged)?;
            // Two projects may have one hash.
            if occurrence.project == project {
                found.push((blob, occurrence));
            }
        }
        Ok(found)
    }

    /// The content of the license file that a blob is, as it was added.
    pub fn license_text(&self, blob: &BlobId) -> Result<Option<&[u8]>, SegmentError> {
        if !self.knows_license_files() {
            return Ok(None);
        }
        let range = declared::content(self.blocks.all(CONTENTS)?, self.blocks.len(CONTENT_BYTES), blob);
        range.map(|range| self.blocks.get(CONTENT_BYTES, range)).transpose()
    }

    /// The occurrences of a blob, in the order in which they were added.
    pub fn of(&self, blob: &BlobId) -> Result<Vec<Occurrence>, SegmentError> {
        let mut found = Vec::new();
        for row in self.first(blob)?..self.rows {
            let (id, start) = self.entry(row)?;
            if id != blob.0 {
                break;
            }
            let end = if row + 1 < self.rows { self.entry(row + 1)?.1 } else { self.blocks.len(ROWS) };
            let bytes = self.blocks.get(ROWS, start..end)?;
            let occurrence = self.occurrence(bytes)?;
            found.push(occurrence.ok_or_else(|| self.blocks.damaged("its places have changed"))?);
        }
        Ok(found)
    }

    /// Whether a blob has an occurrence.
    pub fn has(&self, blob: &BlobId) -> Result<bool, SegmentError> {
        let row = self.first(blob)?;
        Ok(row < self.rows && self.entry(row)?.0 == blob.0)
    }

    /// The first row that is not before those of a blob.
    fn first(&self, blob: &BlobId) -> Result<usize, SegmentError> {
        let (mut low, mut high) = (0, self.rows);
        while low < high {
            let middle = low.midpoint(high);
            if self.entry(middle)?.0 < &blob.0[..] {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }

    fn occurrence(&self, bytes: &[u8]) -> Result<Option<Occurrence>, SegmentError> {
        const TIMES: usize = SHARED * 4 + 4;
        const EVIDENCE: usize = TIMES + 16;
        let Some((fixed, rest)) = bytes.split_at_checked(EVIDENCE + 1) else { return Ok(None) };
        let mut texts: [Option<String>; SHARED] = Default::default();
        for (at, text) in texts.iter_mut().enumerate() {
            *text = self.text(u32_at(fixed, at))?;
        }
        let [project, purl, introduced_by, removed_by, author, link, license] = texts;
        let time = |at: usize| {
            let bytes = fixed[TIMES + at * 8..TIMES + (at + 1) * 8].try_into().expect("eight bytes");
            Some(i64::from_le_bytes(bytes)).filter(|&time| time != i64::MIN)
        };
        let Some((evidence, path)) = rest.split_at_checked(usize::from(fixed[EVIDENCE])) else {
            return Ok(None);
        };
        let text = |bytes| std::str::from_utf8(bytes).ok();
        let evidence = text(evidence).and_then(|name| name.parse::<Evidence>().ok());
        let (Some(evidence), Some(path), Some(project)) = (evidence, text(path), project) else {
            return Ok(None);
        };
        Ok(Some(Occurrence {
            project,
            purl,
            path: path.to_owned(),
            first_line: u32_at(fixed, SHARED),
            introduced_by,
            removed_by,
            author,
            first_seen: time(0),
            last_seen: time(1),
            evidence,
            link,
            license,
        }))
    }

    /// The text with this number; none for 0.
    fn text(&self, number: u32) -> Result<Option<String>, SegmentError> {
        let Some(at) = number.checked_sub(1).map(|at| at as usize) else { return Ok(None) };
        let end = |at: usize| -> Result<usize, SegmentError> {
            Ok(u32_at(self.blocks.get(ENDS, at * 4..at * 4 + 4)?, 0) as usize)
        };
        let start = if at == 0 { 0 } else { end(at - 1)? };
        let bytes = self.blocks.get(TEXTS, start..end(at)?)?;
        let text = std::str::from_utf8(bytes);
        text.map(|text| Some(text.to_owned())).map_err(|_| self.blocks.damaged("its places have changed"))
    }

    /// Compares every block with its checksum.
    pub fn verify(&self) -> Result<(), SegmentError> {
        (0..self.blocks.sections()).try_for_each(|section| self.blocks.all(section).map(|_| ()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_occurrences_of_a_blob_come_back() {
        let blob = |n: u8| BlobId([n; 20]);
        let plain =
            Occurrence { project: "a".into(), path: "x.py".into(), first_line: 1, ..Occurrence::default() };
        let full = Occurrence {
            project: "b".into(),
            purl: Some("pkg:pypi/b@1".into()),
            path: "src/y.py".into(),
            first_line: 7,
            introduced_by: Some("1".into()),
            removed_by: Some("2".into()),
            author: Some("Ann <a@b>".into()),
            first_seen: Some(-5),
            last_seen: Some(1 << 40),
            evidence: Evidence::CommitTime,
            link: Some("https://example.org".into()),
            license: Some("CC-BY-SA-4.0".into()),
        };
        let mut builder = PlacesBuilder::default();
        builder.push(blob(9), &plain);
        builder.push(blob(3), &full);
        builder.push(blob(9), &full);
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let path = dir.path().join("places");
        builder.write(&path).expect("just made");
        let places = Places::open(&path).expect("whole");
        assert_eq!(places.of(&blob(9)).expect("whole"), [plain, full.clone()]);
        assert_eq!(places.of(&blob(3)).expect("whole"), [full]);
        assert!(places.of(&blob(4)).expect("whole").is_empty());
        places.verify().expect("whole");
        assert!(places.roots().expect("whole").is_empty() && !places.has_renames());
    }

    #[test]
    fn license_files_come_back_by_project_and_older_files_have_none() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let (path, older) = (dir.path().join("places"), dir.path().join("older"));
        let place = |project: &str, path: &str| Occurrence {
            project: project.into(),
            path: path.into(),
            ..Occurrence::default()
        };
        let blob = |n: u8| BlobId([n; 20]);
        let mut builder = PlacesBuilder::default();
        builder.push(blob(1), &place("a", "x.py"));
        for (n, project, path) in [(7, "b", "LICENSE"), (9, "a", "COPYING"), (7, "a", "lib/LICENSE")] {
            builder.license_file(blob(n), &place(project, path));
        }
        builder.license_text(blob(9), b"nine");
        builder.license_text(blob(7), b"seven");
        builder.write(&path).expect("just made");
        let places = Places::open(&path).expect("whole");
        let of = |project: &str| places.license_files(project).expect("whole");
        assert_eq!(of("a"), [(blob(9), place("a", "COPYING")), (blob(7), place("a", "lib/LICENSE"))]);
        assert_eq!(of("b"), [(blob(7), place("b", "LICENSE"))]);
        assert!(of("c").is_empty());
        let text = |n: u8| places.license_text(&blob(n)).expect("whole");
        assert_eq!([text(7), text(9), text(1)], [Some(&b"seven"[..]), Some(b"nine"), None]);
        assert_eq!(places.of(&blob(1)).expect("whole"), [place("a", "x.py")]);
        assert!(places.of(&blob(7)).expect("whole").is_empty(), "they are no code");
        places.verify().expect("whole");
        blocks::write(&older, &LAYOUT, &vec![vec![]; LAYOUT.sections[1]]).expect("just made");
        let older = Places::open(&older).expect("whole");
        assert!(!older.knows_license_files() && older.license_files("a").expect("whole").is_empty());
        assert_eq!(older.license_text(&blob(7)).expect("whole"), None);
    }

    #[test]
    fn renames_and_roots_come_back_and_older_files_have_none() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let (path, older) = (dir.path().join("places"), dir.path().join("older"));
        let rename = |path: &str, from: Option<&str>| Lineage {
            blob: BlobId([1; 20]),
            parent: None,
            project: "a".into(),
            path: path.into(),
            parent_path: from.map(Into::into),
            revision: String::new(),
        };
        let mut builder = PlacesBuilder::default();
        for row in [rename("b", Some("a")), rename("c", None), rename("b", Some("x")), rename("b", Some("a"))]
        {
            builder.lineage(&row);
        }
        let roots = ["1".to_owned(), "2".to_owned()].to_vec();
        let project = Project { project: "a".into(), roots: roots.clone(), commits: 7, ..Project::default() };
        builder.project(&project);
        builder.project(&Project { project: "b".into(), ..Project::default() });
        assert!(!builder.is_empty());
        builder.write(&path).expect("just made");
        let places = Places::open(&path).expect("whole");
        let key = |path: &str| FileKey::new("a", path, 1);
        let before = |places: &Places, file: &str| {
            let mut before = Vec::new();
            places.renamed_from(key(file), |from| before.push(from)).expect("whole");
            before.sort();
            before
        };
        let mut expected = vec![key("a"), key("x")];
        expected.sort();
        assert_eq!(before(&places, "b"), expected);
        assert!(before(&places, "c").is_empty());
        let root = ProjectHistory { project: "a".into(), roots, commits: 7, first_commit: None };
        assert_eq!(places.roots().expect("whole"), [root]);
        blocks::write(&older, &LAYOUT, &[vec![], vec![], vec![], vec![]]).expect("just made");
        let older = Places::open(&older).expect("whole");
        assert!(before(&older, "b").is_empty() && older.roots().expect("whole").is_empty());
    }
}
