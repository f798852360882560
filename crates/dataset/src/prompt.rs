//! What a model is asked: a template, and how often.
//!
//! A prompt is a file `prompts/NAME.toml` of the project, which the user may change, take away, or add. In its text `{language}` stands for
//! the language of the seed, `{code}` for the seed in a fence, `{variants}` for how many implementations are wanted, and `{targets}` for
//! the languages of a translation. Examples are earlier turns of the conversation: those in the language of the seed, or all where none is.

use std::collections::BTreeMap;

use familiar_endpoint::{Message, Question, Role};
use serde::{Deserialize, Serialize};

use crate::seed::Seed;
use crate::settings::Generate;

/// The prompts that come with the program: the six that Figure 2 and Table I of GPTCloneBench compare, and the translation, in our words.
pub(crate) const SHIPPED: [(&str, &str); 7] = [
    ("type-3-type-4", include_str!("prompts/type-3-type-4.toml")),
    ("distinctive", include_str!("prompts/distinctive.toml")),
    ("different", include_str!("prompts/different.toml")),
    ("unique", include_str!("prompts/unique.toml")),
    ("different-functional", include_str!("prompts/different-functional.toml")),
    ("different-syntax", include_str!("prompts/different-syntax.toml")),
    ("translation", include_str!("prompts/translation.toml")),
];

/// One prompt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompt {
    /// The name of its file.
    #[serde(skip_deserializing)]
    pub name: String,
    /// How many implementations a reply is to have.
    pub variants: usize,
    /// How often each seed is asked with it; 0 where it takes part in the study alone.
    #[serde(default)]
    pub repeats: u64,
    /// For the language of a seed, the languages that are asked for. Without it, they are those of the seed.
    #[serde(default)]
    pub targets: BTreeMap<String, Vec<String>>,
    pub text: String,
    #[serde(default, rename = "example")]
    pub examples: Vec<Example>,
}

/// A question that was answered well.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    pub lang: String,
    /// How many implementations its question asks for, where they are not as many as the prompt has.
    #[serde(default)]
    pub variants: Option<usize>,
    pub code: String,
    pub reply: String,
}

impl Prompt {
    /// Reads the file of a prompt, or says what is wrong with it.
    pub(crate) fn read(name: &str, text: &str) -> Result<Self, String> {
        let prompt: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        if !prompt.text.contains("{code}") {
            return Err("its text has no {code}, where the seed would stand".to_owned());
        }
        if prompt.variants == 0 {
            return Err("variants = 0: ask for one or more".to_owned());
        }
        Ok(Self { name: name.to_owned(), ..prompt })
    }

    /// The languages that are asked for, or `None` where the prompt does not take such seeds.
    pub(crate) fn targets_of(&self, seed: &Seed) -> Option<Vec<String>> {
        if self.targets.is_empty() {
            return Some(vec![seed.lang.clone()]);
        }
        self.targets.get(&seed.lang).cloned()
    }

    /// How many implementations a reply should have.
    pub(crate) fn expected(&self, targets: usize) -> usize {
        self.variants * if self.targets.is_empty() { 1 } else { targets }
    }

    /// What is asked about a seed for the `sample`th time.
    pub(crate) fn question(
        &self,
        seed: &Seed,
        targets: &[String],
        sample: u64,
        settings: &Generate,
    ) -> Question {
        let mut messages = Vec::new();
        let is_like = |example: &&Example| example.lang == seed.lang;
        let has_like = self.examples.iter().any(|it| is_like(&it));
        for example in self.examples.iter().filter(|it| !has_like || is_like(it)) {
            let variants = example.variants.unwrap_or(self.variants);
            let languages = self.targets.get(&example.lang).map_or(targets, Vec::as_slice);
            let asked = self.filled(&example.lang, &example.code, languages, variants);
            messages.push(Message { role: Role::User, content: asked });
            messages.push(Message { role: Role::Assistant, content: example.reply.clone() });
        }
        let content = self.filled(&seed.lang, &seed.code, targets, self.variants);
        messages.push(Message { role: Role::User, content });
        Question {
            messages,
            temperature: settings.temperature,
            seed: Some(settings.seed.wrapping_add(sample)),
            max_tokens: settings.max_tokens,
            sample,
        }
    }

    fn filled(&self, lang: &str, code: &str, targets: &[String], variants: usize) -> String {
        let fence = fence_for(code);
        let fenced = format!("{fence}{lang}\n{}\n{fence}", code.trim_end());
        let languages: Vec<&str> = targets.iter().map(|name| spoken(name)).collect();
        // The code comes last, so that nothing in it is taken for a place to fill.
        let (before, after) = self.text.split_once("{code}").unwrap_or((&self.text, ""));
        let fill = |text: &str| {
            text.replace("{language}", spoken(lang))
                .replace("{variants}", &variants.to_string())
                .replace("{targets}", &listed(&languages))
        };
        format!("{}{fenced}{}", fill(before), fill(after))
    }
}

