//! Asks a language model, once for each question.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use familiar_http::Failure;
use serde_json::Value;

use crate::address::{Address, AddressError};
use crate::budget::{Budget, BudgetError, Limits, Prices, Spent, Tokens};
use crate::client::{AskError, Cause, Client, ClientError, Connection};
use crate::question::{Key, Question, Request};
use crate::record::{Kept, Record, RecordError};
use crate::reply::Reply;
use crate::service::Service;

/// So many answers in a row that are of no use end a run: the server is not what it should be.
const USELESS_IN_A_ROW: u32 = 8;
/// Words of a status 400 that concern one question, and not all of them.
const OF_ONE_QUESTION: [&str; 4] = ["content_filter", "content_policy", "context_length", "maximum context"];

/// How a model is asked.
#[derive(Clone, Debug)]
pub struct ChatOptions {
    /// Ask nobody: every reply has to be in the file.
    pub replay: bool,
    pub prices: Option<Prices>,
    pub limits: Limits,
    /// Requests at a time.
    pub at_once: usize,
    /// Fields that replace those of the request; those without a value are left out.
    pub fields: Vec<(String, Option<Value>)>,
}

impl Default for ChatOptions {
    /// Without prices and limits, four requests at a time.
    fn default() -> Self {
        Self { replay: false, prices: None, limits: Limits::default(), at_once: 4, fields: Vec::new() }
    }
}

/// What came of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Reply(Reply),
    /// The server answered, and that is of no use.
    Failed(String),
}

/// Why a run ends. Everything that was answered before is kept.
#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    #[error("--llm: {address}; {advice}", advice = Service::CHAT.advice())]
    Address { address: AddressError },
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The server was asked, and no other question would fare better.
    #[error("{reason}")]
    Server { reason: String },
    #[error("{answers} answers in a row are of no use; the last one: {reason}")]
    Useless { answers: u32, reason: String },
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Budget(#[from] BudgetError),
    #[error(
        "{path} has no reply to a request of this run, and nobody is asked with --replay; run it without --replay"
    )]
    NotRecorded { path: String },
}

/// What questions are going to take, about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Forecast {
    /// Questions that were not answered before.
    pub requests: u64,
    /// About so many tokens.
    pub expected: Tokens,
    /// No more than so many.
    pub most: Tokens,
    pub expected_cost: Option<f64>,
    pub most_cost: Option<f64>,
}

impl Forecast {
    /// Both together.
    pub fn and(self, other: Self) -> Self {
        // Nothing costs nothing.
        let sum = |a: Option<f64>, b: Option<f64>| [a, b].into_iter().flatten().reduce(|a, b| a + b);
        Self {
            requests: self.requests + other.requests,
            expected: self.expected.and(other.expected),
            most: self.most.and(other.most),
            expected_cost: sum(self.expected_cost, other.expected_cost),
            most_cost: sum(self.most_cost, other.most_cost),
        }
    }
}

/// A language model, and the file of what it was asked.
pub struct Chat {
    address: Address,
    /// Nobody with `replay`.
    client: Option<Client>,
    record: Record,
    budget: Budget,
    at_once: usize,
    fields: Vec<(String, Option<Value>)>,
    useless: AtomicU32,
    under_way: UnderWay,
}

/// Requests that are being made.
#[derive(Debug, Default)]
struct UnderWay {
    keys: Mutex<BTreeSet<Key>>,
    ended: Condvar,
}

/// A request that is being made, until this goes.
struct Turn<'u> {
    all: &'u UnderWay,
    key: Key,
}

impl UnderWay {
    /// Waits until nobody makes this request.
    fn enter(&self, key: Key) -> Turn<'_> {
        let mut keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner);
        while !keys.insert(key) {
            keys = self.ended.wait(keys).unwrap_or_else(PoisonError::into_inner);
        }
        Turn { all: self, key }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.all.keys.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.key);
        self.all.ended.notify_all();
    }
}

impl Chat {
    /// The model that `address`, which is `URL#MODEL`, stands for. What is asked is kept in the file `record`. The server is not asked
    /// yet. Fails where no model is named.
    pub fn open(
        address: &str,
        connection: &Connection,
        record: &Path,
        options: ChatOptions,
    ) -> Result<Self, ChatError> {
        let address = address.strip_prefix("api:").unwrap_or(address);
        let wrong = |address| ChatError::Address { address };
        let address = Address::parse(address, &Service::CHAT).map_err(wrong)?;
        if address.model().is_none() {
            return Err(wrong(AddressError::Model));
        }
        let client =
            if options.replay { None } else { Some(Client::new(&address, Service::CHAT, connection)?) };
        let budget = Budget::new(options.prices, options.limits)?;
        let record = Record::open(record, options.replay, &mut |request, kept, unused| {
            budget.count(tokens_of(request, kept, unused).and(unused.unwrap_or_default()));
        })?;
        let (at_once, fields) = (options.at_once.max(1), options.fields);
        let (useless, under_way) = (AtomicU32::new(0), UnderWay::default());
        Ok(Self { address, client, record, budget, at_once, fields, useless, under_way })
    }

