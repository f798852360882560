//! Looking for words in program texts, without a parser.

/// Whether `text` holds `word` with no letter of a name on either side.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    find_word(text, word).is_some()
}

/// Where `word` stands in `text` with no letter of a name on either side.
pub(crate) fn find_word(text: &str, word: &str) -> Option<usize> {
    let part_of_name = |letter: Option<char>| letter.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).map(|(place, _)| place).find(|place| {
        !part_of_name(text[..*place].chars().next_back())
            && !part_of_name(text[place + word.len()..].chars().next())
    })
}

/// The places at which a function of that name is declared or called: the name, and an opening parenthesis.
pub(crate) fn find_head(text: &str, name: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(found) = find_word(&text[from..], name) {
        let place = from + found;
        if text[place + name.len()..].trim_start().starts_with('(') {
            return Some(place);
        }
        from = place + name.len();
    }
    None
}

/// A text as a literal between double quotes, in the manner of C.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
