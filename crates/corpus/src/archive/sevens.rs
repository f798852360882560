//! 7z archives.

use std::io::{self, BufReader, Read, Seek};
use std::ops::ControlFlow;
use std::path::Path;

use familiar_source::words::size;
use sevenz_rust2::{Archive, ArchiveEntry, Block, BlockDecoder, EncoderMethod, Password};

use super::format::Format;
use super::unpack::{Container, LINK, Unpacker};
use crate::SourceError;

/// Most memory that a method may ask for its dictionary. 7-Zip's strongest preset asks for 64 MiB.
const DICTIONARY_BYTES: u64 = 1 << 30;

impl Unpacker<'_, '_> {
    pub(super) fn seven_z<R: Read + Seek>(
        &mut self,
        container: &Container,
        mut reader: R,
    ) -> ControlFlow<()> {
        let password = Password::empty();
        let archive = match Archive::read(&mut reader, &password) {
            Ok(archive) => archive,
            Err(error) => return self.failed(&container.path, reason_of(&error)),
        };
        for number in 0..archive.blocks.len() {
            self.seven_z_block(container, &archive, number, &mut reader)?;
        }
        let blocks = &archive.stream_map.file_block_index;
        for (entry, _) in archive.files.iter().zip(blocks).filter(|(_, block)| block.is_none()) {
            self.seven_z_entry(container, entry, &mut io::empty())?;
        }
        ControlFlow::Continue(())
    }

    /// Takes the entries that are compressed together. Where one cannot be read, those after it cannot either.
    fn seven_z_block<R: Read + Seek>(
        &mut self,
        container: &Container,
        archive: &Archive,
        number: usize,
        reader: &mut R,
    ) -> ControlFlow<()> {
        let password = Password::empty();
        let decoder = BlockDecoder::new(1, number, archive, &password, reader);
        let name_of = |entry: &ArchiveEntry| (!entry.is_directory).then(|| entry.name.clone());
        let names: Vec<Option<String>> = decoder.entries().iter().map(name_of).collect();
        let mut seen = 0;
        let mut flow = ControlFlow::Continue(());
        let result = if dictionary(&archive.blocks[number]) > DICTIONARY_BYTES {
            Err(too_much_memory())
        } else {
            let mut each = |entry: &ArchiveEntry, content: &mut dyn Read| {
                seen += 1;
                flow = self.seven_z_entry(container, entry, content);
                Ok(flow.is_continue())
            };
            decoder.for_each_entries(&mut each).map_err(|error| reason_of(&error))
        };
        flow?;
        if let Err(reason) = result {
            for name in names[seen..].iter().flatten() {
                self.failed(&format!("{}{name}", container.prefix), &reason)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn seven_z_entry(
        &mut self,
        container: &Container,
        entry: &ArchiveEntry,
        reader: &mut dyn Read,
    ) -> ControlFlow<()> {
        if entry.is_directory || entry.is_anti_item {
            return ControlFlow::Continue(());
        }
        let Some(path) = self.enter(container, entry.name.as_bytes())? else {
            return ControlFlow::Continue(());
        };
        if is_link(entry) {
            return self.skip(&path, LINK);
        }
        let mut metered = self.budget.meter(reader);
        self.content(path.clone(), time_of(entry), container.depth, &mut metered)?;
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
    let wrong = |reason| SourceError::Format { path: file.to_owned(), reason };
    let mut opened = crate::named::open(file).map_err(unreadable)?;
    if super::format_of(&mut opened, &crate::content::name_of(file)).map_err(unreadable)?
        != Some(Format::SevenZ)
    {
        return Ok(Wanted::NoArchive);
    }
    let mut reader = BufReader::with_capacity(1 << 16, opened);
    let password = Password::empty();
    let archive = Archive::read(&mut reader, &password).map_err(|error| wrong(reason_of(&error)))?;
    for (number, block) in archive.blocks.iter().enumerate() {
        let decoder = BlockDecoder::new(1, number, &archive, &password, &mut reader);
        if !decoder.entries().iter().any(|entry| is_wanted(&entry.name)) {
            continue;
        }
        if dictionary(block) > DICTIONARY_BYTES {
            return Err(wrong(too_much_memory()));
        }
        let mut each = |entry: &ArchiveEntry, content: &mut dyn Read| {
            let wanted = is_wanted(&entry.name);
            if wanted {
                read(content);
            }
            Ok(!wanted)
        };
        decoder.for_each_entries(&mut each).map_err(|error| wrong(reason_of(&error)))?;
        return Ok(Wanted::Read);
    }
    Ok(Wanted::NoEntry)
}

fn too_much_memory() -> String {
    format!("it takes more than {} of memory to unpack", size(DICTIONARY_BYTES))
}

/// The largest dictionary that the block's methods ask for.
fn dictionary(block: &Block) -> u64 {
    let of_coder = |coder: &sevenz_rust2::Coder| match (coder.encoder_method_id(), coder.properties()) {
        (EncoderMethod::ID_LZMA, [_, a, b, c, d, ..]) => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        (EncoderMethod::ID_LZMA2, [bits @ 0..=40, ..]) => {
            u64::from(2 | (bits & 1)) << (u32::from(*bits) / 2 + 11)
        }
        _ => 0,
    };
    block.coders.iter().map(of_coder).max().unwrap_or(0)
}

/// 7-Zip on Unix writes the mode into the upper half of the attributes, and says so with a flag.
fn is_link(entry: &ArchiveEntry) -> bool {
    const UNIX: u32 = 0x8000;
    const KIND: u32 = 0o170_000;
    entry.windows_attributes & UNIX != 0 && (entry.windows_attributes >> 16) & KIND == 0o120_000
}

/// Windows counts tenths of microseconds since 1601.
fn time_of(entry: &ArchiveEntry) -> Option<i64> {
    const SECOND: u64 = 10_000_000;
    const TO_1970: i64 = 11_644_473_600;
    let seconds = i64::try_from(u64::from(entry.last_modified_date) / SECOND).ok()?;
    entry.has_last_modified_date.then_some(seconds - TO_1970)
}

fn reason_of(error: &sevenz_rust2::Error) -> String {
    use sevenz_rust2::Error;
    match error {
        Error::PasswordRequired | Error::MaybeBadPassword(_) => "encrypted".to_owned(),
        Error::UnsupportedCompressionMethod(method) if method.contains("AES") => "encrypted".to_owned(),
        Error::UnsupportedCompressionMethod(method) => format!("unsupported compression method {method}"),
        Error::Io(error, _) => error.to_string(),
        other => format!("damaged 7z archive ({other:?})"),
    }
}
