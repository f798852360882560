//! The flags that choose rows of a file of solutions.

use std::num::{NonZeroU64, NonZeroUsize};

use familiar_evaluate::Selection;
use familiar_source::Language;

use crate::values;

#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Rows of a file of solutions")]
pub(super) struct Rows {
    /// The field that names the problem
    #[arg(long, value_name = "FIELD", default_value = "problem_id")]
    group: String,
    /// Only rows of these languages
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language)]
    lang: Vec<Language>,
    /// Only rows in which a field has a value, such as split=valid (repeatable)
    #[arg(long = "where", value_name = "FIELD=VALUE", value_parser = values::condition)]
    conditions: Vec<(String, String)>,
    /// Only so many rows of a problem in each language, the first
    #[arg(long, value_name = "N")]
    max_per_group: Option<NonZeroUsize>,
    /// Only one problem in N, chosen by a hash of its name (XXH3 modulo N is 0)
    #[arg(long, value_name = "N")]
    one_of: Option<NonZeroU64>,
    /// Only across languages: both sides are of different ones
    #[arg(long)]
    pub(super) cross_language: bool,
}

impl Rows {
    pub(super) fn selection(&self) -> Selection {
        Selection {
            group: self.group.clone(),
            languages: self.lang.clone(),
            filters: self.conditions.clone(),
            max_per_group: self.max_per_group,
            one_of: self.one_of,
        }
    }
}
