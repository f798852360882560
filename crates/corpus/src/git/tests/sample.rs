//! A repository made object by object, and what a reading of it gives.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::rc::Rc;

use familiar_source::{BlobId, Lineage, Occurrence, Project};
use gix::ObjectId;
use gix::objs::{Kind, Write as _};
use sha1::Digest as _;

use crate::git::Git;
use crate::git::repository::blob_id;
use crate::source::Before;
use crate::{Found, Kept, Limits, Source};

pub(super) struct Sample {
    folder: tempfile::TempDir,
    repository: gix::Repository,
    written: RefCell<BTreeMap<ObjectId, (Kind, Vec<u8>)>>,
}

pub(super) fn blob(text: &str) -> BlobId {
    blob_id(text.as_bytes())
}

/// The files that a source gives, by their paths.
pub(super) fn files(source: &dyn Source) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let read = source.read(&Limits::default(), &mut |found| {
        if let Found::Item(item) = found {
            files.push((item.occurrence.path, String::from_utf8(item.bytes).expect("text")));
        }
        ControlFlow::Continue(())
    });
    read.expect("it can be read");
    files
}

pub(super) fn owned((path, text): (&str, &str)) -> (String, String) {
    (path.to_owned(), text.to_owned())
}

/// Blob, parent, path and former path.
pub(super) type Replaced = (BlobId, BlobId, String, Option<String>);

pub(super) fn lineage(blob: &str, parent: &str, path: &str, from: Option<&str>) -> Replaced {
    (self::blob(blob), self::blob(parent), path.to_owned(), from.map(ToOwned::to_owned))
}

