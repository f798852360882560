//! What an index says of a file's content.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

/// The hash that a file must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Checksum {
    kind: Kind,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sha512,
    Sha256,
    Sha1,
}

/// The kinds, from the strongest, with the bytes of each.
const KINDS: [(&str, Kind, usize); 3] =
    [("sha512", Kind::Sha512, 64), ("sha256", Kind::Sha256, 32), ("sha1", Kind::Sha1, 20)];

impl Checksum {
    /// Of a kind's name and hexadecimal digits; `None` if the kind is not known or the digits are not as many as it has.
    pub(crate) fn hex(name: &str, digits: &str) -> Option<Self> {
        let &(_, kind, length) = KINDS.iter().find(|(known, _, _)| *known == name)?;
        if digits.len() != 2 * length || !digits.is_ascii() {
            return None;
        }
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
        let bytes = (0..digits.len()).step_by(2).map(byte).collect::<Option<_>>()?;
        Some(Self { kind, bytes })
    }

    /// Of Subresource Integrity, `sha512-BASE64 sha1-BASE64`: the strongest that is known.
    pub(crate) fn integrity(text: &str) -> Option<Self> {
        KINDS.iter().find_map(|&(name, kind, length)| {
            let encoded =
                text.split_ascii_whitespace().find_map(|one| one.strip_prefix(name)?.strip_prefix('-'));
            let encoded = encoded?.split('?').next()?;
            let bytes = STANDARD.decode(encoded).ok().filter(|bytes| bytes.len() == length)?;
            Some(Self { kind, bytes })
        })
    }
}

/// Hashes what goes by and compares it with what it should be; without a checksum everything is right.
pub(crate) struct Verifier {
    expected: Option<Checksum>,
    hash: Hash,
}

enum Hash {
    None,
    Sha512(Box<Sha512>),
    Sha256(Sha256),
    Sha1(Sha1),
}

impl Verifier {
    pub(crate) fn new(expected: Option<&Checksum>) -> Self {
        let hash = match expected.map(|checksum| checksum.kind) {
            None => Hash::None,
            Some(Kind::Sha512) => Hash::Sha512(Box::default()),
            Some(Kind::Sha256) => Hash::Sha256(Sha256::new()),
            Some(Kind::Sha1) => Hash::Sha1(Sha1::new()),
        };
        Self { expected: expected.cloned(), hash }
    }

    pub(crate) fn update(&mut self, bytes: &[u8]) {
        match &mut self.hash {
            Hash::None => {}
            Hash::Sha512(hash) => hash.update(bytes),
            Hash::Sha256(hash) => hash.update(bytes),
            Hash::Sha1(hash) => hash.update(bytes),
        }
    }

    /// Whether everything that went by is as it should be.
    pub(crate) fn finish(self) -> bool {
        let bytes = match self.hash {
            Hash::None => return true,
            Hash::Sha512(hash) => hash.finalize().to_vec(),
            Hash::Sha256(hash) => hash.finalize().to_vec(),
            Hash::Sha1(hash) => hash.finalize().to_vec(),
        };
        self.expected.is_some_and(|expected| expected.bytes == bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn content_is_compared_with_the_strongest_hash() {
        let right = |checksum: &Checksum, bytes: &[u8]| {
            let mut verifier = Verifier::new(Some(checksum));
            verifier.update(bytes);
            verifier.finish()
        };
        let sha256 = Checksum::hex("sha256", ABC).expect("64 digits");
        assert!(right(&sha256, b"abc") && !right(&sha256, b"abd"));
        let both = "sha1-qZk+NkcGgWq6PiVxeFDCbJzQ2J0= sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
        assert_eq!(Checksum::integrity(both), Some(sha256));
        let sha1 = Checksum::integrity("sha1-qZk+NkcGgWq6PiVxeFDCbJzQ2J0=").expect("28 characters");
        assert!(right(&sha1, b"abc") && !right(&sha1, b"abd"));
    }

    #[test]
    fn what_is_no_hash_is_none() {
        for (name, digits) in [("md5", ABC), ("sha256", "ba78"), ("sha256", ""), ("sha1", ABC)] {
            assert_eq!(Checksum::hex(name, digits), None);
        }
        assert_eq!(Checksum::hex("sha256", &ABC.replace('b', "g")), None);
        assert_eq!(Checksum::integrity("sha512-AAAA md5-x"), None);
    }
}
