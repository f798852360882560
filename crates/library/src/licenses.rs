//! Under which license code stands at a place: every layer that speaks for it, of what the corpus keeps.

use std::collections::BTreeSet;
use std::sync::Arc;

use familiar_license::infer::{self, Declarations};
use familiar_license::{Copyright, Detector, Layer, LayerKind};
use familiar_report::LayerRow;
use familiar_report::find::{LicenseRow, OccurrenceRow, named_places};
use familiar_source::{BlobId, Occurrence};
use familiar_store::StoreError;
use familiar_syntax::decode;
use xxhash_rust::xxh3::Xxh3;

use crate::blob_licenses::rounded;
use crate::detected::Remembered;
use crate::library::InTables;
use crate::license_cache::{cached, lock};
use crate::license_files::{LicenseFiles, Moment};
use crate::license_text::unpack;
use crate::witnesses::Witness;
use crate::{CorpusError, Library, blob_licenses, parse};

/// What is kept in memory at a time: places of license files, bytes of them that were read, blobs. Beyond, it is read anew.
const MOST_PLACES: usize = 1 << 18;
const MOST_READ: usize = 64 << 20;
const MOST_BLOBS: usize = 1 << 14;

/// Places of a blob whose license a result tells, beside those that the text names.
const MOST_PLACES_OF_ROW: usize = 20;

/// Prefix of the sources whose platform has a rule.
const PLATFORM: &str = "stackexchange:";

/// The licenses of what a library holds. Any number of threads may ask.
#[derive(Clone, Debug)]
pub struct Licenses<'l> {
    library: &'l Library,
}

/// Reads the rules of licenses on a thread of its own: whoever asks one question waits for them otherwise.
pub fn read_rules() {
    std::thread::spawn(|| Detector::embedded().prepare());
}

