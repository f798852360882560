//! One step of a design after another.

use familiar_endpoint::{Answer, Chat, ChatError, ChatOptions, End, Forecast, Question, Spent};
use familiar_engine::members::RunOptions;
use familiar_engine::verify::{Verifier, VerifyOptions};
use familiar_source::words::hexadecimal;
use sha2::{Digest, Sha256};

use crate::described::Description;
use crate::draw::{Drawn, draw};
use crate::error::DesignError;
use crate::folder::{Project, REQUESTS};
use crate::options::{DesignOptions, News};
use crate::prompts;
use crate::result::{Asked, Best, DesignResult, Designed, Implementations, Settings};
use crate::reward::{Judge, Tally};
use crate::written::Written;

/// So many requests more than transformations are wanted are made, per transformation and in all.
const MORE_REQUESTS: u64 = 3;
const SOME_REQUESTS: u64 = 5;
/// Tokens that replies have, about: for a forecast.
const DESIGN_TOKENS: u64 = 400;
const PROGRAM_TOKENS: u64 = 1_800;
/// Bytes of a description, about: for a forecast.
const DESCRIPTION_BYTES: usize = 1_200;

/// What the run is going to take, and what was spent on the project before. Programs are drawn, and nobody is asked.
pub fn forecast(options: &DesignOptions) -> Result<(Forecast, Spent), DesignError> {
    let drawn = draw(options, &verifier(options)?)?;
    // Whoever only reads makes no files.
    let chat = ChatOptions { replay: true, ..options.chat.clone() };
    let chat = Chat::open(&options.model, &options.connection, &options.folder.join(REQUESTS), chat)?;
    Ok((forecast_of(options, &chat, &drawn), chat.spent()))
}

/// Designs transformations. `tell` is told what happens.
pub fn run(options: &DesignOptions, tell: &(dyn Fn(News<'_>) + Sync)) -> Result<DesignResult, DesignError> {
    let verifier = verifier(options)?;
    let drawn = draw(options, &verifier)?;
    tell(News::Drawn { examples: drawn.examples.len(), programs: drawn.programs.len() });
    let project = Project::open(&options.folder)?;
    let requests = options.folder.join(REQUESTS);
    let chat = Chat::open(&options.model, &options.connection, &requests, options.chat.clone())?;
    let settings = settings(options, &chat, &drawn);
    project.check(&settings)?;
    tell(News::Forecast { forecast: forecast_of(options, &chat, &drawn), spent: chat.spent() });
    let work = Work { options, tell, chat: &chat, drawn: &drawn, project: &project, verifier: &verifier };
    work.run(settings)
}

fn verifier(options: &DesignOptions) -> Result<Verifier, DesignError> {
    let verify = VerifyOptions {
        unsandboxed: options.unsandboxed,
        apart: true,
        seconds: None,
        seed: options.seed,
        threads: options.threads,
    };
    Ok(Verifier::new(&verify)?)
}

fn settings(options: &DesignOptions, chat: &Chat, drawn: &Drawn) -> Settings {
    let mut hash = Sha256::new();
    for example in &drawn.examples {
        hash.update((example.len() as u64).to_le_bytes());
        hash.update(example);
    }
    Settings {
        model: chat.model().unwrap_or_default().to_owned(),
        seed: options.seed,
        examples: options.examples,
        design_temperature: options.design_temperature,
        temperature: options.temperature,
        max_tokens: options.max_tokens,
        examples_sha256: hexadecimal(&hash.finalize()),
    }
}

/// What is left to ask, if each request for a transformation has one.
fn forecast_of(options: &DesignOptions, chat: &Chat, drawn: &Drawn) -> Forecast {
    let examples = drawn.examples_of(0, options.examples, options.seed);
    let listed = "x".repeat(DESCRIPTION_BYTES);
    let known = vec![("Some Transformation", listed.as_str()); options.count / 2];
    let design = question(options, options.design_temperature, prompts::design(&examples, &known), 0);
    let implement = prompts::implement("Some Transformation", &listed);
    let implement = question(options, options.temperature, implement, 0);
    let (count, each) = (options.count as u64, options.implementations as u64);
    let left = count + count * each - chat.spent().answered.min(count + count * each);
    // What was answered first are requests for transformations.
    let implementations = left.min(count * each);
    chat.forecast(&[(design, left - implementations)], DESIGN_TOKENS)
        .and(chat.forecast(&[(implement, implementations)], PROGRAM_TOKENS))
}

fn question(options: &DesignOptions, temperature: f64, text: String, sample: u64) -> Question {
    Question {
        seed: Some(options.seed.wrapping_add(sample)),
        max_tokens: options.max_tokens,
        sample,
        ..Question::new(text).at_temperature(temperature)
    }
}

/// What all steps use.
struct Work<'w> {
    options: &'w DesignOptions,
    tell: &'w (dyn Fn(News<'_>) + Sync),
    chat: &'w Chat,
    drawn: &'w Drawn,
    project: &'w Project,
    verifier: &'w Verifier,
}

