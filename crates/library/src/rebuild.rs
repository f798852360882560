//! `corpus rebuild`: what is looked up, made anew from the tables.

use std::path::Path;

use familiar_corpus::Item;
use familiar_source::{BlobId, Language, Occurrence};
use familiar_store::tables::{
    Blobs, Fragments, LicenseFiles, LicenseTexts, Lineages, Occurrences, Projects, TextRow, Texts,
};
use familiar_store::{Corpus, SegmentFiles, StoreError};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::CorpusError;
use crate::memory;
use crate::merge::{self, Merge};
use crate::opening::open_to_derive;
use crate::parse::{Content, Worker};
use crate::segments::Segments;
use familiar_source::Progress;

/// Makes all segments of the corpus in `folder` anew, within `memory` bytes. They count, all of them, when the last is made.
pub fn rebuild(
    folder: &Path,
    threads: usize,
    memory: usize,
    progress: &dyn Progress,
) -> Result<(), CorpusError> {
    let (pool, mut writer, corpus) = open_to_derive(folder, threads)?;
    drop(corpus);
    pool.install(|| merge::merge_parts(folder, &mut writer, Merge::GaveUp, memory, progress))?;
    let corpus = Corpus::open(folder)?;
    let bytes = corpus.manifest().files().filter(|file| file.table == "texts").map(|file| file.bytes).sum();
    progress.stage("rebuilding", bytes);
    for number in corpus.manifest().parts.iter().map(|part| part.number) {
        let mut part = Rebuilding {
            corpus: &corpus,
            number,
            files: writer.new_segments(number)?,
            segments: Segments::new(memory::segment(memory), true),
            memory,
            progress,
        };
        pool.install(|| part.read())?;
        let Rebuilding { mut files, segments, .. } = part;
        pool.install(|| segments.finish(&mut files))?;
        writer.replace_segments(files);
    }
    // Its files count no more.
    drop(corpus);
    Ok(writer.commit()?)
}

/// One part whose segments are made.
struct Rebuilding<'c> {
    corpus: &'c Corpus,
    number: u64,
    files: SegmentFiles,
    segments: Segments,
    memory: usize,
    progress: &'c dyn Progress,
}

impl Rebuilding<'_> {
    fn read(&mut self) -> Result<(), CorpusError> {
        let corpus = self.corpus;
        let (mut batch, mut bytes) = (Vec::new(), 0);
        // Tables hold the blobs of a part in the same order.
        for (row, text) in corpus.rows::<Blobs>(self.number).zip(corpus.rows::<Texts>(self.number)) {
            let (row, text) = (row?, text?);
            if row.blob != text.blob {
                return Err(CorpusError::Rebuild { blob: row.blob, reason: "its text is not the right one" });
            }
            bytes += text.text.len();
            batch.push((Language::from_name(row.language), text));
            if bytes >= familiar_source::memory::batch_budget(self.memory) {
                bytes = 0;
                self.texts(std::mem::take(&mut batch))?;
            }
        }
        self.texts(batch)?;
        let (segments, files) = (&mut self.segments, &mut self.files);
        corpus.try_read::<Occurrences, CorpusError>(self.number, |row| {
            segments.place(row.blob, &row.occurrence, files)
        })?;
        let mut paths = FxHashMap::default();
        corpus.try_read::<LicenseFiles, CorpusError>(self.number, |row| {
            segments.license_file(row.blob, &row.occurrence, files)?;
            paths.entry(row.blob).or_insert(row.occurrence.path);
            Ok(())
        })?;
        corpus.try_read::<LicenseTexts, CorpusError>(self.number, |row| {
            let path = paths.get(&row.blob).map_or("", String::as_str);
            segments.license_text(row.blob, path, &row.text, files)
        })?;
        corpus.try_read::<Lineages, StoreError>(self.number, |row| {
            segments.lineage(&row);
            Ok(())
        })?;
        corpus.try_read::<Projects, StoreError>(self.number, |row| {
            segments.project(&row);
            Ok(())
        })?;
        Ok(())
    }

    fn texts(&mut self, batch: Vec<(Option<Language>, TextRow)>) -> Result<(), CorpusError> {
        let parse = |worker: &mut Worker, (language, row): (Option<Language>, TextRow)| {
            let bytes = row.text.len() as u64;
            let item = Item::new(row.text, language.into(), Occurrence::default());
            (row.blob, bytes, worker.read(row.blob, &item))
        };
        let contents: Vec<(BlobId, u64, Content)> =
            batch.into_par_iter().map_init(|| Worker::new(self.memory), parse).collect();
        for (blob, bytes, content) in contents {
            self.progress.advance(bytes);
            match content {
                Content::Code(code) => {
                    if code.row.gave_up.is_some() && code.fragments.len() < self.fragments(blob)? {
                        return Err(CorpusError::Rebuild { blob, reason: "its functions would be left out" });
                    }
                    self.segments.blob(&code.parts, &mut self.files)?;
                }
                Content::Unreadable(reason) => return Err(CorpusError::Rebuild { blob, reason }),
                Content::NotCode => {
                    return Err(CorpusError::Rebuild { blob, reason: "its language is not known" });
                }
            }
        }
        Ok(())
    }

    /// How many fragments a blob had when it was added.
    fn fragments(&self, blob: BlobId) -> Result<usize, StoreError> {
        let mut count = 0;
        self.corpus.try_read::<Fragments, StoreError>(self.number, |row| {
            count += usize::from(row.blob == blob);
            Ok(())
        })?;
        Ok(count)
    }
}
