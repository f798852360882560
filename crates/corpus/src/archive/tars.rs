//! Tar archives: old, ustar, GNU and pax.

use std::io::{self, Read};
use std::ops::ControlFlow;

use familiar_source::words::size;

use super::unpack::{Container, LINK, Unpacker};
use crate::budget::Budget;

/// Most bytes of the headers of one entry; long names and extended headers are held in memory.
const HEADER_BYTES: u64 = 1 << 20;

impl Unpacker<'_, '_> {
    /// Reads a tar archive from a reader that draws on the budget already.
    pub(super) fn tar(&mut self, container: &Container, reader: &mut dyn Read) -> ControlFlow<()> {
        let headers = Budget::new(HEADER_BYTES);
        let mut archive = tar::Archive::new(headers.meter(reader));
        let mut entries = match archive.entries() {
            Ok(entries) => entries,
            Err(error) => return self.failed(&container.path, error),
        };
        let mut unread = 0;
        loop {
            headers.grant(HEADER_BYTES.saturating_add(unread));
            let mut entry = match entries.next() {
                None => break,
                Some(Ok(entry)) => entry,
                Some(Err(_)) if headers.is_overdrawn() => {
                    let reason = format!(
                        "the headers of an entry are larger than {}; the rest was not read",
                        size(HEADER_BYTES)
                    );
                    return self.skip(&container.path, reason);
                }
                Some(Err(error)) => return self.failed(&container.path, error),
            };
            headers.grant(u64::MAX);
            unread = self.tar_entry(container, &mut entry)?;
        }
        headers.grant(u64::MAX);
        self.tar_rest(container, &mut archive.into_inner())
    }

    /// Reads what comes after the end of the archive: a compressed stream has its checksum there, and a second archive
    /// behind the first must not be lost silently.
    fn tar_rest(&mut self, container: &Container, reader: &mut dyn Read) -> ControlFlow<()> {
        let mut buffer = [0; 1 << 13];
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return ControlFlow::Continue(()),
                Ok(read) if buffer[..read].iter().all(|&byte| byte == 0) => {}
                Ok(_) => {
                    return self.skip(
                        &container.path,
                        "there is more after the end of the archive, which was not read",
                    );
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return self.failed(&container.path, error),
            }
        }
    }

    /// Takes an entry; how many of its bytes are left to pass over.
    fn tar_entry<R: Read>(
        &mut self,
        container: &Container,
        entry: &mut tar::Entry<'_, R>,
    ) -> ControlFlow<(), u64> {
        let kind = entry.header().entry_type();
        let stored = entry.header().entry_size().unwrap_or(0).max(entry.size());
        if kind.is_dir() || kind.is_pax_global_extensions() {
            return ControlFlow::Continue(stored);
        }
        let sparse = sparse_name(entry);
        let is_sparse = sparse.is_some();
        let name = sparse.unwrap_or_else(|| entry.path_bytes().into_owned());
        let Some(path) = self.enter(container, &name)? else { return ControlFlow::Continue(stored) };
        if is_sparse {
            self.skip(&path, SPARSE)?;
            return ControlFlow::Continue(stored);
        }
        if !(kind.is_file() || kind.is_contiguous()) {
            self.skip(&path, reason_of(kind))?;
            // What a sparse file says of its size is not what it takes up.
            let stored = entry.header().entry_size().unwrap_or(0);
            return ControlFlow::Continue(stored);
        }
        let time = entry.header().mtime().ok().and_then(|time| i64::try_from(time).ok());
        let mut whole = Whole { left: entry.size(), reader: &mut *entry };
        self.content(path, time, container.depth, &mut whole)?;
        match io::copy(entry, &mut io::sink()) {
            Ok(_) => ControlFlow::Continue(0),
            Err(error) => {
                self.failed(&container.path, error)?;
                ControlFlow::Continue(0)
            }
        }
    }
}

const SPARSE: &str = "sparse file";

/// The name of a file of which pax headers say that holes are left out of its content; the name of the entry is made up.
fn sparse_name<R: Read>(entry: &mut tar::Entry<'_, R>) -> Option<Vec<u8>> {
    let name = entry.path_bytes().into_owned();
    let headers = entry.pax_extensions().ok()??;
    let sparse: Vec<_> =
        headers.flatten().filter(|header| header.key_bytes().starts_with(b"GNU.sparse.")).collect();
    let told = sparse.iter().find(|header| header.key_bytes() == b"GNU.sparse.name");
    (!sparse.is_empty()).then(|| told.map_or(name, |header| header.value_bytes().to_vec()))
}

fn reason_of(kind: tar::EntryType) -> &'static str {
    match kind {
        _ if kind.is_symlink() => LINK,
        _ if kind.is_hard_link() => "hard link, not followed",
        _ if kind.is_gnu_sparse() => SPARSE,
        _ => "not a regular file",
    }
}

/// A reader of a known length that fails where the content ends early.
struct Whole<R> {
    reader: R,
    left: u64,
}

impl<R: Read> Read for Whole<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        if read == 0 && self.left > 0 && !buffer.is_empty() {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the archive ends within this file"));
        }
        self.left = self.left.saturating_sub(read as u64);
        Ok(read)
    }
}
