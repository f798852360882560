//! Zip archives.
//!
//! The directory at the end says what the archive holds; it is read entry by entry, so that names may repeat and
//! millions of entries need no memory. Where it is missing, the archive was cut off: then the entries are read one
//! after another as far as they go.

use std::borrow::Cow;
use std::io::{BufReader, Read, Seek};
use std::ops::ControlFlow;

use familiar_source::time::seconds_at;
use zip::ZipReadOptions;
use zip::extra_fields::ExtraField;
use zip::read::{Config, ZipFile, ZipFileEntry, read_zipfile_from_stream};
use zip::unstable::read::ZipIterable;

use super::unpack::{Container, LINK, Unpacker};

impl Unpacker<'_, '_> {
    pub(super) fn zip<R: Read + Seek>(&mut self, container: &Container, mut reader: R) -> ControlFlow<()> {
        let mut archive = match ZipIterable::try_new(&mut reader, Config::default()) {
            Ok(archive) => archive,
            Err(error) => {
                self.failed(
                    &container.path,
                    format!("{error}; read without the directory at its end, as far as that goes"),
                )?;
                return self.zip_without_directory(container, reader);
            }
        };
        let files = match archive.files() {
            Ok(files) => files,
            Err(error) => return self.failed(&container.path, error),
        };
        while let Some(entry) = files.next() {
            match entry {
                Ok(entry) => self.zip_entry(container, entry, files.reader_mut())?,
                Err(error) => self.failed(&container.path, error)?,
            }
        }
        ControlFlow::Continue(())
    }

    fn zip_entry<R: Read + Seek>(
        &mut self,
        container: &Container,
        entry: ZipFileEntry<'_>,
        reader: &mut R,
    ) -> ControlFlow<()> {
        let name = with_slashes(entry.name_raw());
        if entry.is_dir() || name.ends_with(b"/") {
            return ControlFlow::Continue(());
        }
        let Some(path) = self.enter(container, &name)? else { return ControlFlow::Continue(()) };
        let reason = reason_of(entry.encrypted(), entry.unix_mode());
        match reason {
            Some(ENCRYPTED) => self.failed(&path, ENCRYPTED),
            Some(reason) => self.skip(&path, reason),
            None => match entry.with_reader(reader, ZipReadOptions::default()) {
                Ok(file) => self.zip_file(container, path, file),
                Err(error) => self.failed(&path, error),
            },
        }
    }

    fn zip_file<R: Read>(
        &mut self,
        container: &Container,
        path: String,
        file: ZipFile<'_, R>,
    ) -> ControlFlow<()> {
        let time = time_of(&file);
        let mut metered = self.budget.meter(file);
        self.content(path, time, container.depth, &mut metered)
    }

    /// Reads entries one after another from the start.
    fn zip_without_directory<R: Read + Seek>(
        &mut self,
        container: &Container,
        mut reader: R,
    ) -> ControlFlow<()> {
        if let Err(error) = reader.rewind() {
            return self.failed(&container.path, error);
        }
        let mut reader = BufReader::new(reader);
        loop {
            let file = match read_zipfile_from_stream(&mut reader) {
                Ok(Some(file)) => file,
                Ok(None) => return ControlFlow::Continue(()),
                Err(error) => return self.failed(&container.path, error),
            };
            let name = with_slashes(file.name_raw());
            if file.is_dir() || name.ends_with(b"/") {
                continue;
            }
            let Some(path) = self.enter(container, &name)? else { continue };
            match reason_of(file.encrypted(), file.unix_mode()) {
                Some(ENCRYPTED) => self.failed(&path, ENCRYPTED)?,
                Some(reason) => self.skip(&path, reason)?,
                None => self.zip_file(container, path, file)?,
            }
        }
    }
}

/// A name in which folders end with `/`. Some programs write `\\` instead, against the format.
fn with_slashes(name: &[u8]) -> Cow<'_, [u8]> {
    if name.contains(&b'/') || !name.contains(&b'\\') {
        return name.into();
    }
    name.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }).collect::<Vec<u8>>().into()
}

/// Why an entry is not read.
const ENCRYPTED: &str = "encrypted";

fn reason_of(encrypted: bool, mode: Option<u32>) -> Option<&'static str> {
    const KIND: u32 = 0o170_000;
    match mode.map_or(0, |mode| mode & KIND) {
        0o120_000 => Some(LINK),
        0 | 0o100_000 if encrypted => Some(ENCRYPTED),
        0 | 0o100_000 => None,
        _ => Some("not a regular file"),
    }
}

/// The entry's time of change; where only MS-DOS's is there, which has no time zone, it is taken for UTC.
fn time_of<R: Read>(file: &ZipFile<'_, R>) -> Option<i64> {
    let exact = file.extra_data_fields().find_map(|field| match field {
        ExtraField::ExtendedTimestamp(times) => times.mod_time().map(i64::from),
        _ => None,
    });
    exact.or_else(|| {
        let time = file.last_modified()?;
        let date = (i64::from(time.year()), u32::from(time.month()), u32::from(time.day()));
        seconds_at(date, (u32::from(time.hour()), u32::from(time.minute()), u32::from(time.second())))
    })
}
