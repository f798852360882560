//! The code of a place, as it stands in its file or in a corpus now.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use familiar_files::named;
use familiar_library::CorpusError;
use familiar_source::BlobId;
use familiar_store::Corpus;
use familiar_store::tables::TextRow;
use familiar_syntax::decode::decode;

use super::result::Spot;
use crate::error::DatasetError;

/// Largest file that is read.
const LARGEST: u64 = 64 << 20;

/// Where code is read.
pub(super) struct Texts {
    corpora: Vec<Corpus>,
    /// Files below these folders are read, and no others: a result may come from anyone.
    trees: Vec<PathBuf>,
    blobs: BTreeMap<BlobId, Vec<u8>>,
}

impl Texts {
    /// Reads files of corpora from these ones, and other files below the current folder and below `trees`.
    pub(super) fn open(corpora: &[PathBuf], trees: &[PathBuf]) -> Result<Self, DatasetError> {
        let open =
            |folder: &PathBuf| Corpus::open(folder).map_err(|error| DatasetError::Corpus(error.into()));
        let real = |folder: &Path| {
            let read = |source| DatasetError::Read { path: folder.to_owned(), source };
            folder.canonicalize().map_err(read)
        };
        let trees = std::iter::once(Path::new(".")).chain(trees.iter().map(PathBuf::as_path));
        Ok(Self {
            corpora: corpora.iter().map(open).collect::<Result<_, _>>()?,
            trees: trees.map(real).collect::<Result<_, _>>()?,
            blobs: BTreeMap::new(),
        })
    }

    /// Reads the blobs of these places; a corpus is read once for all of them.
    pub(super) fn fetch<'s>(&mut self, spots: impl Iterator<Item = &'s Spot>) -> Result<(), DatasetError> {
        let mut wanted: BTreeSet<BlobId> = spots.filter_map(blob).collect();
        self.blobs.clear();
        for corpus in self.corpora.iter().filter(|it| it.manifest().text) {
            wanted.retain(|blob| !self.blobs.contains_key(blob));
            let read = corpus.texts_of_blobs(&wanted, |TextRow { blob, text }| {
                self.blobs.insert(blob, text);
                Ok(())
            });
            read.map_err(|error| DatasetError::Corpus(CorpusError::from(error)))?;
        }
        Ok(())
    }

    /// The code of a place, or why there is none.
    pub(super) fn code(&self, spot: &Spot) -> Result<String, String> {
        if let Some(code) = &spot.code {
            return Ok(code.clone());
        }
        let text = match (&spot.blob, blob(spot)) {
            (None, _) => self.file(spot)?,
            (Some(_), None) => return Err("its name is not the name of a blob".to_owned()),
            (Some(_), Some(blob)) => {
                let text = self.blobs.get(&blob).cloned();
                text.ok_or("no corpus that was named keeps its text; name it with --in")?
            }
        };
        let text = decode(&text).map_err(|_| "binary")?;
        lines(spot, &text.text, u64::from(text.shift))
    }

    fn file(&self, spot: &Spot) -> Result<Vec<u8>, String> {
        let path = path(spot)?;
        // Links are followed, so that none leads out of the trees.
        let real = path.canonicalize().map_err(|error| error.to_string())?;
        if !self.trees.iter().any(|tree| real.starts_with(tree)) {
            return Err("it lies outside of the current folder; name its tree with --tree".to_owned());
        }
        named::read(&real, LARGEST).map_err(|error| error.to_string())
    }
}

fn blob(spot: &Spot) -> Option<BlobId> {
    spot.blob.as_deref()?.strip_prefix("swh:1:cnt:")?.parse().ok()
}

/// The file that a place names.
fn path(spot: &Spot) -> Result<PathBuf, String> {
    let project = Path::new(&spot.place.project);
    let below = match &spot.path_bytes {
        Some(bytes) => Path::new(OsStr::from_bytes(bytes)),
        None => Path::new(&spot.place.path),
    };
    Ok(match () {
        () if spot.place.project.is_empty() && spot.place.path == "-" => {
            return Err("it was standard input".to_owned());
        }
        () if spot.place.project.is_empty() => below.to_owned(),
        () if !below.components().all(|part| matches!(part, Component::Normal(_))) => {
            return Err("its path leads out of the tree".to_owned());
        }
        () if project.is_file() => project.to_owned(),
        () => project.join(below),
    })
}

