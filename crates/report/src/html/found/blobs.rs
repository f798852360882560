//! The blobs that have some of what was asked for: each is put once, however many queries it answers.

use std::collections::{BTreeSet, HashMap};
use std::io;

use serde::Serialize;

use super::projects::Projects;
use crate::find::{FoundBlob, LicenseRow, OccurrenceRow, Origin};

/// Projects of a blob that the page filters by: of more, those that had it first.
const MOST_PROJECTS: usize = 64;

#[derive(Default)]
pub(super) struct Blobs {
    numbers: HashMap<String, u32>,
    pub(super) rows: Vec<Blob>,
    licenses: HashMap<Option<String>, u32>,
    /// Different licenses; none where nothing is known.
    pub(super) license_names: Vec<Option<String>>,
}

/// What the page knows of a blob before its pack is read.
pub(super) struct Blob {
    pub(super) swhid: String,
    pub(super) language: String,
    /// Its path behind its project, where it stood first as far as times say.
    pub(super) path: String,
    pub(super) projects: Vec<u32>,
    pub(super) all_projects: u32,
    pub(super) places: u32,
    pub(super) licenses: Vec<u32>,
}

/// What is told of a blob: where it stands, and under which licenses.
#[derive(Serialize)]
pub(super) struct Told<'r> {
    blob: &'r str,
    places: &'r [OccurrenceRow],
    licenses: &'r [LicenseRow],
}

impl Blobs {
    pub(super) fn number(&self, swhid: &str) -> Option<u32> {
        self.numbers.get(swhid).copied()
    }

    /// The number of a blob, which `put` takes where it is new.
    pub(super) fn push(
        &mut self,
        found: &FoundBlob,
        origin: &Origin,
        projects: &mut Projects,
        put: &mut dyn FnMut(&Told<'_>) -> io::Result<()>,
    ) -> io::Result<u32> {
        if let Some(number) = self.number(&found.blob) {
            return Ok(number);
        }
        let (places, licenses) = (found.occurrences.as_slice(), found.licenses.as_slice());
        put(&Told { blob: &found.blob, places, licenses })?;
        let mut by_time: Vec<&OccurrenceRow> = places.iter().collect();
        by_time.sort_by_key(|place| (year(place).is_none(), &place.first_seen));
        let is_origin = origin.blob.as_deref() == Some(&found.blob);
        let first = origin.occurrence.as_ref().filter(|_| is_origin);
        let path = first.or(by_time.first().copied()).map_or_else(|| found.blob.clone(), path_of);
        let mut owners: Vec<u32> = Vec::new();
        let mut known = BTreeSet::new();
        for owner in by_time.iter().map(|place| owner(place)) {
            if known.insert(owner) && owners.len() < MOST_PROJECTS {
                owners.push(projects.number(owner));
            }
        }
        let number = self.rows.len() as u32;
        let mut licenses: Vec<u32> = licenses.iter().map(|row| self.license(row)).collect();
        licenses.sort_unstable();
        licenses.dedup();
        self.rows.push(Blob {
            swhid: found.blob.clone(),
            language: found.language.clone(),
            path,
            projects: owners,
            all_projects: known.len() as u32,
            places: places.len() as u32,
            licenses,
        });
        self.numbers.insert(found.blob.clone(), number);
        Ok(number)
    }

    fn license(&mut self, row: &LicenseRow) -> u32 {
        let next = self.license_names.len() as u32;
        let number = *self.licenses.entry(row.expression.clone()).or_insert(next);
        if number == next {
            self.license_names.push(row.expression.clone());
        }
        number
    }
}

/// The project, or the family of forks that it is of.
pub(super) fn owner(place: &OccurrenceRow) -> &str {
    place.family.as_deref().unwrap_or(&place.project)
}

/// The year in which a place is first known to have had it, by a time that can be compared.
pub(super) fn year(place: &OccurrenceRow) -> Option<u32> {
    let dated = !matches!(place.evidence, "none" | "file-time");
    place.first_seen.as_deref().filter(|_| dated)?.get(..4)?.parse().ok()
}

fn path_of(place: &OccurrenceRow) -> String {
    format!("{}/{}", place.project, place.path)
}
