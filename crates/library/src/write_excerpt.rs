//! Of corpora, what somebody needs who compared code with them: the blobs that were found, where they stand, and what speaks for
//! their licenses.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use familiar_corpus::excerpt::{ExcerptWriter, Section};
use familiar_source::{BlobId, Occurrence, Project};
use familiar_store::StoreError;
use familiar_store::tables::TextRow;

use crate::{CorpusError, Library, Witness, files};

/// Which places of blobs are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Where they are what stands there last, as clones are looked for.
    Standing,
    /// All, whenever it was, with what speaks for their licenses and with the projects' histories, as audits need.
    Everything,
}

/// Why an excerpt could not be written.
#[derive(Debug, thiserror::Error)]
pub enum ExcerptError {
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error("cannot write the excerpt: {0}")]
    Write(#[from] io::Error),
}

/// Writes what the corpora, by their names, have of `blobs`.
pub fn write_excerpt<W: Write>(
    corpora: &[(String, PathBuf)],
    blobs: &BTreeSet<BlobId>,
    extent: Extent,
    out: W,
) -> Result<W, ExcerptError> {
    let mut parts = Vec::new();
    for (name, folder) in corpora {
        parts.push(Part::of(name, folder, blobs, extent)?);
    }
    let sections: Vec<Section> = parts.iter().flat_map(|part| part.sections.keys().cloned()).collect();
    let mut writer = ExcerptWriter::start(out, &sections)?;
    let mut first = 0;
    for part in &parts {
        part.write(first, &mut writer)?;
        first += part.sections.len() as u32;
    }
    Ok(writer.end()?)
}

/// What one corpus gives.
struct Part {
    library: Library,
    sections: BTreeMap<Section, Places>,
}

/// Where the blobs of a section stand, and the files that speak for their licenses.
#[derive(Default)]
struct Places {
    blobs: BTreeMap<BlobId, BTreeSet<Occurrence>>,
    declared: BTreeMap<BlobId, LicenseFile>,
    projects: Vec<Project>,
}

/// A file that speaks for licenses: a place whose source has its text, and where it stands.
struct LicenseFile {
    witness: Witness,
    places: BTreeSet<Occurrence>,
}

impl Part {
    fn of(name: &str, folder: &Path, blobs: &BTreeSet<BlobId>, extent: Extent) -> Result<Self, CorpusError> {
        let library = Library::open(folder)?;
        if !library.corpus().manifest().text {
            return Err(CorpusError::NoText { folder: folder.to_owned() });
        }
        let standing = match extent {
            Extent::Standing => Some(files::standing(library.corpus(), blobs)?),
            Extent::Everything => None,
        };
        let mut sections: BTreeMap<Section, Places> = BTreeMap::new();
        for blob in blobs {
            for witness in library.witnesses(blob)? {
                let is_there = standing
                    .as_ref()
                    .is_none_or(|standing| standing.contains(&files::place(&witness.occurrence, *blob)));
                if !is_there {
                    continue;
                }
                let posts = library.is_post(&witness);
                let section = Section { corpus: name.to_owned(), base: witness.base, posts };
                let places = sections.entry(section).or_default();
                if extent == Extent::Everything {
                    for (blob, file) in library.licenses().speaking(&witness)? {
                        let license = places.declared.entry(blob).or_insert_with(|| LicenseFile {
                            witness: witness.clone(),
                            places: BTreeSet::new(),
                        });
                        license.places.insert(file);
                    }
                }
                places.blobs.entry(*blob).or_default().insert(witness.occurrence);
            }
        }
        if extent == Extent::Everything {
            add_projects(&library, &mut sections)?;
        }
        Ok(Self { library, sections })
    }

    /// Writes it; its first section has the number `first`.
    fn write<W: Write>(&self, first: u32, writer: &mut ExcerptWriter<W>) -> Result<(), ExcerptError> {
        let corpus = self.library.corpus();
        let languages = files::languages(corpus).map_err(CorpusError::from)?;
        for (section, places) in (first..).zip(self.sections.values()) {
            for project in &places.projects {
                writer.project(section, project)?;
            }
            for (blob, LicenseFile { witness, places }) in &places.declared {
                let Some(text) = self.library.license_text(witness, blob)? else { continue };
                writer.declared(section, &text, &list(places))?;
            }
        }
        let wanted: BTreeSet<BlobId> =
            self.sections.values().flat_map(|places| places.blobs.keys().copied()).collect();
        let mut written = Ok(());
        corpus
            .texts_of_blobs(&wanted, |TextRow { blob, text }| {
                let Some(&language) = languages.get(&blob) else { return Ok(()) };
                for (section, places) in (first..).zip(self.sections.values()) {
                    if let Some(occurrences) = places.blobs.get(&blob)
                        && written.is_ok()
                    {
                        written = writer.blob(section, language, &text, &list(occurrences));
                    }
                }
                Ok::<(), StoreError>(())
            })
            .map_err(CorpusError::from)?;
        Ok(written?)
    }
}

fn list(occurrences: &BTreeSet<Occurrence>) -> Vec<Occurrence> {
    occurrences.iter().cloned().collect()
}

/// Adds to each section the histories of the projects that it names, by which forks are known.
fn add_projects(library: &Library, sections: &mut BTreeMap<Section, Places>) -> Result<(), CorpusError> {
    let histories = library.histories()?;
    for places in sections.values_mut() {
        let named: BTreeSet<&str> = places.blobs.values().flatten().map(|o| o.project.as_str()).collect();
        places.projects =
            histories.iter().filter(|project| named.contains(project.project.as_str())).cloned().collect();
    }
    Ok(())
}
