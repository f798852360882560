//! Reads that stop at a limit.

use std::io::{self, Read};

/// All bytes of `reader`; `None` where there are more than `limit`. At most one byte more than the limit is read.
pub fn read_within(reader: impl Read, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= limit).then_some(bytes))
}

/// Why a piece of content that [`read_within`] refuses is left out.
pub fn too_large(limit: u64) -> String {
    format!("larger than {}, the limit for one file", familiar_source::words::size(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_larger_than_the_limit_is_not_held() {
        assert_eq!(read_within(&b"abc"[..], 3).expect("memory"), Some(b"abc".to_vec()));
        assert_eq!(read_within(&b"abcd"[..], 3).expect("memory"), None);
        assert_eq!(read_within(io::repeat(0), 3).expect("memory"), None);
    }
}