impl Work<'_> {
    fn run(&self, settings: Settings) -> Result<DesignResult, DesignError> {
        let mut result = DesignResult {
            schema: DesignResult::SCHEMA,
            settings,
            detector: self.options.detector.name().to_owned(),
            programs: self.drawn.programs.len() as u64,
            is_complete: false,
            asked: Asked::default(),
            spent: self.chat.spent(),
            designs: Vec::new(),
        };
        let descriptions = self.descriptions(&mut result.asked)?;
        for (description, request) in &descriptions {
            let (designed, program) = self.implemented(description, request.clone())?;
            if let Some(program) = program {
                let (model, detector) = (&result.settings.model, &result.detector);
                self.project.write(&designed, &program, model, detector)?;
            }
            result.designs.push(designed);
            result.spent = self.chat.spent();
            let last = result.designs.last();
            (self.tell)(News::Rewarded {
                title: &description.title,
                reward: last.and_then(|it| it.best.as_ref()).map(|best| best.reward),
                designs: result.designs.len(),
                of: descriptions.len(),
                spent: result.spent,
            });
            result.is_complete = result.designs.len() == self.options.count;
            self.project.write_account(&result)?;
        }
        Ok(result)
    }

    /// Asks for transformations until there are as many as wanted, each with the name of its request.
    fn descriptions(&self, asked: &mut Asked) -> Result<Vec<(Description, String)>, DesignError> {
        let mut designs: Vec<(Description, String)> = Vec::new();
        let most = self.options.count as u64 * MORE_REQUESTS + SOME_REQUESTS;
        while designs.len() < self.options.count && asked.requests < most {
            let examples = self.drawn.examples_of(asked.requests, self.options.examples, self.options.seed);
            let known: Vec<(&str, &str)> =
                designs.iter().map(|(it, _)| (it.title.as_str(), it.text.as_str())).collect();
            let text = prompts::design(&examples, &known);
            let question = question(self.options, self.options.design_temperature, text, asked.requests);
            asked.requests += 1;
            let new = match self.chat.ask(&question)? {
                Answer::Failed(_) => {
                    asked.failed += 1;
                    None
                }
                Answer::Reply(reply) if reply.end == End::Refused => {
                    asked.refused += 1;
                    None
                }
                // What ends in the middle cannot be implemented.
                Answer::Reply(reply) => {
                    match Description::of(&reply.text).filter(|_| reply.end != End::Cut) {
                        None => {
                            asked.without_design += 1;
                            None
                        }
                        Some(new) if designs.iter().any(|(known, _)| known.is(&new)) => {
                            asked.twice += 1;
                            None
                        }
                        new => new,
                    }
                }
            };
            let title = new.as_ref().map(|it| it.title.clone());
            designs.extend(new.map(|new| (new, self.chat.key(&question))));
            asked.designs = designs.len() as u64;
            (self.tell)(News::Asked {
                designs: designs.len(),
                of: self.options.count,
                title: title.as_deref(),
                spent: self.chat.spent(),
            });
        }
        if designs.is_empty() {
            let Asked { twice, without_design, refused, failed, .. } = *asked;
            let reason = format!(
                "{without_design} have no whole name and description, {refused} refuse, {failed} are of no use, {twice} say nothing new"
            );
            return Err(DesignError::NoDesign { asked: asked.requests, reason });
        }
        Ok(designs)
    }

    /// Asks for implementations of a transformation, and runs them. Gives the account of it, and the best program.
    fn implemented(
        &self,
        description: &Description,
        request: String,
    ) -> Result<(Designed, Option<String>), DesignError> {
        let text = prompts::implement(&description.title, &description.text);
        let of = self.options.implementations;
        let questions: Vec<Question> = (0..of as u64)
            .map(|sample| question(self.options, self.options.temperature, text.clone(), sample))
            .collect();
        let written = self.written(description, &questions)?;
        let mut counts = counts_of(&written);
        let mut programs: Vec<(&str, &Question)> = Vec::new();
        for (written, question) in written.iter().zip(&questions) {
            if let Written::Program(program) = written
                && programs.iter().all(|(known, _)| known != program)
            {
                programs.push((program, question));
            }
        }
        counts.different = programs.len() as u64;
        let best = self.best(description, &programs, &mut counts)?;
        let program = best.as_ref().map(|(at, _)| programs[*at].0.to_owned());
        let best = best.map(|(at, tally)| self.account_of(&tally, programs[at]));
        let designed = Designed {
            name: description.name.clone(),
            title: description.title.clone(),
            description: description.text.clone(),
            request,
            implementations: counts,
            best,
        };
        Ok((designed, program))
    }

    fn written(&self, description: &Description, questions: &[Question]) -> Result<Vec<Written>, ChatError> {
        let done = std::sync::atomic::AtomicUsize::new(0);
        let answers = self.chat.ask_all(questions, &|_| {
            let done = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
            let (title, spent) = (description.title.as_str(), self.chat.spent());
            (self.tell)(News::Implemented { title, done, of: questions.len(), spent });
        })?;
        Ok(answers.iter().map(Written::of).collect())
    }

    /// The best of some programs by their rewards, if one is of use. One that does not the same each time is passed over.
    fn best(
        &self,
        description: &Description,
        programs: &[(&str, &Question)],
        counts: &mut Implementations,
    ) -> Result<Option<(usize, Tally)>, DesignError> {
        if programs.is_empty() {
            return Ok(None);
        }
        let (options, all) = (self.options, self.drawn.programs.len());
        let judge = Judge {
            verifier: self.verifier,
            detector: &options.detector,
            run: RunOptions { unsandboxed: options.unsandboxed, threads: options.threads },
            programs: &self.drawn.programs,
        };
        let mut left: Vec<usize> = (0..programs.len()).collect();
        while !left.is_empty() {
            let texts: Vec<&str> = left.iter().map(|&at| programs[at].0).collect();
            let tallies = judge.tallies(&texts, &|tried| {
                (self.tell)(News::Tested { title: &description.title, programs: tried, of: all });
            })?;
            let (whole, given_up): (Vec<_>, Vec<_>) =
                left.into_iter().zip(tallies).partition(|(_, tally)| tally.programs == all);
            counts.given_up = given_up.len() as u64;
            let mut whole: Vec<(usize, Tally)> =
                whole.into_iter().filter(|(_, tally)| tally.distance > 0.0).collect();
            whole.sort_by(|a, b| b.1.distance.total_cmp(&a.1.distance).then(a.0.cmp(&b.0)));
            for (at, tally) in whole {
                if judge.is_stable(programs[at].0, &tally)? {
                    return Ok(Some((at, tally)));
                }
                counts.unstable += 1;
            }
            // Others were given up for the sake of those, so they have their turn now.
            left = given_up.into_iter().map(|(at, _)| at).collect();
        }
        Ok(None)
    }

    fn account_of(&self, tally: &Tally, (program, question): (&str, &Question)) -> Best {
        Best {
            request: self.chat.key(question),
            reward: tally.reward(self.drawn.programs.len()),
            programs: tally.programs as u64,
            applied: tally.applied as u64,
            correct: tally.correct as u64,
            distance: tally.distance / tally.correct.max(1) as f64,
            unchanged: tally.troubles.iter().map(|(it, count)| (it.reason(), *count)).collect(),
            program_sha256: hexadecimal(&Sha256::digest(program)),
        }
    }
}

fn counts_of(written: &[Written]) -> Implementations {
    let mut counts = Implementations { requests: written.len() as u64, ..Implementations::default() };
    for one in written {
        let count = match one {
            Written::Program(_) => &mut counts.programs,
            Written::Refused => &mut counts.refused,
            Written::WithoutCode => &mut counts.without_code,
            Written::Cut => &mut counts.cut,
            Written::NotPython => &mut counts.not_python,
            Written::Failed => &mut counts.failed,
        };
        *count += 1;
    }
    counts
}