impl Sample {
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let repository = gix::init_bare(folder.path().join("sample.git")).expect("an empty folder");
        Self { folder, repository, written: RefCell::default() }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("sample.git")
    }

    pub(super) fn source(&self) -> Git {
        Git { path: self.path(), exclude: Vec::new() }
    }

    pub(super) fn object(&self, kind: &str, bytes: &[u8]) -> ObjectId {
        let kind = Kind::from_bytes(kind.as_bytes()).expect("a kind");
        let id = gix::objs::compute_hash(gix::hash::Kind::Sha1, kind, bytes).expect("no collision");
        if self.written.borrow_mut().insert(id, (kind, bytes.to_vec())).is_none() {
            self.repository.objects.write_buf(kind, bytes).expect("it can be written");
        }
        id
    }

    /// A tree of entries with their modes, in the order given.
    pub(super) fn tree(&self, entries: &[(&str, &[u8], ObjectId)]) -> ObjectId {
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend([mode.as_bytes(), b" ", name, b"\0", id.as_bytes()].concat());
        }
        self.object("tree", &bytes)
    }

    /// A tree of files.
    pub(super) fn files(&self, files: &[(&str, &str)]) -> ObjectId {
        let mut folders: BTreeMap<&str, Vec<(&str, &str)>> = BTreeMap::new();
        let mut entries: Vec<(&str, &[u8], ObjectId)> = Vec::new();
        for &(path, text) in files {
            match path.split_once('/') {
                Some((folder, rest)) => folders.entry(folder).or_default().push((rest, text)),
                None => entries.push(("100644", path.as_bytes(), self.object("blob", text.as_bytes()))),
            }
        }
        for (folder, files) in &folders {
            entries.push(("40000", folder.as_bytes(), self.files(files)));
        }
        entries.sort_by_key(|(mode, name, _)| {
            let end: &[u8] = if *mode == "40000" { b"/" } else { b"" };
            [name, end].concat()
        });
        self.tree(&entries)
    }

    pub(super) fn commit(&self, time: i64, parents: &[ObjectId], files: &[(&str, &str)]) -> ObjectId {
        self.commit_of(&time.to_string(), parents, self.files(files))
    }

    pub(super) fn commit_of(&self, time: &str, parents: &[ObjectId], tree: ObjectId) -> ObjectId {
        let parents = parents.iter().fold(String::new(), |text, parent| format!("{text}parent {parent}\n"));
        let who = "Ann <ann@example.org>";
        let text =
            format!("tree {tree}\n{parents}author {who} 5 +0000\ncommitter {who} {time} +0000\n\nmessage\n");
        self.object("commit", text.as_bytes())
    }

    pub(super) fn branch(&self, name: &str, commit: ObjectId) {
        self.reference(&format!("refs/heads/{name}"), commit);
    }

    pub(super) fn reference(&self, name: &str, id: ObjectId) {
        let file = self.path().join(name);
        fs::create_dir_all(file.parent().expect("below refs")).expect("it can be made");
        fs::write(file, format!("{id}\n")).expect("it can be written");
    }

    /// All objects as a pack, and all branches with the commits that they stand on.
    pub(super) fn served(&self) -> (Vec<u8>, Vec<(String, String)>) {
        let written = self.written.borrow();
        let mut pack = [&b"PACK\0\0\0\x02"[..], &(written.len() as u32).to_be_bytes()].concat();
        for (kind, bytes) in written.values() {
            let number = match kind {
                Kind::Commit => 1,
                Kind::Tree => 2,
                Kind::Blob => 3,
                Kind::Tag => 4,
            };
            let mut left = bytes.len() >> 4;
            pack.push(number << 4 | (bytes.len() & 15) as u8 | if left > 0 { 0x80 } else { 0 });
            while left > 0 {
                pack.push((left & 0x7f) as u8 | if left > 0x7f { 0x80 } else { 0 });
                left >>= 7;
            }
            let mut packed = flate2::write::ZlibEncoder::new(&mut pack, flate2::Compression::fast());
            packed.write_all(bytes).expect("memory");
            packed.finish().expect("memory");
        }
        pack.extend(sha1::Sha1::digest(&pack));
        let heads = fs::read_dir(self.path().join("refs/heads")).expect("it is there");
        let branch = |entry: std::io::Result<fs::DirEntry>| {
            let path = entry.expect("it is there").path();
            let name = path.file_name().expect("below a folder").to_string_lossy().into_owned();
            (
                format!("refs/heads/{name}"),
                fs::read_to_string(path).expect("it was written").trim().to_owned(),
            )
        };
        (pack, heads.map(branch).collect())
    }

    /// The file of a loose object.
    pub(super) fn file(&self, id: &str) -> PathBuf {
        self.path().join("objects").join(&id[..2]).join(&id[2..])
    }
}

/// What a reading gives, without its order.
pub(super) struct Read {
    pub(super) rows: BTreeMap<(BlobId, String), Occurrence>,
    /// The content of all blobs, in order.
    pub(super) contents: Vec<String>,
    pub(super) lineage: BTreeSet<Replaced>,
    taken_back: BTreeSet<(BlobId, String)>,
    pub(super) project: Option<Project>,
    pub(super) skips: Vec<(String, String)>,
    pub(super) state: Option<String>,
    pub(super) continues: bool,
    /// The folder of the source, which readings after this one share.
    pub(super) cache: Rc<tempfile::TempDir>,
}

impl Read {
    pub(super) fn of(source: &dyn Source) -> Self {
        Self::with(source, None, &[], &|_, _| false, None)
    }

    /// Reads again what was read before.
    pub(super) fn since(source: &dyn Source, before: &Self) -> Self {
        let rows: Vec<_> = before.rows.iter().map(|((blob, _), row)| (*blob, row.clone())).collect();
        Self::with(source, before.state.as_deref(), &rows, &|_, _| false, Some(before))
    }

    /// Reads within limits, again if it was read before.
    pub(super) fn within(source: &dyn Source, before: Option<&Self>, limits: &Limits) -> Self {
        let rows = before.map_or_else(Vec::new, |before| {
            before.rows.iter().map(|((blob, _), row)| (*blob, row.clone())).collect()
        });
        let state = before.and_then(|before| before.state.as_deref());
        Self::reading(source, state, &rows, &|_, _| false, before, limits)
    }

