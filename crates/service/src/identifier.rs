//! Names that cannot be guessed.

/// 128 random bits as 26 digits and letters (Crockford's base 32).
pub(crate) fn random() -> String {
    encode(&bytes::<16>())
}

/// A token: 256 random bits, with what tells that it is one of ours.
pub(crate) fn token() -> String {
    format!("fam_{}", encode(&bytes::<32>()))
}

/// Whether a text may be an identifier of ours, and so a name of a folder.
pub(crate) fn is_one(text: &str) -> bool {
    text.len() == 26 && text.bytes().all(|byte| DIGITS.contains(&byte))
}

const DIGITS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

fn bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).expect("the system gives random bytes");
    bytes
}

fn encode(bytes: &[u8]) -> String {
    let bit = |at: usize| bytes.get(at / 8).map_or(0, |byte| byte >> (7 - at % 8) & 1);
    let digit = |from: usize| (from..from + 5).fold(0, |value, at| value << 1 | bit(at));
    (0..bytes.len() * 8).step_by(5).map(|from| char::from(DIGITS[usize::from(digit(from))])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_names_of_folders_and_differ() {
        let (a, b) = (random(), random());
        assert!(is_one(&a) && is_one(&b) && a != b);
        assert_eq!(encode(&[0xff, 0, 0, 0, 1]), "zw00000 1".replace(' ', ""));
        for wrong in ["", "..", "../../../../../../../../etc", "ABCDEFGHJKMNPQRSTVWXYZ0123"] {
            assert!(!is_one(wrong));
        }
    }
}
