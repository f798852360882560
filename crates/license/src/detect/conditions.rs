//! Words that would say that a work is in the public domain, were they not what is asked: *whether the type is in the public domain*.

use super::LicenseMatch;
use super::words::{floor, words};

const PUBLIC_DOMAIN: &str = "LicenseRef-scancode-public-domain";
/// Words that begin what is asked or what is assumed.
const BEGINNINGS: [&str; 2] = ["whether", "if"];
/// Farthest that they stand before a match, and most bytes of such a match.
const BEFORE: usize = 80;
const SHORT: usize = 60;

/// Takes out what is no statement.
pub(super) fn split(text: &str, matches: Vec<LicenseMatch>) -> (Vec<LicenseMatch>, Vec<LicenseMatch>) {
    matches.into_iter().partition(|found| !is_condition(text, found))
}

/// Whether a match goes on with what a word such as *whether* begins. A comma ends that: "If you ask, this is in the public domain".
fn is_condition(text: &str, found: &LicenseMatch) -> bool {
    let (start, end) = found.bytes;
    if end - start > SHORT || found.expression.to_string() != PUBLIC_DOMAIN {
        return false;
    }
    let before = &text[floor(text, start.saturating_sub(BEFORE))..start];
    let clause = before.rsplit(['.', ',', ';', ':', '!', '?']).next().unwrap_or(before);
    words(clause).iter().any(|word| BEGINNINGS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use crate::detect::cases::check;

    #[test]
    fn what_is_asked_is_no_statement() {
        let domain = "LicenseRef-scancode-public-domain";
        for (text, expected) in [
            ("/// Whether or not the type is in the public domain.\npub is_public: bool,", ""),
            ("Returns true if the work is in the public domain.", ""),
            ("This work is in the public domain.", domain),
            ("If you ask, this work is in the public domain.", domain),
            ("Use it if you like. This work is in the public domain.", domain),
        ] {
            check(text, expected);
        }
    }
}
