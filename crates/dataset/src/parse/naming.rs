//! What the name of a function or class says of it.

/// Whether a name says that it only shows how others are called.
pub(super) fn shows_others(name: &str) -> bool {
    const STARTS: [&str; 7] = ["main", "test", "demo", "example", "check", "run", "compare"];
    let name = name.to_lowercase();
    STARTS.iter().any(|start| name.starts_with(start)) || name.ends_with("test") || name.ends_with("tests")
}

/// Whether a name has the words of another one, as `total_by_loop` has those of `total`.
pub(super) fn has_name(name: &str, other: &str) -> bool {
    let (name, other) = (words(name), words(other));
    !other.is_empty() && name.windows(other.len()).any(|some| some == other)
}

/// The words of `total_of2` and `totalOf2` in lower case, without numbers.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let (mut is_new, mut was_lower) = (true, false);
    for letter in name.chars() {
        is_new |= letter.is_uppercase() && was_lower;
        was_lower = letter.is_lowercase();
        if !letter.is_alphabetic() {
            is_new = true;
            continue;
        }
        if std::mem::take(&mut is_new) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_by_their_words() {
        for name in ["total", "total_by_loop", "sumTotal", "total2", "TOTAL", "by_total_of3"] {
            assert!(has_name(name, "total"), "{name}");
        }
        for name in ["totals", "subtotal", "add", ""] {
            assert!(!has_name(name, "total"), "{name}");
        }
        assert!(has_name("parseHttpDate", "http_date") && !has_name("date_http", "http_date"));
        assert!(!has_name("total", ""));
    }
}
