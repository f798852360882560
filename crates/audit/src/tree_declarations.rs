//! What the declaring files of a tree, and those above it, say of its files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use familiar_files::Document;
use familiar_license::infer::{Declared, declares};
use familiar_license::{Declarations, Detector, Layer};
use familiar_source::words;
use rayon::prelude::*;

use crate::surroundings::Surroundings;

/// Larger files are data; a license that they hold stands in few of their lines.
pub(crate) const MAX_FILE_BYTES: u64 = 32 << 20;

/// Why the bytes of a file cannot be had.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    #[error("not a regular file")]
    NoFile,
    #[error("larger than {}, the limit for one file", words::size(*.0))]
    TooLarge(u64),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads what a tree's documents and the files above it declare; of files of more than `most` bytes, that they cannot be read.
pub(crate) fn declarations<'d>(
    documents: impl Iterator<Item = &'d Document>,
    surroundings: &Surroundings,
    most: u64,
) -> Declarations {
    let below =
        documents.map(|document| (surroundings.whole(document.path.as_str()), document.file.as_path()));
    let outside = surroundings.files.iter().map(|(path, file)| (path.clone(), file.as_path()));
    let files: Vec<(String, &Path)> = below.chain(outside).filter(|(path, _)| declares(path)).collect();
    let detector = Detector::embedded();
    // A pipe or a device may never end.
    let of_file = |file: &Path| if file.is_file() { read(file, most) } else { Err(ReadError::NoFile) };
    let declared = files.par_iter().map(|(path, file)| match of_file(file) {
        Ok(bytes) => Declared::read(path, &bytes, detector),
        Err(error) => Declared::unreadable(path, &error.to_string()),
    });
    Declarations::of(declared.collect::<Vec<_>>(), detector)
}

/// What is declared of the file at `path` below the named folder, with paths from there.
pub(crate) fn layers(declarations: &Declarations, surroundings: &Surroundings, path: &str) -> Vec<Layer> {
    let mut layers = declarations.layers(&surroundings.whole(path));
    for layer in &mut layers {
        layer.path = layer.path.take().map(|path| surroundings.relative(&path));
    }
    layers
}

/// The declaring files that cannot be read, as a whole or in part, by their paths from the named folder, and why.
pub(crate) fn unreadable(
    declarations: &Declarations,
    surroundings: &Surroundings,
) -> impl Iterator<Item = (String, String)> {
    declarations.unreadable().iter().map(|(path, reason)| (surroundings.relative(path), reason.clone()))
}

/// The bytes of a file of at most `most`.
pub(crate) fn read(file: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    File::open(file)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(ReadError::TooLarge(most)) } else { Ok(bytes) }
}
