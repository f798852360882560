//! The value of one field of metadata.

/// A value that is no placeholder, which a build fills in.
pub(super) fn is_given(text: &str) -> bool {
    !text.contains('$')
}

/// A value that says something.
pub(super) fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
