//! The name of a blob.

use std::fmt;
use std::str::FromStr;

/// A blob's git object id, SHA-1 over `blob LENGTH\0` and the content; also its SWHID (`swh:1:cnt:` and the hex digits).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobId(pub [u8; 20]);

impl BlobId {
    /// The name by which Software Heritage knows the content.
    pub fn swhid(&self) -> String {
        format!("swh:1:cnt:{self}")
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let digits = self.0.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let mut text = String::with_capacity(2 * self.0.len());
        text.extend(digits.map(|digit| char::from(DIGITS[usize::from(digit)])));
        f.write_str(&text)
    }
}

impl fmt::Debug for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is neither 40 hex digits nor a SWHID of a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidBlobId;

impl FromStr for BlobId {
    type Err = InvalidBlobId;

    fn from_str(text: &str) -> Result<Self, InvalidBlobId> {
        let digits = text.strip_prefix("swh:1:cnt:").unwrap_or(text).as_bytes();
        let digit = |byte: u8| char::from(byte).to_digit(16).ok_or(InvalidBlobId);
        let mut id = [0; 20];
        if digits.len() != 2 * id.len() {
            return Err(InvalidBlobId);
        }
        for (byte, pair) in id.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = (digit(pair[0])? * 16 + digit(pair[1])?) as u8;
        }
        Ok(Self(id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        let id = BlobId(std::array::from_fn(|at| at as u8 * 13));
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(id.swhid().parse(), Ok(id));
        assert_eq!("swh:1:dir:00".parse::<BlobId>(), Err(InvalidBlobId));
        assert_eq!("é".repeat(20).parse::<BlobId>(), Err(InvalidBlobId));
    }
}
