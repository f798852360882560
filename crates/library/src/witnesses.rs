//! Where blobs stand, with what the corpus says of the project and the file.
//!
//! Renames are looked up by file alone, without the blob and the commit. So one that a later part of the source takes back (a
//! `lineage` row without a parent) is still followed until the source is read anew.

use std::collections::{BTreeMap, BTreeSet};

use familiar_corpus::stackexchange::Post;
use familiar_index::places::Places;
use familiar_index::project_history::{FileKey, ProjectHistory};
use familiar_index::segment::SegmentError;
use familiar_report::find::OccurrenceRow;
use familiar_source::{BlobId, Occurrence, time};
use rustc_hash::FxHashMap;

use crate::families::Families;

/// An occurrence of a blob, as a library knows it.
#[derive(Clone, Debug, Default)]
pub struct Witness {
    pub occurrence: Occurrence,
    /// The name of the project's family, where it has forks: together they are one witness.
    pub family: Option<String>,
    /// Whether its source was handed out.
    pub base: bool,
    /// Number of its source.
    pub(crate) source: usize,
    /// What tells its project from others, whatever they are called.
    pub(crate) identity: String,
}

impl Witness {
    /// The project, or the family that it is of.
    pub fn owner(&self) -> &str {
        self.family.as_deref().unwrap_or(&self.occurrence.project)
    }

    /// Whether two stand in the same project at the same time, at different places.
    pub(crate) fn is_beside(&self, other: &Self) -> bool {
        let (a, b) = (&self.occurrence, &other.occurrence);
        let ((from, until), (other_from, other_until)) = (self.stay(), other.stay());
        let is_elsewhere = (&a.path, a.first_line) != (&b.path, b.first_line);
        let is_same =
            a.project == b.project && (self.source == other.source || self.identity == other.identity);
        from < other_until && other_from < until && is_elsewhere && is_same
    }

    /// Since when, and until before when it stands. What is not known is taken for long.
    fn stay(&self) -> (i64, i64) {
        let Occurrence { first_seen, last_seen, removed_by, .. } = &self.occurrence;
        let until = match removed_by {
            // What stays is there when it is last seen.
            None => last_seen.map(|seen| seen.saturating_add(1)),
            Some(_) => *last_seen,
        };
        (first_seen.unwrap_or(i64::MIN), until.unwrap_or(i64::MAX))
    }

    pub fn row(&self) -> OccurrenceRow {
        let o = self.occurrence.clone();
        let post = Post::at(&o);
        // A post's author without a name is known by the number of his page.
        let author = match Post::author_page(&o) {
            Some(number) => Some(format!("user {number}")),
            None => o.author,
        };
        let link = o.link.or_else(|| post.as_ref()?.link());
        OccurrenceRow {
            source: None,
            project: o.project,
            family: self.family.clone(),
            base: self.base,
            purl: o.purl,
            revision: o.introduced_by,
            removed_by: o.removed_by,
            path: o.path,
            title: post.map(|post| post.title()),
            first_line: o.first_line,
            first_seen: o.first_seen.map(time::utc),
            last_seen: o.last_seen.map(time::utc),
            evidence: o.evidence.name(),
            author,
            link,
            license: o.license,
        }
    }
}

/// A source as far as it is needed to tell where blobs stand.
#[derive(Debug)]
struct SourcePlaces {
    name: String,
    base: bool,
    /// In the order in which they came.
    places: Vec<Places>,
}

/// Everything that says where blobs stand.
#[derive(Debug, Default)]
pub(crate) struct Witnesses {
    sources: Vec<SourcePlaces>,
    numbers: FxHashMap<String, usize>,
    families: Families,
}

/// Most earlier names of a file that are followed.
const MOST_NAMES: usize = 256;

impl Witnesses {
    /// Adds a file of a source's places, the first parts first. `base` says whether the source was handed out.
    pub(crate) fn add(&mut self, source: &str, base: bool, places: Places) {
        let next = self.sources.len();
        let number = *self.numbers.entry(source.to_owned()).or_insert(next);
        if number == next {
            self.sources.push(SourcePlaces { name: source.to_owned(), base, places: Vec::new() });
        }
        self.sources[number].places.push(places);
    }

    /// Finds the forks among the projects that were added.
    pub(crate) fn find_families(&mut self) -> Result<(), SegmentError> {
        self.families = Families::new(&self.roots()?);
        Ok(())
    }

    /// What tells the forks among the projects, source by source, with the number of each source.
    pub(crate) fn roots(&self) -> Result<Vec<(usize, ProjectHistory)>, SegmentError> {
        let mut roots = Vec::new();
        for (number, source) in self.sources.iter().enumerate() {
            // What a source says of a project counts as it says it last.
            let mut latest = BTreeMap::new();
            for places in &source.places {
                latest.extend(places.roots()?.into_iter().map(|root| (root.project.clone(), root)));
            }
            roots.extend(latest.into_values().map(|root| (number, root)));
        }
        Ok(roots)
    }

