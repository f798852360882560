//! `variable-rename-style`: writes the names of variables in another style.
//!
//! # What it does
//!
//! `two_words` becomes `twoWords`, and `twoWords` becomes `two_words`. A name of one word gets an underscore before it, or loses
//! it. A name of capitals becomes small.
//!
//! # Why behavior is kept
//!
//! All places of the variable are known, and the new name stands nowhere in the program ([`variable-rename`](crate::python::variable_rename)).
//!
//! # Example
//!
//! `max_sum = 0` becomes `maxSum = 0`.
//!
//! # Where it does not apply
//!
//! As `variable-rename`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{candidates, free_name, renamable, renamed};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "variable-rename-style",
    summary: "writes the names of variables in another style: snake, camel, with an underscore",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let variable = renamable(program, site)?;
    let name = free_name(choices, &restyled(&variable.name))?;
    Ok(renamed(program, variable, &name))
}

fn restyled(name: &str) -> String {
    let bare = name.trim_matches('_');
    if bare.is_empty() {
        return "unused".to_owned();
    }
    if bare.contains('_') {
        let words: Vec<_> = bare.split('_').filter(|it| !it.is_empty()).map(str::to_lowercase).collect();
        let capital = |word: &String| {
            let mut letters = word.chars();
            letters.next().map(|it| it.to_uppercase().chain(letters).collect::<String>())
        };
        return words.iter().take(1).cloned().chain(words.iter().skip(1).filter_map(capital)).collect();
    }
    if bare.chars().skip(1).any(char::is_uppercase) && bare.chars().any(char::is_lowercase) {
        let mut snake = String::new();
        for letter in bare.chars() {
            if letter.is_uppercase() && !snake.is_empty() {
                snake.push('_');
            }
            snake.extend(letter.to_lowercase());
        }
        return snake;
    }
    match bare.to_lowercase() {
        small if small != bare => small,
        _ if name != bare && !bare.starts_with(|c: char| c.is_ascii_digit()) => bare.to_owned(),
        small => format!("_{small}"),
    }
}
