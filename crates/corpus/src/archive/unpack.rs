//! Archives to items, whatever their format: what becomes of each entry, and what bounds the whole.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::ops::ControlFlow;

use familiar_source::words::{counted, size};
use familiar_unpack::Compression;
use tempfile::SpooledTempFile;

use super::format::{Format, HEAD};
use crate::budget::Budget;
use crate::compressed::{peek, unpacked_name};
use crate::content::file;
use crate::{Found, Limits, Sink};
use familiar_files::bounded::{read_within, too_large};
use familiar_files::dir::PathFilter;
use familiar_files::percent_encoded;

/// An archive inside an archive is kept in memory up to this size if it must be read out of order, and in a
/// temporary file without a name beyond it.
const IN_MEMORY: usize = 16 << 20;

/// Why a link is no content.
pub(super) const LINK: &str = "symbolic link, not followed";

/// An archive that is being read.
pub(crate) struct Container {
    /// Its path, for skips that are about the whole of it.
    pub(crate) path: String,
    /// What stands before the paths of its entries.
    pub(crate) prefix: String,
    /// How many archives it stands in.
    pub(crate) depth: u32,
}

/// Reads archives into a sink. A [`ControlFlow::Break`] of any function means that the reading is over: the sink asked
/// for it, or a bound on the whole was met and a skip says so.
pub(crate) struct Unpacker<'u, 's> {
    project: String,
    left_out: PathFilter,
    limits: &'u Limits,
    sink: &'u mut Sink<'s>,
    pub(super) budget: Budget,
    entries: u64,
    /// Whether any content could be given.
    gave: bool,
    /// Why something could not be read, the first of such reasons.
    broken: Option<String>,
}

impl<'u, 's> Unpacker<'u, 's> {
    pub(crate) fn new(
        project: String,
        left_out: PathFilter,
        limits: &'u Limits,
        sink: &'u mut Sink<'s>,
    ) -> Self {
        let budget = Budget::new(limits.archive_bytes);
        Self { project, left_out, limits, sink, budget, entries: 0, gave: false, broken: None }
    }

    /// Unpacks an archive that is a file. Its entries have their own paths, without its name in front.
    pub(crate) fn outermost(
        &mut self,
        format: Format,
        name: String,
        file: File,
        time: Option<i64>,
    ) -> ControlFlow<()> {
        let container = Container { path: name, prefix: String::new(), depth: 0 };
        let mut file = BufReader::with_capacity(1 << 16, file);
        match format {
            Format::Zip => self.zip(&container, file),
            Format::SevenZ => self.seven_z(&container, &mut file),
            Format::Tar => {
                let mut metered = self.budget.meter(file);
                self.tar(&container, &mut metered)
            }
            Format::Compressed(compression) => self.compressed(compression, &container, &mut file, time),
        }
    }

    /// Why nothing at all could be read, where that is so.
    pub(crate) fn failure(self) -> Option<String> {
        self.broken.filter(|_| !self.gave)
    }

    /// Counts an entry of `container` and checks its name. The outer `Break` ends the reading, an inner `None` passes
    /// over the entry.
    pub(super) fn enter(&mut self, container: &Container, name: &[u8]) -> ControlFlow<(), Option<String>> {
        self.entries += 1;
        if self.entries > self.limits.archive_entries {
            let most = self.limits.archive_entries;
            self.skip(
                &container.path,
                format!("the archive has more than {}, the limit for one archive", counted(most, "entry")),
            )?;
            return ControlFlow::Break(());
        }
        match plain_path(name) {
            Ok(path) => {
                let path = format!("{}{path}", container.prefix);
                let is_out = self.left_out.leaves_out(&path);
                // It is not there for whoever left it out, which is no failure.
                self.gave |= is_out;
                ControlFlow::Continue(Some(path).filter(|_| !is_out))
            }
            Err(reason) => {
                self.skip(&format!("{}{}", container.prefix, percent_encoded(name)), reason)?;
                ControlFlow::Continue(None)
            }
        }
    }

    /// Takes one entry: an archive is unpacked in its turn, everything else is an item. The reader draws on the budget
    /// already.
    pub(super) fn content(
        &mut self,
        path: String,
        time: Option<i64>,
        depth: u32,
        reader: &mut dyn Read,
    ) -> ControlFlow<()> {
        let (head, mut whole) = match peek(reader, HEAD) {
            Ok(peeked) => peeked,
            Err(error) => return self.failed(&path, error),
        };
        match Format::of(&head) {
            Some(_) if depth >= self.limits.archive_depth => {
                let reason = match self.limits.archive_depth {
                    0 => "an archive inside the archive, not read".to_owned(),
                    most => format!("archives inside archives, more than {most} deep, which is the limit"),
                };
                self.skip(&path, reason)
            }
            Some(format) => {
                let container = Container { prefix: format!("{path}/"), path, depth: depth + 1 };
                self.inner(format, &container, &mut whole, time)
            }
            None => self.item(path, time, &mut whole),
        }
    }