    /// The name of the model.
    pub fn model(&self) -> Option<&str> {
        self.address.model()
    }

    /// Where the model is, without what is secret.
    pub fn name(&self) -> String {
        self.address.name()
    }

    /// What all requests of the file have taken.
    pub fn spent(&self) -> Spent {
        self.budget.spent()
    }

    /// The name of a question in the file.
    pub fn key(&self, question: &Question) -> String {
        crate::question::hexadecimal(&self.request(question).key())
    }

    /// What questions are going to take that were not answered before, if a reply has `reply_tokens`. Each of `questions` is asked so
    /// many times.
    pub fn forecast(&self, questions: &[(Question, u64)], reply_tokens: u64) -> Forecast {
        let mut forecast = Forecast::default();
        for (question, times) in questions {
            let left = |sample: &u64| {
                let one = Question { sample: question.sample + sample, ..question.clone() };
                !self.record.knows(&self.request(&one).key())
            };
            let requests = (0..*times).filter(left).count() as u64;
            forecast.requests += requests;
            let most = self.request(question).most_output().unwrap_or(question.max_tokens);
            let of = |output: u64| Tokens {
                input: question.estimated_tokens() * requests,
                output: output.min(most).saturating_mul(requests),
                estimated: true,
            };
            forecast.expected = forecast.expected.and(of(reply_tokens));
            forecast.most = forecast.most.and(of(most));
        }
        let prices = self.budget.prices();
        forecast.expected_cost = prices.map(|it| it.cost(forecast.expected));
        forecast.most_cost = prices.map(|it| it.cost(forecast.most));
        forecast
    }

    /// Asks the question, unless it was answered before. Where it is being asked now, the answer is waited for.
    pub fn ask(&self, question: &Question) -> Result<Answer, ChatError> {
        let request = self.request(question);
        let asked = question.estimated_tokens();
        let _turn = self.under_way.enter(request.key());
        if let Some(kept) = self.record.get(&request.key())? {
            return Ok(answer_of(&kept, asked));
        }
        let Some(client) = &self.client else {
            return Err(ChatError::NotRecorded { path: self.record.path().display().to_string() });
        };
        let most =
            self.budget.most(asked.max(request.input()), request.most_output(), question.max_tokens)?;
        self.budget.reserve(most)?;
        let asked_for = self.asked(client, &request, (asked, most));
        let (kept, unused) = match asked_for {
            Ok(kept) => kept,
            Err(error) => {
                self.budget.settle(most, None);
                return Err(error);
            }
        };
        self.budget.settle(most, Some(tokens_of(&request, &kept, unused)));
        self.record.add(&request, &kept, unused)?;
        Ok(answer_of(&kept, asked))
    }

    /// Asks all questions, several at a time. The answers are in the order of the questions. `done` is told of each answer. After an error
    /// no further question is asked, and the error is that of the first question that has one.
    pub fn ask_all(
        &self,
        questions: &[Question],
        done: &(dyn Fn(&Answer) + Sync),
    ) -> Result<Vec<Answer>, ChatError> {
        let (answers, error) = self.ask_until_error(questions, done);
        error.map_or_else(|| Ok(answers.into_iter().flatten().collect()), Err)
    }