/// A fence that is longer than any in the code.
fn fence_for(code: &str) -> String {
    let longest = code.lines().map(|line| line.chars().take_while(|&letter| letter == '`').count()).max();
    "`".repeat(longest.unwrap_or(0).max(2) + 1)
}

/// A language as people write it.
pub(crate) fn spoken(name: &str) -> &str {
    match name {
        "python" => "Python",
        "java" => "Java",
        "c" => "C",
        "cpp" => "C++",
        "csharp" => "C#",
        "go" => "Go",
        "javascript" => "JavaScript",
        "typescript" => "TypeScript",
        "rust" => "Rust",
        "kotlin" => "Kotlin",
        "swift" => "Swift",
        "ruby" => "Ruby",
        "php" => "PHP",
        "scala" => "Scala",
        "dart" => "Dart",
        other => other,
    }
}

fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidate::Candidate;
    use crate::filter::Measurer;
    use crate::pair::Band;
    use crate::parse;
    use crate::reply::Reply;
    use crate::settings::Filter;

    #[test]
    fn prompts_that_come_with_the_program_are_prompts() {
        for (name, text) in SHIPPED {
            let prompt = Prompt::read(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
            let seed = Seed::of_code("java", "int f() { return \"{variants}\"; }");
            let Some(targets) = prompt.targets_of(&seed) else { continue };
            let question = prompt.question(&seed, &targets, 0, &Generate::default());
            let asked = &question.messages.last().expect("there is a question").content;
            assert!(asked.contains("```java\nint f() { return \"{variants}\"; }\n```"), "{asked}");
            assert_eq!(asked.matches('{').count(), 2, "something is not filled in: {asked}");
        }
    }

    #[test]
    fn examples_are_answered_as_they_ask() {
        for (name, text) in SHIPPED {
            let prompt = Prompt::read(name, text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(prompt.examples.len() > 1, "{name}");
            for example in &prompt.examples {
                let seed = Seed::of_code(&example.lang, &example.code);
                let targets = prompt.targets_of(&seed).expect("the prompt takes its own examples");
                let expected = example.variants.unwrap_or_else(|| prompt.expected(targets.len()));
                let reply = Reply { targets, reply: example.reply.clone(), ..Reply::default() };
                let (candidates, dropped) = parse::one(&reply, &seed);
                assert_eq!((candidates.len(), dropped), (expected, vec![]), "{name}, {}", example.lang);
                let mut measurer = Measurer::new(false);
                let mut band = |it: Candidate| {
                    measurer.pair(&seed, it, &Filter::default()).expect("it is measured").band
                };
                let bands: Vec<Band> = candidates.into_iter().map(&mut band).collect();
                assert!(!bands.contains(&Band::False), "{name}, {}: {bands:?}", example.lang);
                if name == "type-3-type-4" {
                    assert_eq!(bands, [Band::Type3, Band::Type4], "{}", example.lang);
                }
            }
        }
    }

    #[test]
    fn examples_in_the_language_of_the_seed_are_shown() {
        let (name, text) = SHIPPED[1];
        let prompt = Prompt::read(name, text).expect("it is a prompt");
        let asked = |lang: &str| {
            let seed = Seed::of_code(lang, "x");
            prompt.question(&seed, &[lang.to_owned()], 0, &Generate::default()).messages
        };
        assert_eq!(asked("go").len(), 5);
        let java = asked("java");
        assert_eq!(java.len(), 3);
        assert!(
            java[0].content.starts_with("Write 2 distinctive implementations in Java"),
            "{}",
            java[0].content
        );
        assert!(java[2].content.starts_with("Write 10 distinctive implementations in Java"));
    }

    #[test]
    fn a_translation_names_its_languages() {
        let (name, text) = SHIPPED[6];
        let prompt = Prompt::read(name, text).expect("it is a prompt");
        let targets = prompt.targets_of(&Seed::of_code("csharp", "x")).expect("it is translated");
        assert_eq!(targets, ["python", "c", "java"]);
        assert_eq!(prompt.expected(targets.len()), 3);
        assert_eq!(prompt.targets_of(&Seed::of_code("python", "x")), None);
        let question = prompt.question(&Seed::of_code("csharp", "x"), &targets, 0, &Generate::default());
        assert!(
            question
                .messages
                .iter()
                .all(|it| it.role == Role::Assistant || it.content.contains("Python, C and Java"))
        );
    }

    #[test]
    fn wrong_prompts_say_what_is_wrong() {
        let of = |text: &str| Prompt::read("mine", text).expect_err("it is wrong");
        assert!(of("variants = 1\ntext = \"write code\"").contains("{code}"));
        assert!(of("variants = 0\ntext = \"{code}\"").contains("one or more"));
        assert!(of("text = \"{code}\"").contains("variants"));
    }

    #[test]
    fn the_fence_is_longer_than_those_in_the_code() {
        assert_eq!(fence_for("a\n````\nb"), "`````");
    }
}