impl Licenses<'_> {
    /// Everything that speaks for the license of a blob where a witness has it, the word that counts most first; if nothing does,
    /// [`LayerKind::None`]. A history is asked for what stood there when the blob came, and where that says nothing, when it was
    /// last there.
    pub fn of(&self, blob: &BlobId, witness: &Witness) -> Result<Vec<Layer>, CorpusError> {
        self.with(self.blob_layers(blob)?.as_ref().clone(), witness)
    }

    /// The same where it is known what the blob says itself.
    pub fn with(&self, of_blob: Vec<Layer>, witness: &Witness) -> Result<Vec<Layer>, CorpusError> {
        let occurrence = &witness.occurrence;
        let mut all = of_blob;
        for layer in &mut all {
            let before = occurrence.first_line.max(1) - 1;
            layer.lines =
                layer.lines.map(|(start, end)| (start.saturating_add(before), end.saturating_add(before)));
            layer.path.get_or_insert_with(|| occurrence.path.clone());
        }
        all.extend(self.declared(witness)?);
        if self.library.is_post(witness) {
            all.push(infer::platform(occurrence.license.as_deref(), occurrence.first_seen));
        }
        all.sort_by_key(|layer| layer.kind);
        if all.is_empty() {
            all.push(self.nothing(witness));
        }
        Ok(all)
    }

    /// The license of a blob at a place that a result names; none where nothing speaks, or where the blob does not stand.
    pub fn of_place(&self, blob: &BlobId, place: &OccurrenceRow) -> Result<Option<String>, CorpusError> {
        let place = OccurrenceRow { source: None, ..place.clone() };
        let Some(witness) = self.library.witnesses(blob)?.into_iter().find(|one| one.row() == place) else {
            return Ok(None);
        };
        let conclusion = infer::conclude(&self.of(blob, &witness)?);
        Ok(conclusion.expression.map(|expression| expression.to_string()))
    }

    /// What a blob says of its own license, wherever it stands.
    pub fn of_blob(&self, blob: &BlobId) -> Result<Vec<Layer>, CorpusError> {
        Ok(self.blob_layers(blob)?.as_ref().clone())
    }

    /// What a result says of the licenses of a blob: of the places that the text names, and of the first ones.
    pub(crate) fn rows(&self, blob: &BlobId, witnesses: &[Witness]) -> Result<Vec<LicenseRow>, CorpusError> {
        let mut chosen: BTreeSet<usize> = (0..witnesses.len().min(MOST_PLACES_OF_ROW)).collect();
        if witnesses.len() > MOST_PLACES_OF_ROW {
            let rows: Vec<_> = witnesses.iter().map(Witness::row).collect();
            chosen.extend(named_places(&rows).into_iter().map(|(at, _)| at));
        }
        let mut groups: Vec<(Vec<Layer>, Vec<usize>)> = Vec::new();
        for at in chosen {
            let layers = self.of(blob, &witnesses[at])?;
            match groups.iter_mut().find(|(known, _)| *known == layers) {
                Some((_, places)) => places.push(at),
                None => groups.push((layers, vec![at])),
            }
        }
        Ok(groups.into_iter().map(|(layers, places)| row(&layers, places)).collect())
    }

    fn blob_layers(&self, blob: &BlobId) -> Result<Arc<Vec<Layer>>, CorpusError> {
        cached(&self.library.cache.of_blobs, *blob, MOST_BLOBS, || Ok((self.read_blob_layers(blob)?, 1)))
    }

    /// What was kept of a blob's layers, or what its text says.
    fn read_blob_layers(&self, blob: &BlobId) -> Result<Vec<Layer>, CorpusError> {
        for (number, segment) in self.library.code.iter().enumerate() {
            let Some(at) = segment.find_blob(&blob.0)? else { continue };
            let InTables { part, first, knows_licenses } = self.library.tables[number];
            let kept = segment.licenses(at)?;
            if knows_licenses && !kept.is_empty() {
                let folder = self.library.corpus.folder();
                let damaged =
                    || StoreError::damaged(folder, &format!("the licenses of {} are none", blob.swhid()));
                return Ok(blob_licenses::decode(kept).ok_or_else(damaged)?);
            }
            let text = self.text(part, first + u64::from(at), blob)?;
            let decoded = text.as_deref().and_then(|text| decode::decode(text).ok());
            return Ok(decoded.map_or_else(Vec::new, |decoded| blob_licenses::of_text(&decoded.text)));
        }
        Ok(Vec::new())
    }

    /// The text of a blob, where the corpus keeps it.
    pub(crate) fn text_of(&self, blob: &BlobId) -> Result<Option<Vec<u8>>, CorpusError> {
        for (segment, &InTables { part, first, .. }) in self.library.code.iter().zip(&self.library.tables) {
            if let Some(at) = segment.find_blob(&blob.0)? {
                return self.text(part, first + u64::from(at), blob);
            }
        }
        Ok(None)
    }

    /// The text of a blob, which is the row `number` of its part, where the corpus keeps text.
    fn text(&self, part: u64, number: u64, blob: &BlobId) -> Result<Option<Vec<u8>>, CorpusError> {
        let Library { corpus, cache, .. } = self.library;
        let mut file = lock(&cache.texts).get(&part).cloned();
        if file.is_none() {
            let opened = corpus.text_file(part)?.map(Arc::new);
            file = Some(lock(&cache.texts).entry(part).or_insert(opened).clone());
        }
        let Some(file) = file.flatten() else { return Ok(None) };
        let row = file.row(number)?.filter(|row| row.blob == *blob && parse::id(&row.text) == *blob);
        let damaged = || {
            let reason = format!("part {part}: row {number} of its texts is not {}", blob.swhid());
            StoreError::damaged(&corpus.folder().join("tables"), &reason)
        };
        Ok(Some(row.ok_or_else(damaged)?.text))
    }

    /// Whose a blob is by the license files that speak for it where a witness has it.
    pub fn copyrights(&self, witness: &Witness) -> Result<Vec<Copyright>, CorpusError> {
        let path = &witness.occurrence.path;
        Ok(self.declarations(witness)?.map_or_else(Vec::new, |files| files.copyrights(path)))
    }

    /// What the files of the project say that stood there with the blob.
    fn declared(&self, witness: &Witness) -> Result<Vec<Layer>, CorpusError> {
        let path = &witness.occurrence.path;
        Ok(self.declarations(witness)?.map_or_else(Vec::new, |files| files.layers(path)))
    }

    /// The files of the project that may speak for a blob: those that stood there when it came, or where they name no license, those
    /// when it was last there.
    fn declarations(&self, witness: &Witness) -> Result<Option<Arc<Declarations>>, CorpusError> {
        let occurrence = &witness.occurrence;
        let project = self.project(witness)?;
        let at_start = self.at(witness, &project, Moment::Start)?;
        let layers = |files: &Option<Arc<Declarations>>| {
            files.as_ref().map_or_else(Vec::new, |files| files.layers(&occurrence.path))
        };
        if occurrence.introduced_by.is_none()
            || layers(&at_start).iter().any(|layer| layer.expression.is_some())
        {
            return Ok(at_start);
        }
        let at_end = self.at(witness, &project, Moment::End)?;
        Ok(if layers(&at_end).is_empty() { at_start } else { at_end })
    }

    /// All license files of the project.
    fn project(&self, witness: &Witness) -> Result<Arc<LicenseFiles>, CorpusError> {
        let Library { witnesses, cache, .. } = self.library;
        let key = (witness.source, witness.occurrence.project.clone());
        cached(&cache.projects, key, MOST_PLACES, || {
            let declared = LicenseFiles::new(witnesses.license_files(witness)?);
            let places = declared.len() + 1;
            Ok((declared, places))
        })
    }

    /// The files of the project that may speak for a blob, when it came or when it was last there.
    pub(crate) fn speaking(&self, witness: &Witness) -> Result<Vec<(BlobId, Occurrence)>, CorpusError> {
        let project = self.project(witness)?;
        let at = |moment| project.speaking(&witness.occurrence, moment).into_iter().cloned();
        Ok(at(Moment::Start).chain(at(Moment::End)).collect())
    }

    /// What stood there with the blob at a moment; none where nothing did.
    fn at(
        &self,
        witness: &Witness,
        project: &LicenseFiles,
        moment: Moment,
    ) -> Result<Option<Arc<Declarations>>, CorpusError> {
        let Library { witnesses, cache, .. } = self.library;
        let state = project.state(&witness.occurrence, moment);
        if state.is_empty() {
            return Ok(None);
        }
        let mut hash = Xxh3::new();
        for (path, blob) in &state {
            hash.update(&blob.0);
            hash.update(path.as_bytes());
            hash.update(&[0xff]);
        }
        let key = (witness.source, hash.digest128());
        let declarations = cached(&cache.states, key, MOST_READ, || -> Result<_, CorpusError> {
            let (mut files, mut bytes, mut known) = (Vec::new(), 1024, Remembered::default());
            for (path, blob) in state {
                let Some(packed) = witnesses.license_text(witness, &blob)? else { continue };
                let Some(text) = unpack(packed) else { continue };
                known.add(packed);
                bytes += text.len();
                files.push((path.to_owned(), text));
            }
            Ok((Declarations::read_with(files, &|text| known.detect(text)), bytes))
        })?;
        Ok(Some(declarations))
    }

    /// Says that nothing speaks, or that nobody asked when the source was read.
    fn nothing(&self, witness: &Witness) -> Layer {
        let evidence = if self.library.witnesses.knows_license_files(witness) {
            "nothing speaks for its license"
        } else {
            "its source was read by an older Familiar, which kept nothing of licenses; update the corpus, or remove a package and add it again"
        };
        Layer {
            kind: LayerKind::None,
            expression: None,
            evidence: evidence.to_owned(),
            path: None,
            lines: None,
            score: None,
            rule: None,
        }
    }
}

