//! Strings and expressions that a chunk names by number.

use std::collections::HashMap;

use familiar_judge::Category;
use familiar_license::Expression;
use serde::Serialize;

/// Different strings, numbered as they come.
#[derive(Default, Serialize)]
#[serde(transparent)]
pub(super) struct Words {
    list: Vec<String>,
    #[serde(skip)]
    numbers: HashMap<String, u32>,
}

impl Words {
    pub(super) fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = self.list.len() as u32;
        self.list.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

/// Different expressions, each with what it names.
#[derive(Default, Serialize)]
#[serde(transparent)]
pub(super) struct Expressions {
    list: Vec<Named>,
    #[serde(skip)]
    words: Words,
}

/// An expression, its category, and the licenses and exceptions in it with theirs.
#[derive(Serialize)]
struct Named(String, &'static str, Vec<(String, &'static str)>);

/// What stands in the place of an exception's category.
const EXCEPTION: &str = "exception";

impl Expressions {
    /// The number of an expression plus one; 0 of none.
    pub(super) fn number(&mut self, text: Option<&str>) -> u32 {
        let Some(text) = text else { return 0 };
        let number = self.words.number(text);
        if self.words.len() > self.list.len() {
            self.list.push(named(text));
        }
        number + 1
    }
}

fn named(text: &str) -> Named {
    let Ok(expression) = Expression::parse(text) else {
        return Named(text.to_owned(), Category::Unknown.name(), Vec::new());
    };
    let mut licenses: Vec<(String, &'static str)> = Vec::new();
    for license in expression.licenses() {
        let exception = license.exception.clone().map(|exception| (exception, EXCEPTION));
        let license = (license.name().to_owned(), Category::of(&license.id).name());
        for one in [Some(license), exception].into_iter().flatten() {
            if !licenses.contains(&one) {
                licenses.push(one);
            }
        }
    }
    Named(text.to_owned(), Category::of_expression(&expression).name(), licenses)
}