/// The lines of a place, if they can still be those that the result means.
fn lines(spot: &Spot, text: &[u8], shift: u64) -> Result<String, String> {
    let changed = || "it has changed since the result was made".to_owned();
    let (start, end) = (u64::from(spot.place.start_line), u64::from(spot.place.end_line));
    if start == 0 || end < start {
        return Err("its lines are none".to_owned());
    }
    let (mut at, mut code) = (shift, Vec::new());
    let (mut first, mut last) = (None, None);
    for (line, bytes) in (1..=end).zip(text.split_inclusive(|byte| *byte == b'\n')) {
        if line == start {
            first = Some([at, at + bytes.len() as u64]);
        }
        if line >= start {
            code.extend_from_slice(bytes);
        }
        last = (line == end).then_some([at, at + bytes.len() as u64]);
        at += bytes.len() as u64;
    }
    let (Some(first), Some(last)) = (first, last) else { return Err(changed()) };
    // Of a file without such bytes other lines are meant, and one with them may be another one: no result has a digest of its files.
    let on = |line: [u64; 2], byte: u64| (line[0]..=line[1]).contains(&byte);
    if spot.bytes.is_some_and(|[from, to]| !on(first, from) || !on(last, to)) {
        return Err(changed());
    }
    Ok(String::from_utf8_lossy(&code).into_owned())
}

#[cfg(test)]
mod tests {
    use super::super::place::Place;
    use super::*;

    fn spot(project: &Path, path: &str, lines: [u32; 2], bytes: Option<[u64; 2]>) -> Spot {
        let place = Place {
            project: project.to_string_lossy().into_owned(),
            path: path.to_owned(),
            start_line: lines[0],
            end_line: lines[1],
            ..Place::default()
        };
        Spot { place, path_bytes: None, blob: None, bytes, code: None }
    }

    #[test]
    fn code_that_changed_or_lies_outside_is_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.c"), "int a;\nint b;\nint c;\n").expect("a file");
        let texts = Texts::open(&[], &[folder.path().to_owned()]).expect("a tree");
        let of = |path: &str, lines, bytes| texts.code(&spot(folder.path(), path, lines, bytes));
        assert_eq!(of("a.c", [2, 3], Some([7, 20])).as_deref(), Ok("int b;\nint c;\n"));
        assert!(of("a.c", [2, 3], Some([3, 20])).expect_err("it moved").contains("changed"));
        assert!(of("a.c", [2, 4], None).expect_err("it is shorter").contains("changed"));
        assert!(of("../a.c", [1, 1], None).expect_err("no").contains("out of the tree"));
        assert!(of("b.c", [1, 1], None).is_err());
        let whole = spot(&folder.path().join("a.c"), "a.c", [1, 1], None);
        assert_eq!(texts.code(&whole).as_deref(), Ok("int a;\n"));
        // A result of somebody else names what it likes.
        let nowhere = Texts::open(&[], &[]).expect("the current folder");
        let path = folder.path().join("a.c").to_string_lossy().into_owned();
        for stranger in [spot(Path::new(""), &path, [1, 1], None), spot(folder.path(), "a.c", [1, 1], None)] {
            let reason = nowhere.code(&stranger).expect_err("it is of another folder");
            assert!(reason.contains("--tree"), "{reason}");
        }
        #[cfg(unix)]
        {
            let inner = folder.path().join("inner");
            std::fs::create_dir(&inner).expect("a folder");
            std::os::unix::fs::symlink(folder.path().join("a.c"), inner.join("b.c")).expect("a link");
            let texts = Texts::open(&[], std::slice::from_ref(&inner)).expect("a tree");
            let out = texts.code(&spot(&inner, "b.c", [1, 1], None)).expect_err("it leads out");
            assert!(out.contains("--tree"), "{out}");
        }
    }
}
