//! Names for findings that do not depend on paths and line numbers.

use xxhash_rust::xxh3::Xxh3Default;

/// The fingerprint of a pair, from the hashes of both sides' normal forms; the order of the sides does not matter.
pub fn pair_fingerprint(left: u64, right: u64) -> String {
    class_fingerprint([left, right])
}

/// The fingerprint of a class, from the hashes of its members' normal forms; their order does not matter.
pub fn class_fingerprint(forms: impl IntoIterator<Item = u64>) -> String {
    let mut forms: Vec<u64> = forms.into_iter().collect();
    forms.sort_unstable();
    let mut hasher = Xxh3Default::new();
    for form in forms {
        hasher.update(&form.to_le_bytes());
    }
    format!("{:032x}", hasher.digest128())
}