    pub(super) fn with(
        source: &dyn Source,
        state: Option<&str>,
        rows: &[(BlobId, Occurrence)],
        knows: &(dyn Fn(&BlobId, &str) -> bool + Sync),
        last: Option<&Self>,
    ) -> Self {
        Self::reading(source, state, rows, knows, last, &Limits::default())
    }

    fn reading(
        source: &dyn Source,
        state: Option<&str>,
        rows: &[(BlobId, Occurrence)],
        knows: &(dyn Fn(&BlobId, &str) -> bool + Sync),
        last: Option<&Self>,
        limits: &Limits,
    ) -> Self {
        let cache = last.map_or_else(
            || Rc::new(tempfile::tempdir().expect("a temporary folder")),
            |last| last.cache.clone(),
        );
        let occurrences = |each: &mut dyn FnMut(BlobId, Occurrence, Kept)| {
            for (blob, row) in rows {
                each(*blob, row.clone(), Kept::Code);
            }
            Ok(())
        };
        let before =
            Before { state, knows, occurrences: &occurrences, cache: Some(cache.path()), ..Before::NONE };
        let mut read = Self {
            rows: BTreeMap::new(),
            contents: Vec::new(),
            lineage: BTreeSet::new(),
            taken_back: BTreeSet::new(),
            project: None,
            skips: Vec::new(),
            state: None,
            continues: false,
            cache: cache.clone(),
        };
        let mut sink = |found| {
            read.take(found);
            ControlFlow::Continue(())
        };
        source.read_since(&before, limits, &mut sink).expect("a readable repository");
        read.contents.sort();
        read.skips.sort();
        read
    }

    fn take(&mut self, found: Found) {
        match found {
            Found::Item(item) => {
                self.contents.push(String::from_utf8_lossy(&item.bytes).into_owned());
                self.row_of(blob_id(&item.bytes), item.occurrence);
            }
            Found::Known { blob, occurrence, .. } => self.row_of(blob, occurrence),
            Found::Skip { path, reason } => self.skips.push((path, reason)),
            Found::Lineage(Lineage { blob, parent: Some(parent), path, parent_path, .. }) => {
                assert!(self.lineage.insert((blob, parent, path, parent_path)), "each is given once");
            }
            Found::Lineage(Lineage { blob, path, .. }) => drop(self.taken_back.insert((blob, path))),
            Found::Project(project) => self.project = Some(project),
            Found::State(state) => self.state = Some(state),
            Found::Continues => self.continues = true,
        }
    }

    fn row_of(&mut self, blob: BlobId, occurrence: Occurrence) {
        let before = self.rows.insert((blob, occurrence.path.clone()), occurrence);
        assert!(before.is_none(), "each place is given once: {before:?}");
    }

    pub(super) fn row(&self, text: &str, path: &str) -> &Occurrence {
        &self.rows[&(blob(text), path.to_owned())]
    }

    /// The rows by content and path, for contents that came.
    pub(super) fn paths(&self) -> Vec<(&str, &str)> {
        let text = |id: &BlobId| self.contents.iter().find(|text| blob(text) == *id).map_or("?", |text| text);
        let mut paths: Vec<_> = self.rows.keys().map(|(id, path)| (text(id), path.as_str())).collect();
        paths.sort_unstable();
        paths
    }

    /// What the corpus has after this reading of `before`.
    pub(super) fn after(mut self, before: &Self) -> Self {
        if self.continues {
            for (key, row) in &before.rows {
                self.rows.entry(key.clone()).or_insert_with(|| row.clone());
            }
            let mut given: BTreeSet<(BlobId, String)> =
                self.lineage.iter().map(|(blob, _, path, _)| (*blob, path.clone())).collect();
            given.append(&mut self.taken_back);
            let kept =
                before.lineage.iter().filter(|(blob, _, path, _)| !given.contains(&(*blob, path.clone())));
            self.lineage.extend(kept.cloned());
            self.project = self.project.or_else(|| before.project.clone());
        }
        self
    }
}