    /// Where a blob stands: by project, path and time.
    pub(crate) fn of(&self, blob: &BlobId) -> Result<Vec<Witness>, SegmentError> {
        let mut all = Vec::new();
        for (number, SourcePlaces { base, places, .. }) in self.sources.iter().enumerate() {
            // What a source says of a place counts as it says it last.
            let mut latest: BTreeMap<(String, String, u32), Occurrence> = BTreeMap::new();
            for places in places {
                let found = places.of(blob)?.into_iter();
                latest.extend(found.map(|o| ((o.project.clone(), o.path.clone(), o.first_line), o)));
            }
            all.extend(latest.into_values().map(|occurrence| {
                let family = self.families.number(number, &occurrence.project);
                Witness {
                    family: family.and_then(|family| self.families.name(family)).map(ToOwned::to_owned),
                    identity: self.identity(number, family, &occurrence.project),
                    occurrence,
                    base: *base,
                    source: number,
                }
            }));
        }
        all.sort_by(|a, b| {
            let (a, b) = (&a.occurrence, &b.occurrence);
            (&a.project, &a.path, a.first_seen).cmp(&(&b.project, &b.path, b.first_seen))
        });
        Ok(all)
    }

    /// What tells a project of a source from others: its family, or its name where that is known everywhere (a host and what stands
    /// there, a registry and a package, a site). A name that is only that of a folder or an archive says nothing outside the place of
    /// its source.
    fn identity(&self, source: usize, family: Option<usize>, project: &str) -> String {
        if let Some(family) = family {
            return format!("\0family {family}");
        }
        let name = &self.sources[source].name;
        let (kind, place) = name.split_once(':').unwrap_or(("", name));
        if project.contains('/') || kind == "stackexchange" {
            return project.to_owned();
        }
        format!("{place}\0{project}")
    }

    /// Whether a blob stands anywhere.
    pub(crate) fn has(&self, blob: &BlobId) -> Result<bool, SegmentError> {
        for places in self.sources.iter().flat_map(|source| &source.places) {
            if places.has(blob)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The name of the source that a witness is from.
    pub(crate) fn name_of(&self, witness: &Witness) -> &str {
        &self.sources[witness.source].name
    }

    /// Whether the source of a witness was read by a Familiar that kept license files.
    pub(crate) fn knows_license_files(&self, witness: &Witness) -> bool {
        self.sources[witness.source].places.iter().all(Places::knows_license_files)
    }

    /// The license files of the project of a witness, whenever they stood there.
    pub(crate) fn license_files(&self, witness: &Witness) -> Result<Vec<(BlobId, Occurrence)>, SegmentError> {
        // What a source says of a place counts as it says it last.
        let mut latest: BTreeMap<(String, BlobId), Occurrence> = BTreeMap::new();
        for places in &self.sources[witness.source].places {
            let files = places.license_files(&witness.occurrence.project)?.into_iter();
            latest.extend(files.map(|(blob, file)| ((file.path.clone(), blob), file)));
        }
        Ok(latest.into_iter().map(|((_, blob), file)| (blob, file)).collect())
    }

    /// The content of a license file of the project of a witness, packed.
    pub(crate) fn license_text(
        &self,
        witness: &Witness,
        blob: &BlobId,
    ) -> Result<Option<&[u8]>, SegmentError> {
        for places in &self.sources[witness.source].places {
            if let Some(packed) = places.license_text(blob)? {
                return Ok(Some(packed));
            }
        }
        Ok(None)
    }

    /// The file that a blob stands in, what it was before it was renamed, and the same files of the project's family. Blocks of one
    /// document are files of their file.
    pub(crate) fn files(&self, witness: &Witness) -> Result<Vec<FileKey>, SegmentError> {
        let Occurrence { project, path, first_line, .. } = &witness.occurrence;
        let file = FileKey::new(project, path, *first_line);
        let places = || self.sources[witness.source].places.iter().filter(|places| places.has_renames());
        let mut seen = BTreeSet::from([file]);
        let mut files = vec![file];
        let mut next = 0;
        while next < files.len() && files.len() < MOST_NAMES && places().next().is_some() {
            let file = files[next];
            next += 1;
            for places in places() {
                places.renamed_from(file, |from| {
                    if seen.insert(from) {
                        files.push(from);
                    }
                })?;
            }
        }
        let own = self.identity(witness.source, None, project);
        let names = [own.as_str(), &witness.identity];
        let names = &names[..=usize::from(names[0] != names[1])];
        Ok(files.iter().flat_map(|file| names.iter().map(|name| file.of_other(project, name))).collect())
    }
}
