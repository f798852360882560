//! 7z archives.

use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use familiar_unpack::{Entry, EntryKind, ReadSeek, SevenZ, SevenZError};

use super::format::Format;
use super::unpack::{Container, LINK, Unpacker};
use crate::SourceError;

impl Unpacker<'_, '_> {
    pub(super) fn seven_z(&mut self, container: &Container, reader: &mut dyn ReadSeek) -> ControlFlow<()> {
        let archive = match SevenZ::open(reader) {
            Ok(archive) => archive,
            Err(reason) => return self.failed(&container.path, reason),
        };
        for block in 0..archive.blocks() {
            self.seven_z_block(container, &archive, block, reader)?;
        }
        for entry in archive.empty_entries() {
            self.seven_z_entry(container, &entry, &mut io::empty())?;
        }
        ControlFlow::Continue(())
    }

    /// Takes the entries that are compressed together. Where one cannot be read, those after it cannot either.
    fn seven_z_block(
        &mut self,
        container: &Container,
        archive: &SevenZ,
        block: usize,
        reader: &mut dyn ReadSeek,
    ) -> ControlFlow<()> {
        let entries = archive.entries(block, reader);
        let mut seen = 0;
        let mut flow = ControlFlow::Continue(());
        let result = archive.unpack(block, reader, &mut |entry, content| {
            seen += 1;
            flow = self.seven_z_entry(container, &entry, content);
            flow.is_continue()
        });
        flow?;
        if let Err(reason) = result {
            for entry in entries[seen..].iter().filter(|entry| entry.kind != EntryKind::Other) {
                self.failed(&format!("{}{}", container.prefix, entry.name), &reason)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn seven_z_entry(
        &mut self,
        container: &Container,
        entry: &Entry,
        reader: &mut dyn Read,
    ) -> ControlFlow<()> {
        if entry.kind == EntryKind::Other {
            return ControlFlow::Continue(());
        }
        let Some(path) = self.enter(container, entry.name.as_bytes())? else {
            return ControlFlow::Continue(());
        };
        if entry.kind == EntryKind::Link {
            return self.skip(&path, LINK);
        }
        let mut metered = self.budget.meter(reader);
        self.content(path.clone(), entry.time, container.depth, &mut metered)?;
        // The next entry starts where this one ends: what was left unread is unpacked within the budget.
        match io::copy(&mut metered, &mut io::sink()) {
            Err(error) if self.budget.is_overdrawn() => self.failed(&path, error),
            _ => ControlFlow::Continue(()),
        }
    }
}

/// What [`with_entry_of_seven_z`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    NoArchive,
    NoEntry,
    Read,
}

/// Reads the first entry of a 7z archive that `is_wanted` by its name, without unpacking what comes after it.
pub(crate) fn with_entry_of_seven_z(
    file: &Path,
    is_wanted: &dyn Fn(&str) -> bool,
    read: &mut dyn FnMut(&mut dyn Read),
) -> Result<Wanted, SourceError> {
    let unreadable = |source| SourceError::Read { path: file.to_owned(), source };
    let wrong = |error: SevenZError| SourceError::format(file, error);
    let mut opened = familiar_files::named::open(file).map_err(unreadable)?;
    if super::format_of(&mut opened, &crate::content::name_of(file)).map_err(unreadable)?
        != Some(Format::SevenZ)
    {
        return Ok(Wanted::NoArchive);
    }
    let mut reader = BufReader::with_capacity(1 << 16, opened);
    let archive = SevenZ::open(&mut reader).map_err(wrong)?;
    for block in 0..archive.blocks() {
        if !archive.entries(block, &mut reader).iter().any(|entry| is_wanted(&entry.name)) {
            continue;
        }
        let mut each = |entry: Entry, content: &mut dyn Read| {
            let wanted = is_wanted(&entry.name);
            if wanted {
                read(content);
            }
            !wanted
        };
        archive.unpack(block, &mut reader, &mut each).map_err(wrong)?;
        return Ok(Wanted::Read);
    }
    Ok(Wanted::NoEntry)
}
