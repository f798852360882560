//! Values in a form that all languages share.
//!
//! The frames print what a call of [`Test::Values`](crate::Test::Values) gave as JSON, in which
//!
//! - `null`, truth values, numbers, texts and lists are themselves. One letter is a text. A real number has a point or an exponent
//! - `{"int": "0x…"}` is an integer of more than 53 bits, and `{"real": "nan"}` a number that JSON does not have, as its language spells it
//! - `{"set": […]}` and `{"map": [[key, value], …]}` have their items in any order
//! - `{"bytes": "…"}` has a letter for each byte
//! - `{"object": "class", "fields": {…}}` is a value of a class of the program
//! - `{"other": "…"}` is everything else, as its language shows it.
//!
//! A tuple, an array, and what an iterator gives are lists.

use serde::{Deserialize, Serialize};

/// The class of what is raised when a call takes longer than it may.
pub const TOO_LONG: &str = "familiar.TooLong";

/// What a call gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exchanged {
    /// What it returned.
    pub value: serde_json::Value,
    /// What became of its arguments.
    pub after: Vec<serde_json::Value>,
    /// What it printed.
    pub printed: String,
}

impl Exchanged {
    /// Reads what [`Called::Returned`](crate::Called::Returned) holds after such a call.
    pub fn read(returned: &str) -> Option<Self> {
        serde_json::from_str(returned).ok()
    }
}
