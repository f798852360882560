//! A corpus of a few files with all kinds of tables and segments in it, of which a target changes one file.
#![allow(dead_code, reason = "each target uses a part")]

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use familiar_corpus::spec;
use familiar_engine::Measure;
use familiar_files::dir::WalkOptions;
use familiar_library::{self as corpus, AddOptions, CodeQuery, FindOptions, Library, QueryReader, Reading};
use familiar_source::{FragmentKind, Silent};
use tempfile::TempDir;

pub struct World {
    folder: TempDir,
    /// The files of its tables and segments, in the order of their names, as they were made.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    pub manifest: serde_json::Value,
    pub query: CodeQuery,
}

/// A change of some bytes: which section or file, where, and what stands there instead; nothing cuts there.
pub type Change = (u8, u16, Vec<u8>);

pub fn change(bytes: &mut Vec<u8>, at: u16, with: &[u8]) {
    let at = usize::from(at) % (bytes.len() + 1);
    if with.is_empty() {
        return bytes.truncate(at);
    }
    let end = (at + with.len()).min(bytes.len());
    bytes.splice(at..end, with.iter().copied());
}

const CODE: &str = "def f(items):\n    total = 0\n    for item in items:\n        if item.price > 10:\n            total \
                    += item.price * item.count\n        elif item.free:\n            total -= 1\n    return \
                    round(total, 2) if total else None\n\n\ndef g(a):\n    return [a, a, a, a, a, a, a, a, a, a, a, a, a, a, a]\n";

pub fn world() -> &'static World {
    static WORLD: OnceLock<World> = OnceLock::new();
    WORLD.get_or_init(|| made().expect("the temporary folder can be written"))
}

fn made() -> Result<World, Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let given = folder.path().join("given");
    std::fs::create_dir(&given)?;
    for number in 0..4 {
        std::fs::write(given.join(format!("f{number}.py")), CODE.replace("10", &number.to_string()))?;
    }
    std::fs::write(given.join("binary.py"), b"\0\0")?;
    std::fs::write(given.join("package.json"), "{\"name\": \"a\", \"license\": \"MIT\"}\n")?;
    let name = format!("dir:{}", given.display());
    let options = AddOptions {
        folder: folder.path().join("corpus"),
        sources: vec![(name.clone(), spec::source(&name, &WalkOptions::default())?)],
        base: [name].into(),
        exclude: Vec::new(),
        text: true,
        reading: Reading { limits: super::LIMITS, threads: 1, memory: 1 << 26 },
    };
    corpus::add(&options, &Silent)?;
    let mut files = Vec::new();
    for inner in ["segments", "tables"] {
        for entry in std::fs::read_dir(options.folder.join(inner))? {
            let path = entry?.path();
            files.push((path.clone(), std::fs::read(path)?));
        }
    }
    files.sort();
    let manifest = serde_json::from_slice(&std::fs::read(options.folder.join("manifest.json"))?)?;
    let query = QueryReader::new(1 << 26).read("a.py", CODE.as_bytes(), None, None)?;
    Ok(World { folder, files, manifest, query })
}

impl World {
    pub fn folder(&self) -> PathBuf {
        self.folder.path().join("corpus")
    }

    /// The files whose names end so.
    pub fn files_of(&self, kind: &str) -> Vec<&(PathBuf, Vec<u8>)> {
        self.files.iter().filter(|(path, _)| path.extension().is_some_and(|own| own == kind)).collect()
    }

    /// Looks everything up in the corpus as it is now; an error is an answer.
    pub fn find(&self, query: &CodeQuery) {
        let Ok(library) = Library::open(&self.folder()) else { return };
        for measure in [Measure::Aligned, Measure::TokenOverlap] {
            let granularity = FragmentKind::ALL.to_vec();
            let _ = library.find(query, &FindOptions { measure, granularity, ..FindOptions::default() });
        }
    }

    /// Merges a copy of the corpus; an error is an answer.
    pub fn merge(&self) {
        let copy = self.folder.path().join("copy");
        let _ = std::fs::remove_dir_all(&copy);
        for inner in ["segments", "tables"] {
            std::fs::create_dir_all(copy.join(inner)).expect("the temporary folder can be written");
            for (path, _) in
                self.files.iter().filter(|(path, _)| path.parent().is_some_and(|own| own.ends_with(inner)))
            {
                let name = path.file_name().expect("a file");
                std::fs::copy(path, copy.join(inner).join(name))
                    .expect("the temporary folder can be written");
            }
        }
        let manifest = self.folder().join("manifest.json");
        std::fs::copy(manifest, copy.join("manifest.json")).expect("the temporary folder can be written");
        let _ = corpus::merge(&copy, 1 << 26, &Silent);
    }

    /// Writes a file for as long as `during` runs.
    pub fn with(&self, path: &Path, bytes: &[u8], during: impl FnOnce()) {
        let before = std::fs::read(path).expect("it is there");
        // Another file: what is mapped never changes.
        let write = |bytes: &[u8]| {
            let next = path.with_extension("next");
            std::fs::write(&next, bytes)
                .and_then(|()| std::fs::rename(next, path))
                .expect("it can be written");
        };
        write(bytes);
        during();
        write(&before);
    }
}
