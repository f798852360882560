//! Streams that are compressed as a whole: gzip, xz, bzip2, zstd.
//!
//! The first bytes decide the format, never a name. Several members one after another are one stream.

use std::io::{self, BufRead, Read};

/// Most memory that an xz stream may ask for; `xz -9` asks for 65 MiB.
const XZ_MEMORY_KIB: u32 = 1 << 20;

/// How a stream is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    Gzip,
    Xz,
    Bzip2,
    Zstd,
}

impl Compression {
    /// Tells from the first bytes of a stream, of which ten are enough.
    pub fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, 8, ..] => Some(Self::Gzip),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] => {
                let starts = [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]];
                starts.iter().any(|start| rest.starts_with(start)).then_some(Self::Bzip2)
            }
            _ => None,
        }
    }

    /// What the stream unpacks to.
    ///
    /// # Errors
    /// A decoder cannot be made, for want of memory. What is wrong with the stream shows when it is read.
    pub fn reader<'r>(self, packed: Box<dyn BufRead + 'r>) -> io::Result<Box<dyn Read + 'r>> {
        Ok(match self {
            Self::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(packed)),
            Self::Xz => Box::new(lzma_rust2::XzReader::new_mem_limit(packed, true, XZ_MEMORY_KIB)),
            Self::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(packed)),
            Self::Zstd => Box::new(zstd::Decoder::with_buffer(packed)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn two_members_are_one_stream() {
        let mut packed = Vec::new();
        for part in ["one ", "two"] {
            let mut writer = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::fast());
            writer.write_all(part.as_bytes()).expect("memory");
        }
        let compression = Compression::of(&packed).expect("gzip");
        let mut unpacked = String::new();
        let mut reader = compression.reader(Box::new(packed.as_slice())).expect("memory");
        reader.read_to_string(&mut unpacked).expect("sound");
        assert_eq!((compression, unpacked.as_str()), (Compression::Gzip, "one two"));
    }

    #[test]
    fn words_that_look_like_a_head_are_no_head() {
        for text in [&b"BZh9 is how bzip2 starts"[..], b"PK", b"\x1f\x8b", b""] {
            assert_eq!(Compression::of(text), None);
        }
    }
}
