//! Asks a language model for implementations of the seeds.
//!
//! Every request and its reply are kept in `requests.jsonl`. So a step that was ended asks only what was not answered, and the same replies
//! can be had again without the server.

use std::collections::BTreeMap;
use std::path::Path;

use familiar_endpoint::{Answer, Chat, ChatError, ChatOptions, Connection, End, Forecast, Question, Spent};
use serde::Serialize;

use crate::error::DatasetError;
use crate::lines::{self, Writer};
use crate::project::{Project, file};
use crate::prompt::Prompt;
use crate::reply::Reply;
use crate::seed::Seed;

/// Tokens that one implementation has, about: for a forecast.
const TOKENS: u64 = 150;
/// Questions that are asked before their answers are written.
const BATCH: usize = 1024;

/// Which model is asked, and how.
#[derive(Clone)]
pub struct GenerateOptions {
    /// `URL#MODEL`.
    pub model: String,
    pub connection: Connection,
    pub chat: ChatOptions,
    /// Only these prompts; all that are repeated where there are none.
    pub prompts: Vec<String>,
}

/// What the model answered.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GenerateResult {
    pub requests: u64,
    pub replies: u64,
    /// Answers that are of no use.
    pub failed: u64,
    /// Why they are, with the number of those.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub failures: BTreeMap<String, u64>,
    /// Requests that nobody has answered yet, where nobody is asked.
    #[serde(skip_serializing_if = "is_none")]
    pub unanswered: u64,
    pub spent: Spent,
}

/// serde gives a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// One question, and what it is about.
struct Asked<'a> {
    seed: &'a Seed,
    prompt: &'a Prompt,
    targets: Vec<String>,
    sample: u64,
}

impl Asked<'_> {
    fn question(&self, project: &Project) -> Question {
        self.prompt.question(self.seed, &self.targets, self.sample, &project.settings.generate)
    }
}

/// What the step is going to take, and what was spent before. Nobody is asked.
pub fn forecast(project: &Project, options: &GenerateOptions) -> Result<(Forecast, Spent), DatasetError> {
    let seeds = seeds(project)?;
    let chat = ChatOptions { replay: true, ..options.chat.clone() };
    let chat = Chat::open(&options.model, &options.connection, &project.path(file::REQUESTS), chat)?;
    let mut forecast = Forecast::default();
    for asked in questions(&seeds, &chosen(project, &options.prompts)?) {
        let variants = asked.prompt.expected(asked.targets.len()) as u64;
        forecast = forecast.and(chat.forecast(&[(asked.question(project), 1)], variants * TOKENS));
    }
    Ok((forecast, chat.spent()))
}

/// Asks, and writes the replies. `told` is told how many of how many questions are answered, and what was spent. After an error the replies
/// that there are are written, unless more stand there already. With `replay`, questions that nobody has answered are left out.
pub fn run(
    project: &Project,
    options: &GenerateOptions,
    told: &mut dyn FnMut(u64, u64, Spent),
) -> Result<GenerateResult, DatasetError> {
    let seeds = seeds(project)?;
    let prompts = chosen(project, &options.prompts)?;
    let chat =
        Chat::open(&options.model, &options.connection, &project.path(file::REQUESTS), options.chat.clone())?;
    let all: Vec<Asked<'_>> = questions(&seeds, &prompts).collect();
    let mut out = Writer::create(&project.path(file::GENERATED))?;
    let mut result = GenerateResult { requests: all.len() as u64, ..GenerateResult::default() };
    // Names of implementations have the number of their reply, so these go behind those that were imported.
    let mut imported: BTreeMap<(String, String), u64> = BTreeMap::new();
    lines::read(&project.path(file::IMPORTED), "import", &mut |reply: Reply| {
        let next = imported.entry((reply.seed_id, reply.prompt)).or_default();
        *next = (*next).max(reply.sample.saturating_add(1));
        Ok(())
    })?;
    let mut ended = None;
    for batch in all.chunks(BATCH) {
        let questions: Vec<Question> = batch.iter().map(|it| it.question(project)).collect();
        let (answers, error) = if options.chat.replay {
            kept(&chat, &questions)
        } else {
            chat.ask_until_error(&questions, &|_| {})
        };
        for (asked, answer) in batch.iter().zip(answers) {
            let reply = match answer {
                Some(Answer::Reply(reply)) => reply,
                Some(Answer::Failed(reason)) => {
                    result.failed += 1;
                    *result.failures.entry(reason).or_default() += 1;
                    continue;
                }
                None => {
                    result.unanswered += 1;
                    continue;
                }
            };
            result.replies += 1;
            let of = (asked.seed.seed_id.clone(), asked.prompt.name.clone());
            let before = imported.get(&of).copied().unwrap_or(0);
            out.row(&Reply {
                seed_id: asked.seed.seed_id.clone(),
                prompt: asked.prompt.name.clone(),
                model: chat.model().map(str::to_owned),
                targets: asked.targets.clone(),
                sample: before.saturating_add(asked.sample),
                cut: reply.end == End::Cut,
                is_code: false,
                reply: reply.text,
            })?;
        }
        told(result.replies + result.failed, result.requests, chat.spent());
        match error {
            // Where a reply is missing alone, the others are of use.
            Some(ChatError::NotRecorded { .. }) if options.chat.replay => ended = error,
            Some(_) => {
                ended = error;
                break;
            }
            None => {}
        }
    }
    result.spent = chat.spent();
    match ended {
        Some(ChatError::NotRecorded { .. }) if result.replies > 0 => {}
        Some(error) => {
            if result.replies > 0 && result.replies >= count_of(&project.path(file::GENERATED)) {
                out.finish()?;
            }
            return Err(error.into());
        }
        None => {}
    }
    out.finish()?;
    Ok(result)
}

