//! Files that may be compressed as a whole: gzip, xz, bzip2, zstd.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use familiar_unpack::Compression;

use crate::SourceError;

/// The first bytes of a stream, at most `most`, and the whole stream again.
pub(crate) fn peek<R: Read>(mut reader: R, most: u64) -> io::Result<(Vec<u8>, impl Read + use<R>)> {
    let mut head = Vec::new();
    (&mut reader).take(most).read_to_end(&mut head)?;
    let whole = io::Cursor::new(head.clone()).chain(reader);
    Ok((head, whole))
}

/// Opens a file, and unpacks it while it is read if it is compressed.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>, SourceError> {
    let unreadable = |source| SourceError::Read { path: path.to_owned(), source };
    let file = familiar_files::named::open(path).map_err(unreadable)?;
    let (head, whole) = peek(file, 10).map_err(unreadable)?;
    let whole = BufReader::with_capacity(1 << 16, whole);
    match Compression::of(&head) {
        None => Ok(Box::new(whole)),
        Some(compression) => {
            let unpacked = compression.reader(Box::new(whole)).map_err(unreadable)?;
            Ok(Box::new(BufReader::with_capacity(1 << 16, unpacked)))
        }
    }
}

/// The name of what a compressed file unpacks to; `None` if the name does not say that it is compressed.
pub(crate) fn unpacked_name(name: &str) -> Option<&str> {
    const ENDINGS: [&str; 4] = [".gz", ".xz", ".bz2", ".zst"];
    let (stem, ending) = name.split_at(name.rfind('.')?);
    (!stem.is_empty() && ENDINGS.iter().any(|known| known.eq_ignore_ascii_case(ending))).then_some(stem)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write;

    use super::*;

    pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        writer.write_all(bytes).expect("memory");
        writer.finish().expect("memory")
    }

    pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
        let mut writer = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
        writer.write_all(bytes).expect("memory");
        writer.finish().expect("memory")
    }

    pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
        let options = lzma_rust2::XzOptions::with_preset(1);
        let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).expect("sound options");
        writer.write_all(bytes).expect("memory");
        writer.finish().expect("memory")
    }

    pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
        ::zstd::encode_all(bytes, 1).expect("memory")
    }

    #[test]
    fn every_compression_is_told_by_its_first_bytes_and_undone() {
        let text = b"print(1)\n".repeat(1000);
        for pack in [gzip, bzip2, xz, zstd] {
            let packed = pack(&text);
            let compression = Compression::of(&packed).expect("a known format");
            let mut unpacked = Vec::new();
            let mut reader = compression.reader(Box::new(&packed[..])).expect("a sound stream");
            reader.read_to_end(&mut unpacked).expect("a sound stream");
            assert!(unpacked == text, "{compression:?}");
        }
        assert_eq!(Compression::of(b"BZh9 is how this text starts"), None);
    }

    #[test]
    fn names_lose_their_ending_only_where_it_means_compression() {
        assert_eq!(unpacked_name("a.py.GZ"), Some("a.py"));
        assert_eq!(unpacked_name("a.py"), None);
        assert_eq!(unpacked_name(".gz"), None);
    }
}