impl Library {
    /// The licenses of what it holds.
    pub fn licenses(&self) -> Licenses<'_> {
        Licenses { library: self }
    }

    /// The name of the source that a witness stands in.
    pub fn source_of(&self, witness: &Witness) -> &str {
        self.witnesses.name_of(witness)
    }

    /// The content of a license file of the project of a witness.
    pub(crate) fn license_text(
        &self,
        witness: &Witness,
        blob: &BlobId,
    ) -> Result<Option<Vec<u8>>, CorpusError> {
        Ok(self.witnesses.license_text(witness, blob)?.and_then(unpack))
    }

    /// Whether a witness is a post, which stands under the terms of its site.
    pub(crate) fn is_post(&self, witness: &Witness) -> bool {
        self.source_of(witness).starts_with(PLATFORM)
    }
}

/// A layer as it is told.
pub fn layer_row(layer: &Layer) -> LayerRow {
    LayerRow {
        layer: layer.kind.name(),
        expression: layer.expression.as_ref().map(ToString::to_string),
        evidence: layer.evidence.clone(),
        path: layer.path.clone(),
        start_line: layer.lines.map(|lines| lines.0),
        end_line: layer.lines.map(|lines| lines.1),
        score: layer.score.map(rounded),
        rule: layer.rule.clone(),
    }
}

/// What follows from layers at some places, and the layers.
fn row(layers: &[Layer], occurrences: Vec<usize>) -> LicenseRow {
    let conclusion = infer::conclude(layers);
    LicenseRow {
        expression: conclusion.expression.as_ref().map(ToString::to_string),
        layer: conclusion.by.name(),
        layers: layers.iter().map(layer_row).collect(),
        occurrences,
    }
}

#[cfg(test)]
mod tests;
