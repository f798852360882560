//! All pairs as one table: `pairs.parquet`.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::content::Release;
use crate::error::DatasetError;
use crate::pair::Pair;

/// Pairs that are encoded together.
const BATCH: usize = 8192;

/// A column: its name, its type, and what it holds of some pairs.
type Column = (&'static str, DataType, fn(&Release<'_>, std::ops::Range<usize>) -> ArrayRef);

const COLUMNS: [Column; 19] = [
    ("id", DataType::Utf8, |r, at| texts(r, at, |pair| Some(pair.id.clone()))),
    ("seed_id", DataType::Utf8, |r, at| texts(r, at, |pair| Some(pair.seed_id.clone()))),
    ("prompt", DataType::Utf8, |r, at| texts(r, at, |pair| Some(pair.prompt.clone()))),
    ("lang1", DataType::Utf8, |r, at| texts(r, at, |pair| Some(pair.lang1.clone()))),
    ("lang2", DataType::Utf8, |r, at| texts(r, at, |pair| Some(pair.lang2.clone()))),
    ("code1", DataType::Utf8, |r, at| texts(r, at, |pair| Some(pair.code1.clone()))),
    ("code2", DataType::Utf8, |r, at| texts(r, at, |pair| Some(pair.code2.clone()))),
    ("kind", DataType::Utf8, |r, at| texts(r, at, |pair| Some(pair.band.name().to_owned()))),
    ("lines", DataType::Float64, |r, at| numbers(r, at, |pair| pair.lines)),
    ("tokens", DataType::Float64, |r, at| numbers(r, at, |pair| pair.tokens)),
    ("syntactic", DataType::Float64, |r, at| numbers(r, at, |pair| pair.syntactic)),
    ("semantic", DataType::Float64, |r, at| numbers(r, at, |pair| pair.semantic)),
    ("short", DataType::Boolean, |r, at| {
        Arc::new(r.pairs[at].iter().map(|pair| Some(pair.short)).collect::<BooleanArray>())
    }),
    ("found_in", DataType::Utf8, |r, at| {
        texts(r, at, |pair| pair.contamination.as_ref().map(|it| format!("{}/{}", it.project, it.path)))
    }),
    ("seed_license", DataType::Utf8, |r, at| {
        let license = |pair: &Pair| r.seeds.get(&pair.seed_id).and_then(|seed| seed.license.clone());
        Arc::new(r.pairs[at].iter().map(license).collect::<StringArray>())
    }),
    ("seed_origin", DataType::Utf8, |r, at| {
        let origin = |pair: &Pair| {
            let origin = r.seeds.get(&pair.seed_id).and_then(|seed| seed.origin.as_ref());
            origin.map(|it| format!("{}/{}:{}", it.project, it.path, it.line))
        };
        Arc::new(r.pairs[at].iter().map(origin).collect::<StringArray>())
    }),
    ("judged", DataType::Boolean, |r, at| {
        let judged = |pair: &Pair| r.judged.verdict(&pair.id);
        Arc::new(r.pairs[at].iter().map(judged).collect::<BooleanArray>())
    }),
    ("tested", DataType::Utf8, |r, at| Arc::new(r.tested[at].iter().cloned().collect::<StringArray>())),
    ("split", DataType::Utf8, |r, at| {
        Arc::new(r.splits[at].iter().map(|split| Some(split.name())).collect::<StringArray>())
    }),
];

fn texts(release: &Release<'_>, at: std::ops::Range<usize>, of: fn(&Pair) -> Option<String>) -> ArrayRef {
    Arc::new(release.pairs[at].iter().map(of).collect::<StringArray>())
}

fn numbers(release: &Release<'_>, at: std::ops::Range<usize>, of: fn(&Pair) -> Option<f64>) -> ArrayRef {
    Arc::new(release.pairs[at].iter().map(of).collect::<Float64Array>())
}

pub(super) fn write(release: &Release<'_>, folder: &Path) -> Result<(), DatasetError> {
    let path = folder.join("pairs.parquet");
    let file = File::create(&path).map_err(|source| DatasetError::Write { path: path.clone(), source })?;
    encoded(release, file).map_err(|source| DatasetError::Parquet { path, source })
}

fn encoded(release: &Release<'_>, file: File) -> Result<(), ParquetError> {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(format!("familiar {}", env!("CARGO_PKG_VERSION")))
        .build();
    let fields: Vec<Field> =
        COLUMNS.iter().map(|(name, kind, _)| Field::new(*name, kind.clone(), true)).collect();
    let schema = Arc::new(Schema::new(fields));
    let mut writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties))?;
    for start in (0..release.pairs.len()).step_by(BATCH) {
        let at = start..(start + BATCH).min(release.pairs.len());
        let columns = COLUMNS.iter().map(|(_, _, of)| of(release, at.clone())).collect();
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns);
        writer.write(&batch.map_err(|error| ParquetError::ArrowError(error.to_string()))?)?;
    }
    writer.close().map(|_| ())
}
