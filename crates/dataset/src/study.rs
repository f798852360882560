//! Which prompt gives the least similar implementations? (Table I)
//!
//! Some seeds of each language are asked about with each prompt, and the similarity of lines of what comes back is averaged.

use std::collections::BTreeMap;

use familiar_endpoint::{Answer, Chat, End, Forecast, Question, Spent};
use serde::Serialize;

use crate::error::DatasetError;
use crate::filter::Measurer;
use crate::generate::{GenerateOptions, seeds};
use crate::parse::{Asked, Reader};
use crate::project::{Project, file};
use crate::prompt::Prompt;
use crate::reply::Reply;
use crate::seed::Seed;

/// Tokens that one implementation has, about: for a forecast.
const TOKENS: u64 = 150;
/// How many standard errors an interval reaches to either side: it holds the mean in 95 of 100 studies.
const REACH: f64 = 1.96;

/// What a study came to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Study {
    pub seeds_of_each_language: usize,
    /// A row for each prompt and language.
    pub rows: Vec<StudyRow>,
}

/// One prompt in one language.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StudyRow {
    pub prompt: String,
    pub lang: String,
    /// Seeds of which there is an implementation.
    pub seeds: usize,
    pub implementations: usize,
    /// Mean over seeds of the mean similarity of lines, in [0, 1].
    pub similarity: Option<f64>,
    /// Half of the interval; none for one seed.
    pub interval: Option<f64>,
}

/// What the study is going to take.
pub fn forecast(
    project: &Project,
    options: &GenerateOptions,
    of_each: usize,
) -> Result<(Forecast, Spent), DatasetError> {
    let seeds = chosen(seeds(project)?, of_each);
    let chat = familiar_endpoint::ChatOptions { replay: true, ..options.chat.clone() };
    let chat = Chat::open(&options.model, &options.connection, &project.path(file::REQUESTS), chat)?;
    let mut forecast = Forecast::default();
    for (prompt, seed) in asked(project, &seeds) {
        let tokens = prompt.expected(1) as u64 * TOKENS;
        forecast = forecast.and(chat.forecast(&[(question(project, prompt, seed), 1)], tokens));
    }
    Ok((forecast, chat.spent()))
}

/// Asks about `of_each` seeds of each language with every prompt that stays in a language.
pub fn run(project: &Project, options: &GenerateOptions, of_each: usize) -> Result<Study, DatasetError> {
    let seeds = chosen(seeds(project)?, of_each);
    let chat =
        Chat::open(&options.model, &options.connection, &project.path(file::REQUESTS), options.chat.clone())?;
    let all = asked(project, &seeds);
    let questions: Vec<Question> = all.iter().map(|(prompt, seed)| question(project, prompt, seed)).collect();
    let mut reader = Reader::new(project.settings.parse.max_bytes);
    let mut measurer = Measurer::new(false);
    let mut found: BTreeMap<(String, String), Vec<Vec<f64>>> = BTreeMap::new();
    for ((prompt, seed), answer) in all.iter().zip(chat.ask_all(&questions, &|_| {})?) {
        let of_prompt = found.entry((prompt.name.clone(), seed.lang.clone())).or_default();
        let Answer::Reply(reply) = answer else { continue };
        let reply = Reply {
            seed_id: seed.seed_id.clone(),
            prompt: prompt.name.clone(),
            cut: reply.end == End::Cut,
            reply: reply.text,
            ..Reply::default()
        };
        let (candidates, _) = reader.read(&reply, Some(&Asked::of(seed)));
        let mut similar = Vec::new();
        for candidate in candidates {
            similar.extend(measurer.pair(seed, candidate, &project.settings.filter)?.lines);
        }
        of_prompt.push(similar);
    }
    let rows = found.into_iter().map(|((prompt, lang), similar)| row(prompt, lang, &similar)).collect();
    Ok(Study { seeds_of_each_language: of_each, rows })
}

/// The first seeds of each language.
fn chosen(seeds: Vec<Seed>, of_each: usize) -> Vec<Seed> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut is_chosen = |seed: &Seed| {
        let count = counts.entry(seed.lang.clone()).or_default();
        *count += 1;
        *count <= of_each
    };
    seeds.into_iter().filter(|seed| is_chosen(seed)).collect()
}

fn asked<'a>(project: &'a Project, seeds: &'a [Seed]) -> Vec<(&'a Prompt, &'a Seed)> {
    let within = project.prompts.iter().filter(|prompt| prompt.targets.is_empty());
    within.flat_map(|prompt| seeds.iter().map(move |seed| (prompt, seed))).collect()
}

fn question(project: &Project, prompt: &Prompt, seed: &Seed) -> Question {
    prompt.question(seed, std::slice::from_ref(&seed.lang), 0, &project.settings.generate)
}

/// The mean over seeds, since implementations of one seed are alike.
fn row(prompt: String, lang: String, similar: &[Vec<f64>]) -> StudyRow {
    let of_seeds: Vec<f64> = similar
        .iter()
        .filter(|of_seed| !of_seed.is_empty())
        .map(|of_seed| of_seed.iter().sum::<f64>() / of_seed.len() as f64)
        .collect();
    let count = of_seeds.len() as f64;
    let mean = of_seeds.iter().sum::<f64>() / count;
    let variance = of_seeds.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / (count - 1.0);
    StudyRow {
        prompt,
        lang,
        seeds: of_seeds.len(),
        implementations: similar.iter().map(Vec::len).sum(),
        similarity: (!of_seeds.is_empty()).then_some(mean),
        interval: (of_seeds.len() > 1).then(|| REACH * (variance / count).sqrt()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_of_seeds() {
        let row = row("p".into(), "java".into(), &[vec![0.2, 0.4], vec![], vec![0.5]]);
        assert_eq!((row.seeds, row.implementations), (2, 3));
        assert!((row.similarity.expect("there are seeds") - 0.4).abs() < 1e-9);
        assert!((row.interval.expect("there are two") - 1.96 * 0.1).abs() < 1e-9);
    }
}
