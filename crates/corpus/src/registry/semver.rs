//! Versions of Semantic Versioning, as npm and crates.io have them.

/// Whether a version looks like one of Semantic Versioning.
pub(super) fn is_version(version: &str) -> bool {
    let is_inside = |byte: u8| byte.is_ascii_alphanumeric() || b".-+".contains(&byte);
    version.starts_with(|c: char| c.is_ascii_digit())
        && version.bytes().filter(|&byte| byte == b'.').count() >= 2
        && version.bytes().all(is_inside)
}

/// Whether a version is a release, and its three numbers.
pub(super) type Precedence = (bool, [u64; 3]);

pub(super) fn precedence(version: &str) -> Precedence {
    let (numbers, is_release) = match version.split('+').next().unwrap_or_default().split_once('-') {
        Some((numbers, _)) => (numbers, false),
        None => (version.split('+').next().unwrap_or_default(), true),
    };
    let mut parts = numbers.split('.').map(|part| part.parse().unwrap_or(0));
    (is_release, std::array::from_fn(|_| parts.next().unwrap_or(0)))
}
