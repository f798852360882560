//! Asks a language model for implementations of the seeds.
//!
//! Every request and its reply are kept in `requests.jsonl`. So a step that was ended asks only what was not answered, and the same replies
//! can be had again without the server.

use familiar_endpoint::{Answer, Chat, ChatOptions, Connection, End, Forecast, Question, Spent};
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
    pub spent: Spent,
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

/// Asks, and writes the replies. `told` is told how many of how many questions are answered, and what was spent.
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
    for batch in all.chunks(BATCH) {
        let asked: Vec<Question> = batch.iter().map(|it| it.question(project)).collect();
        for (asked, answer) in batch.iter().zip(chat.ask_all(&asked, &|_| {})?) {
            let Answer::Reply(reply) = answer else {
                result.failed += 1;
                continue;
            };
            result.replies += 1;
            out.row(&Reply {
                seed_id: asked.seed.seed_id.clone(),
                prompt: asked.prompt.name.clone(),
                model: chat.model().map(str::to_owned),
                targets: asked.targets.clone(),
                sample: asked.sample,
                cut: reply.end == End::Cut,
                is_code: false,
                reply: reply.text,
            })?;
        }
        told(result.replies + result.failed, result.requests, chat.spent());
    }
    out.finish()?;
    result.spent = chat.spent();
    Ok(result)
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
