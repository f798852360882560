//! What is found and yet decides nothing.

use crate::{Expression, Layer, LayerKind};

/// Expressions of rules for words that some license is meant, or that are no license: where anything else says which one it
/// is, they add nothing.
const UNSPECIFIC: [&str; 8] = [
    "LicenseRef-scancode-unknown",
    "LicenseRef-scancode-unknown-license-reference",
    "LicenseRef-scancode-free-unknown",
    "LicenseRef-scancode-see-license",
    "LicenseRef-scancode-warranty-disclaimer",
    "LicenseRef-scancode-generic-cla",
    "LicenseRef-scancode-generic-export-compliance",
    "LicenseRef-scancode-generic-trademark",
];

/// The evidence of a reference to a license in a file that says something stronger of itself: mostly it speaks of other code.
pub(super) const BESIDE: &str = "a reference, beside what the file says of itself";

/// The evidence of a license that the text says it does not stand under.
pub(super) const DENIED: &str = "a license that the words before it deny";

/// Whether an expression says which license it is.
pub(super) fn is_specific(expression: &Expression) -> bool {
    let says_which = |id: &str| id != Expression::NOASSERTION && !UNSPECIFIC.contains(&id);
    expression.licenses().iter().any(|license| says_which(&license.id))
}

/// Whether a layer decides where it is the first to speak.
pub(super) fn decides(layer: &Layer) -> bool {
    let is_beside =
        layer.kind == LayerKind::FileNotice && (layer.evidence == BESIDE || layer.evidence == DENIED);
    !is_beside && layer.expression.as_ref().is_some_and(is_specific)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infer::testing::expression;

    #[test]
    fn an_expression_is_specific_where_some_part_is() {
        assert!(is_specific(&expression("MIT")) && is_specific(&expression("LicenseRef-mine")));
        assert!(is_specific(&expression("MIT AND LicenseRef-scancode-unknown")));
        assert!(!is_specific(&expression("LicenseRef-scancode-unknown-license-reference")));
    }
}
