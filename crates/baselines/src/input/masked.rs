//! What the model of masked words sees (Puri et al. 2021, Table 14).
//!
//! Keywords, functions and identifiers of the library, a few signs and the numbers 0 and 1 are seen by their text; everything else by
//! its class. `for (i = 0; i < strlen(s); i++) {}` becomes `for ( id = 0 ; id < strlen ( id ) ; id operator ) { }`.

use familiar_represent::tokens::Class;
use familiar_source::Language;

use super::library::{FUNCTIONS, IDENTIFIERS};
use super::program::Symbols;
use super::words;

/// Signs that are seen by their text.
const SIGNS: [&str; 16] = ["(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "=", "<", ">", "*", "&", "?"];

pub(super) fn symbols(language: Language, code: &str) -> Option<Symbols> {
    let of_c = matches!(language, Language::C | Language::Cpp);
    words::each(language, code, move |class, text| {
        Some(match class {
            Class::Keyword | Class::Preprocessor => text,
            Class::Identifier if of_c && known(text) => text,
            Class::Identifier => "id",
            Class::Integer if text == "0" || text == "1" => text,
            Class::Integer | Class::Floating => "number",
            Class::String => "string",
            Class::Character => "character",
            Class::Operator if SIGNS.contains(&text) => text,
            Class::Operator => "operator",
            _ => return None,
        })
    })
}

fn known(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok() || IDENTIFIERS.binary_search(&name).is_ok()
}
