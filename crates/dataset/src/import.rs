//! Takes replies that exist already, or pairs of seeds and implementations.
//!
//! A row of JSON is a reply, with `seed_id`, `seed`, `lang`, `target_lang`, `prompt`, `model` and `reply`, or a pair, with `code1`, `code2`,
//! `lang1`, `lang2` or `lang`, of which the first side is the seed. `target_lang` may name several languages with commas between them. A seed that
//! is not known is added.

use std::collections::BTreeMap;
use std::path::Path;

use familiar_corpus::lines::{Line, Lines};
use familiar_source::{Language, language_called};
use familiar_syntax::decode::decode;
use familiar_syntax::{Parser, Want};
use serde::{Deserialize, Serialize};

use crate::error::DatasetError;
use crate::lines::{self, Writer};
use crate::project::{Project, file};
use crate::reply::Reply;
use crate::seed::Seed;

/// Most bytes of a row.
const ROW: u64 = 64 << 20;
/// Most bytes of the name of a seed, and of a prompt: files of a release are named after both.
const NAME: usize = 100;
/// The prompt of replies that name none.
const NO_PROMPT: &str = "imported";

/// What was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportResult {
    pub replies: u64,
    pub new_seeds: u64,
    /// Rows that were not taken, by reason.
    pub skipped: BTreeMap<String, u64>,
}

#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    seed_id: Option<String>,
    #[serde(default)]
    seed: Option<String>,
    #[serde(default)]
    lang: Option<String>,
    #[serde(default)]
    target_lang: Option<String>,
    #[serde(default)]
    prompt: Option<String>,
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    reply: Option<String>,
    #[serde(default)]
    license: Option<String>,
    #[serde(default)]
    specification: Option<String>,
    #[serde(default)]
    code1: Option<String>,
    #[serde(default)]
    code2: Option<String>,
    #[serde(default)]
    lang1: Option<String>,
    #[serde(default)]
    lang2: Option<String>,
}

/// Takes the rows of `replies`, plain or compressed, in the place of those that were imported before; with `add`, beside them.
pub fn run(project: &Project, replies: &Path, add: bool) -> Result<ImportResult, DatasetError> {
    let _lock = project.lock()?;
    let known: Vec<Seed> = lines::all(&project.path(file::SEEDS), "seeds")?;
    let mut import = Import {
        seeds: known.iter().map(|seed| (seed.seed_id.clone(), seed.clone())).collect(),
        order: known.into_iter().map(|seed| seed.seed_id).collect(),
        samples: BTreeMap::new(),
        result: ImportResult::default(),
    };
    // Names of implementations have the number of their reply, so replies of both files are counted together.
    lines::read(&project.path(file::GENERATED), "generate", &mut |reply: Reply| {
        import.count(&reply);
        Ok(())
    })?;
    let path = project.path(file::IMPORTED);
    let before: Vec<Reply> = if add { lines::all(&path, "import")? } else { Vec::new() };
    let mut out = Writer::create(&path)?;
    for reply in &before {
        import.count(reply);
        out.row(reply)?;
    }
    let mut last = String::new();
    let mut rows = Lines::open(replies, ROW)?;
    while let Some((number, line)) = rows.next() {
        let reply = match line {
            Line::Whole(line) => import.row(line),
            Line::TooLong(reason) => Err(reason),
            Line::Damaged(error) => Err(error.to_string()),
        };
        match reply {
            Ok(reply) => out.row(&reply)?,
            Err(reason) => {
                last = format!("line {number}: {reason}");
                *import.result.skipped.entry(reason).or_default() += 1;
            }
        }
    }
    if import.result.replies == 0 {
        let reason = if last.is_empty() { "it is empty".to_owned() } else { last };
        return Err(DatasetError::NothingToImport { path: replies.to_owned(), reason });
    }
    // Replies without their seeds would be of no use, so the seeds come first.
    lines::write(
        &project.path(file::SEEDS),
        import.order.iter().filter_map(|seed_id| import.seeds.get(seed_id)),
    )?;
    out.finish()?;
    Ok(import.result)
}

