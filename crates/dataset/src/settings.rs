//! The configuration of a benchmark: `benchmark.toml`.

use familiar_judging::Rules;
use serde::{Deserialize, Serialize};

/// The first version of the file.
pub(crate) const SCHEMA: &str = "familiar.benchmark/1";

/// What a benchmark is made by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub schema: String,
    pub name: String,
    #[serde(default)]
    pub generate: Generate,
    #[serde(default)]
    pub parse: Parse,
    #[serde(default)]
    pub filter: Filter,
    #[serde(default)]
    pub judge: Rules,
}

/// How a model is asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Generate {
    pub temperature: f64,
    pub max_tokens: u64,
    /// Sent to the model, where it takes one.
    pub seed: u64,
}

/// What is read of replies.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Parse {
    /// Most bytes of a reply.
    pub max_bytes: usize,
}

/// Where the bands begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// A pair whose lines are more alike than this is a false semantic clone.
    pub false_above: f64,
    /// From here on it is of Type-3, and below of Type-4.
    pub type3_from: f64,
    /// Functions of fewer lines are marked as short.
    pub min_lines: u32,
}

impl Default for Generate {
    fn default() -> Self {
        Self { temperature: 0.7, max_tokens: 2048, seed: 0 }
    }
}

impl Default for Parse {
    fn default() -> Self {
        Self { max_bytes: 1 << 20 }
    }
}

impl Default for Filter {
    fn default() -> Self {
        Self { false_above: 0.75, type3_from: 0.5, min_lines: 3 }
    }
}

impl Settings {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            schema: SCHEMA.to_owned(),
            name: name.to_owned(),
            generate: Generate::default(),
            parse: Parse::default(),
            filter: Filter::default(),
            judge: Rules::default(),
        }
    }

    /// Reads the file, or says what is wrong with it.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let settings: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let Filter { false_above, type3_from, .. } = settings.filter;
        if settings.schema != SCHEMA {
            return Err(format!("its schema is {}; this program knows {SCHEMA}", settings.schema));
        }
        if !(0.0..=1.0).contains(&false_above) || !(0.0..=false_above).contains(&type3_from) {
            return Err(format!(
                "false_above {false_above} and type3_from {type3_from}: give numbers from 0 to 1, the first one the larger"
            ));
        }
        if !(0.0..=2.0).contains(&settings.generate.temperature) {
            return Err(format!("temperature {}: give a number from 0 to 2", settings.generate.temperature));
        }
        settings.judge.check().map_err(|reason| format!("[judge] {reason}"))?;
        Ok(settings)
    }

    /// The file of pairs that are only judged.
    pub(crate) fn text_of_sample(&self) -> String {
        let Self { schema, name, judge, .. } = self;
        format!(
            "# Who judges the pairs of sample.jsonl. drawn.json says from what they were drawn.\n\
             schema = {schema:?}\n\
             name = {name:?}\n\n{}",
            judging(judge)
        )
    }

    pub(crate) fn text(&self) -> String {
        let Self { schema, name, generate, parse, filter, judge } = self;
        format!(
            "# What this benchmark is made by. `familiar benchmark status` says what is done.\n\
             schema = {schema:?}\n\
             name = {name:?}\n\n\
             [generate]\n\
             temperature = {:?}\n\
             # Most tokens of a reply\n\
             max_tokens = {}\n\
             # Sent to the model, where it takes one\n\
             seed = {}\n\n\
             [parse]\n\
             # Most bytes of a reply\n\
             max_bytes = {}\n\n\
             [filter]\n\
             # More alike than this: a false semantic clone (Type-1 or Type-2)\n\
             false_above = {:?}\n\
             # From here on Type-3, below Type-4\n\
             type3_from = {:?}\n\
             # Functions of fewer lines are marked as short\n\
             min_lines = {}\n\n{}",
            generate.temperature,
            generate.max_tokens,
            generate.seed,
            parse.max_bytes,
            filter.false_above,
            filter.type3_from,
            filter.min_lines,
            judging(judge)
        )
    }
}

/// The table of those who judge.
fn judging(rules: &Rules) -> String {
    let Rules { groups, panel, stand_ins, share_twice, hide_tests, models, labels, seed } = rules;
    let away: Vec<String> = stand_ins.iter().map(|(away, other)| format!("{away:?} = {other:?}")).collect();
    format!(
        "[judge]\n\
         # Each group judges a section of the pairs, such as [[\"ada\", \"bob\"], [\"carl\", \"dora\"]]\n\
         groups = {groups:?}\n\
         # Those who decide by discussion what two groups could not decide\n\
         panel = {panel:?}\n\
         # Who judges in the place of a member that is away, such as {{ ada = \"eve\" }}\n\
         stand_ins = {{{}}}\n\
         # This share of the pairs two people judge without seeing what the other one says\n\
         share_twice = {share_twice:?}\n\
         # Judges see what the tests say only after they have judged\n\
         hide_tests = {hide_tests}\n\
         # Whether a model may be a judge. Its name begins with model:\n\
         models = {models}\n\
         # What judges may call a pair, beside the verdict\n\
         labels = {labels:?}\n\
         # Decides which pairs a group gets\n\
         seed = {seed}\n",
        away.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut settings = Settings::new("a \"name\"");
        settings.judge.groups = vec![vec!["ada".to_owned(), "bob".to_owned()]];
        settings.judge.stand_ins.insert("ada".to_owned(), "eve".to_owned());
        settings.judge.labels.push("copied".to_owned());
        assert_eq!(Settings::read(&settings.text()), Ok(settings.clone()));
        assert_eq!(Settings::read(&settings.text_of_sample()), Ok(settings));
    }

    #[test]
    fn wrong_settings_say_what_is_wrong() {
        let of = |text: &str| Settings::read(text).expect_err("it is wrong");
        let head = "schema = \"familiar.benchmark/1\"\nname = \"n\"\n";
        assert!(of("schema = \"familiar.benchmark/9\"\nname = \"n\"").contains("familiar.benchmark/1"));
        assert!(of(&format!("{head}[filter]\nfalse_above = 0.4")).contains("from 0 to 1"));
        assert!(of(&format!("{head}[filter]\nfalse = 0.4")).contains("unknown field"));
        assert!(
            of(&format!("{head}[judge]\ngroups = [[\"a\"], [\"a\"]]")).contains("[judge] judge a stands")
        );
    }
}