    /// As [`Chat::ask_all`], with the answers that there are where there is an error, too.
    pub fn ask_until_error(
        &self,
        questions: &[Question],
        done: &(dyn Fn(&Answer) + Sync),
    ) -> (Vec<Option<Answer>>, Option<ChatError>) {
        let next = AtomicUsize::new(0);
        let answers: Mutex<Vec<(usize, Result<Answer, ChatError>)>> = Mutex::default();
        let work = || {
            while let Some((at, question)) = {
                let at = next.fetch_add(1, Ordering::Relaxed);
                questions.get(at).map(|question| (at, question))
            } {
                let answer = self.ask(question);
                match &answer {
                    Ok(answer) => done(answer),
                    Err(_) => next.store(questions.len(), Ordering::Relaxed),
                }
                answers.lock().unwrap_or_else(PoisonError::into_inner).push((at, answer));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.at_once.min(questions.len()) {
                scope.spawn(work);
            }
            work();
        });
        let mut found = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(at, _)| *at);
        let (mut answers, mut error) = (vec![None; questions.len()], None);
        for (at, answer) in found {
            match answer {
                Ok(answer) => answers[at] = Some(answer),
                Err(first) => error = error.or(Some(first)),
            }
        }
        (answers, error)
    }

    fn request(&self, question: &Question) -> Request {
        question.request(self.address.model(), &self.fields)
    }

    /// What came of the request, and what tries took that gave no reply; an error where no other request would fare better.
    fn asked(
        &self,
        client: &Client,
        request: &Request,
        (asked, most): (u64, Tokens),
    ) -> Result<(Kept, Option<Tokens>), ChatError> {
        let body = request.body.to_string();
        let unused: RefCell<Option<Tokens>> = RefCell::new(None);
        let over: RefCell<Option<BudgetError>> = RefCell::new(None);
        let read = |answer: Vec<u8>| {
            read(client, &answer, asked).map_err(|failure| {
                let Some(taken) = serde_json::from_slice(&answer).ok().and_then(|it| Reply::unused(&it))
                else {
                    return failure;
                };
                let before = unused.take().unwrap_or_default();
                unused.replace(Some(before.and(taken)));
                match (self.budget.waste(taken, most), failure) {
                    // Another try might pass the limit.
                    (Err(error), Failure::Passing { error: useless, .. }) => {
                        over.replace(Some(error));
                        Failure::Final(useless)
                    }
                    (_, failure) => failure,
                }
            })
        };
        let answer = client.post_and_read(body.as_bytes(), read);
        let unused = unused.take();
        let reason = match answer {
            Ok(reply) => {
                self.useless.store(0, Ordering::Relaxed);
                return Ok((Kept::Reply(reply), unused));
            }
            Err(AskError { reason, cause }) => match cause {
                Cause::Useless | Cause::TooLarge => reason,
                Cause::Status(400) if OF_ONE_QUESTION.iter().any(|word| reason.contains(word)) => reason,
                Cause::Status(_) | Cause::Connection | Cause::WrongServer => {
                    return Err(ChatError::Server { reason });
                }
            },
        };
        if let Some(over) = over.take() {
            return Err(over.into());
        }
        if self.useless.fetch_add(1, Ordering::Relaxed) + 1 >= USELESS_IN_A_ROW {
            return Err(ChatError::Useless { answers: USELESS_IN_A_ROW, reason });
        }
        Ok((Kept::Failure(reason), unused))
    }
}

/// The answer of the server, if it holds a reply.
fn read(client: &Client, answer: &[u8], asked: u64) -> Result<Value, Failure<AskError>> {
    let excerpt = || client.start_of(answer);
    let parsed: Value = match serde_json::from_slice(answer) {
        Ok(parsed) => parsed,
        Err(_) if answer.trim_ascii_start().starts_with(b"<") => {
            let reason = format!(
                "the answer is a page and no JSON: {}; does the URL end before /chat/completions?",
                excerpt()
            );
            return Err(Failure::Final(AskError { reason, cause: Cause::WrongServer }));
        }
        Err(error) => {
            let reason = format!("the answer is no JSON ({error}): {}", excerpt());
            return Err(Failure::passing(AskError { reason, cause: Cause::Useless }));
        }
    };
    match Reply::of(&parsed, asked) {
        Ok(_) => Ok(parsed),
        Err(what) => {
            let reason = format!("the answer holds {what}: {}", excerpt());
            Err(Failure::passing(AskError { reason, cause: Cause::Useless }))
        }
    }
}

fn answer_of(kept: &Kept, asked: u64) -> Answer {
    match kept {
        Kept::Reply(reply) => Reply::of(reply, asked).map_or_else(Answer::Failed, Answer::Reply),
        Kept::Failure(reason) => Answer::Failed(reason.clone()),
    }
}

/// What a request took beside `unused`, which is what the server counted of tries without a reply. Where it counts none of these, they
/// may have cost something, too.
fn tokens_of(request: &Request, kept: &Kept, unused: Option<Tokens>) -> Tokens {
    let asked = request.input();
    match (answer_of(kept, asked), unused) {
        (Answer::Reply(reply), _) => reply.tokens,
        (Answer::Failed(_), Some(_)) => Tokens::default(),
        (Answer::Failed(_), None) => Tokens { input: asked, output: 0, estimated: true },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_added_up() {
        let one = Forecast { expected_cost: Some(1.5), ..Forecast::default() };
        assert_eq!(Forecast::default().and(one).and(one).expected_cost, Some(3.0));
        assert_eq!(Forecast::default().and(Forecast::default()).expected_cost, None);
    }
}