/// What stands in the file of requests, with the error where something does not.
fn kept(chat: &Chat, questions: &[Question]) -> (Vec<Option<Answer>>, Option<ChatError>) {
    let (mut answers, mut missing) = (Vec::new(), None);
    for question in questions {
        match chat.ask(question) {
            Ok(answer) => answers.push(Some(answer)),
            Err(error @ ChatError::NotRecorded { .. }) => {
                missing = Some(error);
                answers.push(None);
            }
            Err(error) => return (answers, Some(error)),
        }
    }
    (answers, missing)
}

/// How many replies a file has; none where it cannot be read.
fn count_of(path: &Path) -> u64 {
    lines::all::<serde_json::Value>(path, "generate").map_or(0, |rows| rows.len() as u64)
}

pub(crate) fn seeds(project: &Project) -> Result<Vec<Seed>, DatasetError> {
    let seeds: Vec<Seed> = lines::all(&project.path(file::SEEDS), "seeds")?;
    if seeds.is_empty() { Err(DatasetError::Missing { what: "seeds", step: "seeds" }) } else { Ok(seeds) }
}

/// The prompts of these names, or all that are repeated.
fn chosen<'p>(project: &'p Project, names: &[String]) -> Result<Vec<&'p Prompt>, DatasetError> {
    if names.is_empty() {
        return Ok(project.prompts.iter().filter(|prompt| prompt.repeats > 0).collect());
    }
    let known = || project.prompts.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(", ");
    let find = |name: &String| {
        project.prompt(name).ok_or_else(|| DatasetError::NoPrompt { name: name.clone(), known: known() })
    };
    names.iter().map(find).collect()
}

/// All questions, those of one seed and prompt together. A prompt that takes part in the study alone is asked once.
fn questions<'a>(seeds: &'a [Seed], prompts: &[&'a Prompt]) -> impl Iterator<Item = Asked<'a>> {
    let pairs: Vec<(&Seed, &Prompt)> =
        seeds.iter().flat_map(|seed| prompts.iter().map(move |prompt| (seed, *prompt))).collect();
    pairs.into_iter().flat_map(|(seed, prompt)| {
        let targets = prompt.targets_of(seed);
        let samples = if targets.is_some() { prompt.repeats.max(1) } else { 0 };
        (0..samples).map(move |sample| Asked {
            seed,
            prompt,
            targets: targets.clone().unwrap_or_default(),
            sample,
        })
    })
}

#[cfg(test)]
mod tests {
    use familiar_endpoint::Limits;
    use serde_json::json;

    use super::*;

    #[test]
    fn replies_before_a_limit_are_of_use() {
        let folder = tempfile::tempdir().expect("a folder");
        let project = Project::create(&folder.path().join("b")).expect("a benchmark");
        let seed = Seed::of_code("python", "def f(x):\n    return x\n");
        lines::write(&project.path(file::SEEDS), [&seed]).expect("it is written");
        let prompts = chosen(&project, &[]).expect("there are some");
        let seeds = [seed];
        let all: Vec<Asked<'_>> = questions(&seeds, &prompts).collect();
        let reply = json!({ "choices": [{ "message": { "content": "def g(x): return x" } }],
            "usage": { "prompt_tokens": 10, "completion_tokens": 10 } });
        let rows: String = all.iter().take(2).map(|it| it.question(&project).recorded("m", &reply)).collect();
        std::fs::write(project.path(file::REQUESTS), rows).expect("it is written");
        let run = |chat: ChatOptions| {
            let model = "http://127.0.0.1:9/v1#m".to_owned();
            let options =
                GenerateOptions { model, connection: Connection::default(), chat, prompts: Vec::new() };
            run(&project, &options, &mut |_, _, _| {})
        };
        let first = Reply {
            seed_id: all[0].seed.seed_id.clone(),
            prompt: all[0].prompt.name.clone(),
            sample: 4,
            ..Reply::default()
        };
        lines::write(&project.path(file::IMPORTED), [&first]).expect("it is written");
        let limits = Limits { tokens: Some(50), cost: None };
        let limited = run(ChatOptions { limits, at_once: 1, ..ChatOptions::default() });
        assert!(matches!(limited, Err(DatasetError::Chat(ChatError::Budget(_)))), "{limited:?}");
        let written = || lines::all::<Reply>(&project.path(file::GENERATED), "generate").expect("rows").len();
        assert_eq!(written(), 2);
        let replayed =
            run(ChatOptions { replay: true, ..ChatOptions::default() }).expect("there are replies");
        assert_eq!((replayed.replies, replayed.unanswered), (2, all.len() as u64 - 2));
        assert_eq!(written(), 2);
        assert_eq!(crate::status::status(&project).expect("it is read").replies, 3);
        let all: Vec<Reply> = lines::all(&project.path(file::GENERATED), "generate").expect("rows");
        assert_eq!(all[0].sample, 5, "behind what was imported");
    }
}