struct Import {
    seeds: BTreeMap<String, Seed>,
    order: Vec<String>,
    /// The next number of a reply, by seed and prompt.
    samples: BTreeMap<(String, String), u64>,
    result: ImportResult,
}

impl Import {
    fn row(&mut self, line: &[u8]) -> Result<Reply, String> {
        let text = String::from_utf8_lossy(line);
        let row: Row = serde_json::from_str(&text)
            .map_err(|error| format!("no JSON of this kind ({})", class(&error)))?;
        let (seed_id, license, prompt) = (row.seed_id.clone(), row.license.clone(), row.prompt.clone());
        let model = row.model.clone().filter(|it| !it.is_empty());
        let specification = row.specification.clone().filter(|it| !it.is_empty());
        let (seed, mut reply) = if row.code2.is_some() { pair(row)? } else { self.reply(row)? };
        let seed_id = seed_id.unwrap_or(seed.seed_id);
        for (field, name) in [("seed_id", Some(&seed_id)), ("prompt", prompt.as_ref())] {
            if name.is_some_and(|name| name.len() > NAME) {
                return Err(format!("its {field} is longer than {NAME} bytes, and names files of a release"));
            }
            if name.is_some_and(|name| name.chars().any(char::is_control)) {
                return Err(format!("its {field} has control characters"));
            }
        }
        let seed = Seed {
            seed_id: seed_id.clone(),
            license: license.or(seed.license),
            specification: specification.or(seed.specification),
            ..seed
        };
        if self.seeds.get(&seed_id).is_some_and(|known| known.code != seed.code) {
            return Err(format!("its seed_id {seed_id} stands for another seed above"));
        }
        if !self.seeds.contains_key(&seed_id) {
            usable(&seed)?;
            self.result.new_seeds += 1;
            self.order.push(seed_id.clone());
            self.seeds.insert(seed_id.clone(), seed);
        }
        reply.seed_id = seed_id;
        reply.prompt = prompt.filter(|it| !it.is_empty()).unwrap_or_else(|| NO_PROMPT.to_owned());
        reply.model = model;
        reply.sample = self.number(&reply);
        self.result.replies += 1;
        Ok(reply)
    }

    /// The seed and the reply of a row.
    fn reply(&self, row: Row) -> Result<(Seed, Reply), String> {
        let text = row.reply.ok_or("neither a reply nor a pair")?;
        let targets = row.target_lang.as_deref().unwrap_or_default();
        let targets = targets.split(',').map(str::trim).filter(|name| !name.is_empty());
        let targets = targets.map(language).collect::<Result<Vec<_>, _>>()?;
        let seed = match (row.seed, row.lang) {
            (Some(code), Some(lang)) => Seed::of_code(&language(&lang)?, &code),
            (Some(_), None) => return Err("a seed without lang".to_owned()),
            (None, _) => {
                let name = row.seed_id.as_deref().ok_or("a reply without seed and seed_id")?;
                self.seeds.get(name).cloned().ok_or("a seed_id that is not known, without the seed")?
            }
        };
        Ok((seed, Reply { targets, reply: text, ..Reply::default() }))
    }

    /// The number of a reply among those to the same prompt with the same seed.
    fn number(&mut self, reply: &Reply) -> u64 {
        let next = self.next(reply);
        *next += 1;
        *next - 1
    }

    /// Counts a reply that has its number.
    fn count(&mut self, reply: &Reply) {
        let next = self.next(reply);
        *next = (*next).max(reply.sample.saturating_add(1));
    }

    fn next(&mut self, reply: &Reply) -> &mut u64 {
        self.samples.entry((reply.seed_id.clone(), reply.prompt.clone())).or_default()
    }
}