    fn item(&mut self, path: String, time: Option<i64>, reader: &mut dyn Read) -> ControlFlow<()> {
        match read_within(reader, self.limits.item_bytes) {
            Ok(Some(bytes)) => {
                self.gave = true;
                (self.sink)(file(&self.project, path, bytes, time))
            }
            Ok(None) => self.skip(&path, too_large(self.limits.item_bytes)),
            Err(error) => self.failed(&path, error),
        }
    }

    fn inner(
        &mut self,
        format: Format,
        container: &Container,
        reader: &mut dyn Read,
        time: Option<i64>,
    ) -> ControlFlow<()> {
        match format {
            Format::Tar => self.tar(container, reader),
            Format::Compressed(compression) => self.compressed(compression, container, reader, time),
            Format::Zip | Format::SevenZ => match spooled(reader) {
                Err(error) => self.failed(&container.path, error),
                Ok(spooled) if format == Format::Zip => self.zip(container, spooled),
                Ok(mut spooled) => self.seven_z(container, &mut spooled),
            },
        }
    }

    /// Unpacks a stream that is compressed as a whole: a tar archive, or one file that keeps the name without the
    /// compression's ending.
    fn compressed(
        &mut self,
        compression: Compression,
        container: &Container,
        reader: &mut dyn Read,
        time: Option<i64>,
    ) -> ControlFlow<()> {
        let peeked = compression
            .reader(Box::new(BufReader::with_capacity(1 << 16, reader)))
            .and_then(|unpacked| peek(self.budget.meter(unpacked), HEAD));
        let (head, mut whole) = match peeked {
            Ok(peeked) => peeked,
            Err(error) => return self.failed(&container.path, error),
        };
        if Format::of(&head) == Some(Format::Tar) {
            return self.tar(container, &mut whole);
        }
        let path = unpacked_name(&container.path).unwrap_or(&container.path).to_owned();
        self.content(path, time, container.depth, &mut whole)
    }

    pub(super) fn skip(&mut self, path: &str, reason: impl Into<String>) -> ControlFlow<()> {
        (self.sink)(Found::Skip { path: path.to_owned(), reason: reason.into() })
    }

    /// Something could not be read: a skip of its own, or the end if it is the budget that is used up.
    pub(super) fn failed(&mut self, path: &str, error: impl std::fmt::Display) -> ControlFlow<()> {
        if self.budget.is_overdrawn() {
            let most = self.limits.archive_bytes;
            self.skip(
                path,
                format!("the archive unpacks to more than {}, the limit for one archive", size(most)),
            )?;
            return ControlFlow::Break(());
        }
        let reason = error.to_string();
        self.broken.get_or_insert_with(|| reason.clone());
        self.skip(path, reason)
    }
}

/// The content where it can be read in any order.
fn spooled(reader: &mut dyn Read) -> io::Result<SpooledTempFile> {
    let mut spooled = SpooledTempFile::new(IN_MEMORY);
    io::copy(reader, &mut spooled)?;
    spooled.rewind()?;
    Ok(spooled)
}

/// An entry's name as a path below the archive, or why it is none.
fn plain_path(name: &[u8]) -> Result<String, &'static str> {
    let text = percent_encoded(name);
    let drive = text.as_bytes().get(1..3).is_some_and(|two| matches!(two, b":/" | b":\\"));
    if drive || text.starts_with(['/', '\\']) {
        return Err("its path is absolute");
    }
    if text.split(['/', '\\']).any(|part| part == "..") {
        return Err("its path leads out of the archive");
    }
    let parts: Vec<&str> = text.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    if parts.is_empty() { Err("it has no name") } else { Ok(parts.join("/")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_paths_or_refused() {
        assert_eq!(plain_path(b"./a//b.py").as_deref(), Ok("a/b.py"));
        assert_eq!(plain_path(b"a\xff.py").as_deref(), Ok("a%FF.py"));
        assert_eq!(plain_path(b"a..b/c").as_deref(), Ok("a..b/c"));
        for bad in ["/etc/passwd", "C:\\a", "c:/a", "\\\\host\\a", "a/../../b", "a\\..\\b", "", "./"] {
            assert!(plain_path(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
