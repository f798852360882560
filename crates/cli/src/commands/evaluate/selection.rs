//! The flags that choose rows of a file of solutions.

use std::num::{NonZeroU64, NonZeroUsize};

use familiar_evaluate::Selection;
use familiar_evaluate::datasets::Convention;
use familiar_source::Language;

use crate::values;

const GROUP: &str = "problem_id";

#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Rows of a file of solutions")]
pub(super) struct Rows {
    /// The field that names the problem of a row
    #[arg(long, value_name = "FIELD", default_value = GROUP)]
    group: String,
    /// Use only rows in these languages
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language)]
    lang: Vec<Language>,
    /// Use only rows in which a field has this value, such as split=valid. May be repeated
    #[arg(long = "where", value_name = "FIELD=VALUE", value_parser = values::condition)]
    conditions: Vec<(String, String)>,
    /// Use at most N rows of each problem in each language: the first ones
    #[arg(long, value_name = "N")]
    max_per_group: Option<NonZeroUsize>,
    /// Use only one problem in N, chosen by a hash of its name (XXH3 modulo N is 0)
    #[arg(long, value_name = "N")]
    one_of: Option<NonZeroU64>,
    /// Compare only rows in different languages
    #[arg(long)]
    cross_language: bool,
}

impl Rows {
    /// The rows that take part; what is not given is as the convention has it.
    pub(super) fn selection(&self, convention: &Convention) -> Selection {
        let filters =
            || convention.filters.iter().map(|&(field, value)| (field.to_owned(), value.to_owned()));
        let given = |list: &Vec<Language>| (!list.is_empty()).then(|| list.clone());
        Selection {
            group: self.group.clone(),
            group_otherwise: None,
            languages: given(&self.lang).unwrap_or_else(|| convention.languages.to_vec()),
            filters: if self.conditions.is_empty() { filters().collect() } else { self.conditions.clone() },
            max_per_group: self.max_per_group,
            one_of: self.one_of.or(convention.one_of.and_then(NonZeroU64::new)),
            but_one_of: None,
        }
    }

    /// The first flag that is given; `None` where all is as it is without any.
    pub(super) fn given(&self) -> Option<&'static str> {
        let flags = [
            (self.group != GROUP, "--group"),
            (!self.lang.is_empty(), "--lang"),
            (!self.conditions.is_empty(), "--where"),
            (self.max_per_group.is_some(), "--max-per-group"),
            (self.one_of.is_some(), "--one-of"),
            (self.cross_language, "--cross-language"),
        ];
        flags.into_iter().find(|(is_given, _)| *is_given).map(|(_, flag)| flag)
    }

    pub(super) fn cross_language(&self, convention: &Convention) -> bool {
        self.cross_language || convention.cross_language
    }
}
