//! Archives as a source of code: zip and its kin (wheels, eggs, jars, wars, NuGet, Android), tar, 7z, and files or tar
//! archives compressed with gzip, xz, bzip2 or zstd.
//!
//! The first bytes tell the format, not the name. An archive inside an archive is unpacked too; what it holds has its
//! path in front: `lib.jar/inner/a.py`. A file that is compressed by itself keeps its name without the compression's
//! ending. Nothing is written to disk, except a temporary file without a name where a large inner archive must be read
//! out of order. What cannot be read is a skip, and everything else stays: entries that are encrypted, damaged or cut
//! off, links, devices, and names that lead out of the archive.
//!
//! What an archive says of its sizes is not believed: the limits count what is really unpacked, at every level.

mod format;
mod sevens;
mod tars;
mod unpack;
mod zips;

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use format::{Format, HEAD};
use unpack::Unpacker;

pub(crate) use sevens::{Wanted, with_entry_of_seven_z};

use crate::content::name_of;
use crate::tree::seconds;
use crate::{Limits, Sink, Source, SourceError};
use familiar_files::dir::PathFilter;
use familiar_files::named;

/// An archive file. The project is its name without the endings of archives, the time of an item when the archive says
/// that it was last changed; times that tools set for the sake of reproducible archives count as none.
#[derive(Clone, Debug)]
pub struct Archive {
    pub file: PathBuf,
    /// Globs of paths in it that are left out.
    pub exclude: Vec<String>,
}

impl Archive {
    /// Whether the first bytes of a file, or its name where a program stands in front, are those of an archive.
    pub fn is_archive(path: &Path) -> io::Result<bool> {
        Ok(format_of(&mut named::open(path)?, &name_of(path))?.is_some())
    }
}

/// The project that the content of the archive at `path` belongs to.
pub(crate) fn project_of(path: &Path) -> String {
    format::without_endings(&name_of(path)).to_owned()
}

impl Source for Archive {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        let unreadable = |source| SourceError::Read { path: self.file.clone(), source };
        let file = named::open(&self.file).map_err(unreadable)?;
        let time = file.metadata().map_err(unreadable)?.modified().ok().and_then(seconds);
        let open = Open { file, name: name_of(&self.file), project: project_of(&self.file), time };
        open.read_without(PathFilter::new(&self.exclude)?, limits, sink).map_err(|error| match error {
            ArchiveError::Read(source) => unreadable(source),
            error => SourceError::format(&self.file, error),
        })
    }

    fn exclude(&self) -> &[String] {
        &self.exclude
    }
}

/// Why a file cannot be read as an archive.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArchiveError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error("it is not an archive of a known kind (zip, tar, 7z, gzip, xz, bzip2, zstd)")]
    Unknown,
    #[error("nothing in this archive can be read: {reason}")]
    Nothing { reason: String },
}

/// An archive that is open already, under a name of its own.
pub(crate) struct Open {
    pub(crate) file: File,
    pub(crate) name: String,
    pub(crate) project: String,
    /// When the file was last changed; counts where the archive is one compressed file.
    pub(crate) time: Option<i64>,
}

impl Open {
    /// Reads what is in it. An error where none of it can be read.
    pub(crate) fn read(self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), ArchiveError> {
        self.read_without(PathFilter::default(), limits, sink)
    }

    /// The same without the paths that are left out.
    fn read_without(
        mut self,
        left_out: PathFilter,
        limits: &Limits,
        sink: &mut Sink<'_>,
    ) -> Result<(), ArchiveError> {
        let format = format_of(&mut self.file, &self.name)?.ok_or(ArchiveError::Unknown)?;
        let mut unpacker = Unpacker::new(self.project, left_out, limits, sink);
        // Whoever ends the reading knows why: the sink asked for it, or a skip says which limit was met.
        let _ended = unpacker.outermost(format, self.name, self.file, self.time);
        unpacker.failure().map_or(Ok(()), |reason| Err(ArchiveError::Nothing { reason }))
    }
}

/// The format of an open file, which stands at its start afterwards.
fn format_of(file: &mut File, name: &str) -> io::Result<Option<Format>> {
    let mut head = Vec::new();
    file.take(HEAD).read_to_end(&mut head)?;
    file.rewind()?;
    Ok(Format::of(&head).or_else(|| Format::of_name(name)))
}

#[cfg(test)]
mod tests;
