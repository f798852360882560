//! Which corpora are served, and each of them open for questions as it is now.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use familiar_library::{self as corpus, CorpusError, Library};
use familiar_model::Encoder;
use familiar_store::StoreError;

/// Corpora by their names.
pub(crate) struct Libraries {
    /// Where corpora with names live, and new ones come to be.
    home: Option<PathBuf>,
    /// Those that lie elsewhere, or are the only ones served.
    named: BTreeMap<String, PathBuf>,
    open: Mutex<BTreeMap<String, Open>>,
}

struct Open {
    library: Arc<Library>,
    has_vectors: bool,
    manifest: Stamp,
    looked: Instant,
    is_newest: bool,
}

/// What tells that a manifest was replaced.
type Stamp = (u64, Option<SystemTime>);

/// How long an open corpus is taken for the newest.
const FRESH: Duration = Duration::from_millis(500);

impl Libraries {
    pub(crate) fn new(home: Option<PathBuf>, named: BTreeMap<String, PathBuf>) -> Self {
        Self { home, named, open: Mutex::default() }
    }

    /// The names of the corpora that are served.
    pub(crate) fn names(&self) -> std::io::Result<Vec<String>> {
        let mut names: Vec<String> = self.named.keys().cloned().collect();
        if let Some(home) = &self.home {
            names.extend(corpus::list(home)?.into_iter().filter(|name| is_name(name)));
        }
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Where corpora lie.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        self.home.iter().chain(self.named.values()).map(PathBuf::as_path)
    }

    /// Whether corpora with other names can come to be.
    pub(crate) fn has_home(&self) -> bool {
        self.home.is_some()
    }

    /// Why a corpus that is served cannot be read, if so. What its segments hold is not looked at.
    pub(crate) fn fault(&self, name: &str) -> Option<CorpusError> {
        corpus::check(&self.place(name)?).err()
    }

    /// The folder of a corpus that is there.
    pub(crate) fn folder(&self, name: &str) -> Option<PathBuf> {
        self.place(name).filter(|folder| folder.join("manifest.json").is_file())
    }

    /// The folder that a corpus has or would have.
    pub(crate) fn place(&self, name: &str) -> Option<PathBuf> {
        if let Some(folder) = self.named.get(name) {
            return Some(folder.clone());
        }
        self.home.as_ref().filter(|_| is_name(name)).map(|home| home.join(name))
    }

    /// The corpus in `folder`, opened, with the vectors of an encoder where one is given. A reader keeps what it has when the corpus
    /// changes.
    pub(crate) fn open(
        &self,
        name: &str,
        folder: &Path,
        encoder: Option<&dyn Encoder>,
    ) -> Result<Arc<Library>, CorpusError> {
        let mut all = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = all.get_mut(name) {
            if open.looked.elapsed() >= FRESH {
                open.looked = Instant::now();
                open.is_newest = open.manifest == stamp(folder);
            }
            if open.is_newest && (encoder.is_none() || open.has_vectors) {
                return Ok(Arc::clone(&open.library));
            }
        }
        // What it lacks it would lack again.
        if let (Some(encoder), Some(open)) = (encoder, all.get(name).filter(|open| open.is_newest)) {
            open.library.check_vectors(encoder)?;
        }
        // Before it is opened: what changes meanwhile is seen the next time.
        let manifest = stamp(folder);
        let mut library = Library::open(folder)?;
        let vectors = encoder.map(|encoder| library.open_vectors(encoder));
        let library = Arc::new(library);
        let open = Open {
            library: Arc::clone(&library),
            has_vectors: matches!(vectors, Some(Ok(()))),
            manifest,
            looked: Instant::now(),
            is_newest: true,
        };
        all.insert(name.to_owned(), open);
        vectors.unwrap_or(Ok(())).map(|()| library)
    }
}

/// Why a corpus cannot be read, for whoever may not know where it lies.
pub(crate) fn fault_in_words(corpus: &str, error: &CorpusError) -> String {
    match error {
        CorpusError::Store(StoreError::None { .. }) => format!("the corpus {corpus} does not exist"),
        CorpusError::Store(StoreError::Newer { .. }) => format!(
            "the corpus {corpus} was written by a newer Familiar, or its manifest is damaged; install the newer version on the server, or \
             restore the corpus from a backup"
        ),
        CorpusError::Store(StoreError::Manifest { .. }) => format!(
            "the manifest of the corpus {corpus} is damaged; restore it from a backup, or make a new corpus from the same sources"
        ),
        CorpusError::Segment(_) => format!(
            "the index of the corpus {corpus} cannot be read; `familiar corpus rebuild {corpus}` writes it again"
        ),
        _ => format!(
            "the corpus {corpus} cannot be read; the server's log says why, and `familiar corpus verify {corpus}` what is damaged"
        ),
    }
}

fn stamp(folder: &Path) -> Stamp {
    let metadata = folder.join("manifest.json").metadata();
    metadata.map_or((0, None), |metadata| (metadata.len(), metadata.modified().ok()))
}

/// Whether a text is a plain name: no path, nothing hidden, nothing that a shell or a file system takes for something else.
pub(crate) fn is_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    text.len() <= 64
        && text.bytes().all(plain)
        && text.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric())
        && text != "service"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_paths() {
        assert!(["world", "class-2026", "a.b_c"].into_iter().all(is_name));
        for wrong in
            ["", ".", "..", "a/b", "a\\b", "-x", ".git", "a b", "é", "a\0", "service", &"x".repeat(65)]
        {
            assert!(!is_name(wrong), "{wrong}");
        }
    }
}