/// Refuses a seed to which nothing can be compared.
fn usable(seed: &Seed) -> Result<(), String> {
    if decode(seed.code.as_bytes()).is_err() || seed.code.contains('\0') {
        return Err("its seed is no text".to_owned());
    }
    let language = Language::from_name(&seed.lang).unwrap_or(Language::Other);
    if Parser::default().parse(language, seed.code.as_bytes(), Want::default()).tokens.is_empty() {
        return Err("its seed has no code".to_owned());
    }
    Ok(())
}

/// The seed and the implementation of a pair.
fn pair(row: Row) -> Result<(Seed, Reply), String> {
    let code1 = row.code1.ok_or("a pair without code1")?;
    let lang1 = row.lang1.or_else(|| row.lang.clone()).ok_or("a pair without lang1")?;
    let lang2 = row.lang2.or(row.lang).ok_or("a pair without lang2")?;
    let targets = vec![language(&lang2)?];
    let reply = row.code2.unwrap_or_default();
    Ok((
        Seed::of_code(&language(&lang1)?, &code1),
        Reply { targets, is_code: true, reply, ..Reply::default() },
    ))
}

/// The name that we have for a language.
fn language(name: &str) -> Result<String, String> {
    language_called(name)
        .map(|it| it.name().to_owned())
        .ok_or_else(|| "a language that is not known".to_owned())
}

fn class(error: &serde_json::Error) -> &'static str {
    match error.classify() {
        serde_json::error::Category::Eof => "it ends too early",
        serde_json::error::Category::Syntax => "its syntax is wrong",
        serde_json::error::Category::Data => "a field has another type",
        serde_json::error::Category::Io => "it cannot be read",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: &str = "def f(x):\\n    return x\\n";

    /// The samples of the replies that are there after an import of `rows`, and why rows were skipped.
    fn imported(project: &Project, rows: &[String], add: bool) -> (Vec<u64>, Vec<String>) {
        let path = project.path("rows.jsonl");
        std::fs::write(&path, rows.join("\n")).expect("it is written");
        let result = run(project, &path, add).expect("it is imported");
        let all: Vec<Reply> = lines::all(&project.path(file::IMPORTED), "import").expect("it is read");
        (all.into_iter().map(|it| it.sample).collect(), result.skipped.into_keys().collect())
    }

    fn row(seed_id: &str, target: &str) -> String {
        format!(
            r#"{{"seed_id": "{seed_id}", "seed": "{SEED}", "lang": "python", "target_lang": "{target}", "prompt": "p", "reply": "x"}}"#
        )
    }

    #[test]
    fn replies_of_one_seed_and_prompt_have_different_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        let project = Project::create(&folder.path().join("b")).expect("a benchmark");
        let generated = Reply { seed_id: "s".into(), prompt: "p".into(), sample: 3, ..Reply::default() };
        lines::write(&project.path(file::GENERATED), [&generated]).expect("it is written");
        let rows = [row("s", "java"), row("s", "java,c"), row("t", "java")];
        assert_eq!(imported(&project, &rows, false).0, [4, 5, 0]);
        assert_eq!(imported(&project, &rows, true).0, [4, 5, 0, 6, 7, 1]);
    }

    #[test]
    fn seeds_without_code_and_names_for_terminals_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let project = Project::create(&folder.path().join("b")).expect("a benchmark");
        let pair = |code: &str| format!(r#"{{"code1": "{code}", "code2": "x = 1", "lang": "python"}}"#);
        let rows = [row("s", "c"), row("\\u001b[31ms", "c"), pair(""), pair("a\\u0000b = 1")];
        let (samples, skipped) = imported(&project, &rows, false);
        assert_eq!((samples.len(), skipped.len()), (1, 3), "{skipped:?}");
        assert!(skipped[0].contains("no code") && skipped[1].contains("no text"), "{skipped:?}");
        assert!(skipped[2].contains("control characters"), "{skipped:?}");
    }
}
