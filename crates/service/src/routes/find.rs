//! Who has this code?

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::IntoResponse;
use familiar_library::FindOptions;
use familiar_model::Builtin;
use familiar_report::find::SCHEMA;
use familiar_source::{Language, Lines};
use familiar_syntax::Limits;
use futures_util::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::body::Body;
use crate::caller::Caller;
use crate::finders::{Question, Rendered};
use crate::peers::{Part, Unanswered, merge};
use crate::problem::{Answer, Problem};
use crate::state::Server;
use crate::tokens::Scope;

/// Some code, and where it is looked for.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Find {
    /// The code.
    code: String,
    /// What it is called; the name may tell its language.
    path: Option<String>,
    /// Its language; recognized where none is given.
    #[schema(example = "python")]
    language: Option<String>,
    /// The corpus that is asked.
    #[schema(example = "world")]
    corpus: Option<String>,
    /// In its place, several that are asked at once, of this server and of its peers; their answers are merged by blob. Where a peer does not
    /// answer, `partial` is true and `unanswered` says who and why. 32 at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    corpora: Option<Vec<String>>,
    /// Only these lines of the code.
    start_line: Option<u32>,
    end_line: Option<u32>,
    /// Some of 1, 2, 3 and 4 [default: 1, 2 and 3]. Type 4 needs a corpus with vectors.
    types: Option<Vec<u8>>,
    /// Least probability of a Type-4 pair, above 0 and below 1 [default: 0.75].
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    /// Whether it is said what makes functions of type 4 alike; needs 4 in `types`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    explain: bool,
    /// Least share of the code that a blob has, from 0 to 1.
    coverage: Option<f64>,
    /// Fewest tokens of a run. Less than 40 counts as 40: no shorter run is looked up.
    min_tokens: Option<u32>,
    /// Whether blobs of other languages count.
    #[serde(default)]
    cross_language: bool,
    /// Most blobs that are listed, 500 at the most [default: 20].
    limit: Option<usize>,
    /// Whether each blob is told with `matched_text`: for each of its `matched_lines`, the lines there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    text: bool,
}

/// Looks code up in a corpus: which blobs hold all or part of it, where they stand, who was first.
#[utoipa::path(post, path = "/api/v1/find", tag = "find", request_body = Find, responses(
    (status = 200, description = "`familiar.find/1`", body = serde_json::Value)
))]
pub(super) async fn find(
    State(server): State<Arc<Server>>,
    caller: Caller,
    headers: HeaderMap,
    Body(find): Body<Find>,
) -> Answer<impl IntoResponse> {
    caller.needs(Scope::Read)?;
    let json = match (&find.corpus, &find.corpora) {
        (Some(corpus), None) if server.peers.split(corpus, &headers).is_none() => {
            server.finders.ask(find.question(&server, corpus)?).await?
        }
        (Some(corpus), None) => among(&server, &find, std::slice::from_ref(corpus), &headers).await?,
        (None, Some(corpora)) if (1..=MOST_CORPORA).contains(&corpora.len()) => {
            among(&server, &find, corpora, &headers).await?
        }
        (None, Some(_)) => {
            return Err(Problem::unprocessable(format!("`corpora` takes 1 to {MOST_CORPORA} names")));
        }
        _ => return Err(Problem::unprocessable("give either `corpus` or `corpora`")),
    };
    Ok(([(header::CONTENT_TYPE, "application/json")], json))
}

/// Pieces of code, and where they are looked for; what is asked of all is as of one.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FindSet {
    /// 100 at most.
    queries: Vec<Piece>,
    #[schema(example = "world")]
    corpus: String,
    types: Option<Vec<u8>>,
    confidence: Option<f64>,
    #[serde(default)]
    explain: bool,
    coverage: Option<f64>,
    min_tokens: Option<u32>,
    #[serde(default)]
    cross_language: bool,
    /// Most blobs that are listed of each.
    limit: Option<usize>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Piece {
    code: String,
    /// What it is called in the answer; the name may tell its language.
    path: String,
    language: Option<String>,
}

/// What a set of queries is answered with: `familiar.find/1`, and what could not be asked.
#[derive(Serialize)]
pub(super) struct Answers {
    schema: &'static str,
    /// Those that were asked, in their order.
    queries: Vec<Box<RawValue>>,
    skipped: Vec<SkippedPiece>,
}

#[derive(Serialize)]
struct SkippedPiece {
    path: String,
    reason: String,
}

/// Most queries of a set.
const MOST_QUERIES: usize = 100;

/// Looks pieces of code up in a corpus, such as the files of a change.
#[utoipa::path(post, path = "/api/v1/find/queries", tag = "find", request_body = FindSet, responses(
    (status = 200, description = "`familiar.find/1`", body = serde_json::Value)
))]
pub(super) async fn queries(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Body(set): Body<FindSet>,
) -> Answer<Json<Answers>> {
    caller.needs(Scope::Read)?;
    if set.queries.is_empty() || set.queries.len() > MOST_QUERIES {
        return Err(Problem::unprocessable(format!("`queries` takes 1 to {MOST_QUERIES} queries")));
    }
    let finds: Vec<Find> = set
        .queries
        .into_iter()
        .map(|piece| Find {
            code: piece.code,
            path: Some(piece.path),
            language: piece.language,
            corpus: Some(set.corpus.clone()),
            corpora: None,
            start_line: None,
            end_line: None,
            types: set.types.clone(),
            confidence: set.confidence,
            explain: set.explain,
            coverage: set.coverage,
            min_tokens: set.min_tokens,
            cross_language: set.cross_language,
            limit: set.limit,
            text: false,
        })
        .collect();
    let questions =
        finds.iter().map(|find| find.question(&server, &set.corpus)).collect::<Answer<Vec<_>>>()?;
    let asked = join_all(questions.into_iter().map(|question| server.finders.ask(question))).await;
    let mut answers = Answers { schema: SCHEMA, queries: Vec::new(), skipped: Vec::new() };
    for (find, answer) in finds.into_iter().zip(asked) {
        match answer {
            Ok(json) => {
                let text = String::from_utf8(json).map_err(|error| Problem::internal(&error))?;
                answers.queries.push(RawValue::from_string(text).map_err(|error| Problem::internal(&error))?);
            }
            Err(problem) if problem.is_unprocessable() => {
                let path = find.path.unwrap_or_default();
                answers.skipped.push(SkippedPiece { path, reason: problem.detail().to_owned() });
            }
            Err(problem) => return Err(problem),
        }
    }
    Ok(Json(answers))
}

/// Most corpora of one question.
const MOST_CORPORA: usize = 32;

/// Asks several corpora at the same time, here and of peers, and merges what they say.
async fn among(server: &Server, find: &Find, corpora: &[String], headers: &HeaderMap) -> Answer<Vec<u8>> {
    // What is known here counts before what others say.
    let mut names: Vec<&String> = corpora.iter().collect();
    names.sort_by_key(|name| (server.peers.split(name, headers).is_some(), *name));
    names.dedup();
    let ask = |corpus: &String| {
        let corpus = corpus.clone();
        async move {
            if let Some((peer, theirs)) = server.peers.split(&corpus, headers) {
                return find.at_peer(server, peer, theirs, &corpus).await;
            }
            let json = server.finders.ask(find.question(server, &corpus)?).await?;
            let answer = serde_json::from_slice(&json).map_err(|error| Problem::internal(&error))?;
            let part = Part::checked(corpus, answer);
            part.map(Ok)
                .ok_or_else(|| Problem::internal(&"an answer of this server is not in its own format"))
        }
    };
    let (mut parts, mut unanswered) = (Vec::new(), Vec::new());
    for answer in join_all(names.into_iter().map(ask)).await {
        match answer? {
            Ok(part) => parts.push(part),
            Err(failed) => unanswered.push(failed),
        }
    }
    if parts.is_empty() {
        let who: Vec<String> = unanswered.iter().map(|one| format!("{}: {}", one.peer, one.reason)).collect();
        return Err(Problem::new(StatusCode::BAD_GATEWAY, format!("no peer answered ({})", who.join("; "))));
    }
    let mut merged = merge(&parts, find.limit.unwrap_or(LIMIT));
    if !unanswered.is_empty() {
        merged["partial"] = true.into();
        merged["unanswered"] = serde_json::to_value(unanswered).expect("texts");
    }
    Ok(merged.to_string().into_bytes())
}

/// Blobs that are listed where nobody says how many.
const LIMIT: usize = 20;

impl Find {
    fn question(&self, server: &Server, corpus: &str) -> Answer<Question> {
        Ok(Question {
            folder: server.corpus(corpus)?,
            options: self.options()?,
            language: self.language()?,
            lines: self.lines()?,
            corpus: corpus.to_owned(),
            path: self.path.clone().unwrap_or_else(|| "-".to_owned()),
            code: self.code.clone(),
            rendered: if self.text { Rendered::JsonWithText } else { Rendered::Json },
        })
    }

    /// What a peer says; what is wrong with the question itself is told as here.
    async fn at_peer(
        &self,
        server: &Server,
        peer: &str,
        theirs: &str,
        corpus: &str,
    ) -> Answer<Result<Part, Unanswered>> {
        self.options()?;
        self.language()?;
        self.lines()?;
        let asked = Self { corpus: Some(theirs.to_owned()), corpora: None, ..self.clone() };
        let body = serde_json::to_value(asked).map_err(|error| Problem::internal(&error))?;
        let answer = server.peers.ask(&server.metrics, peer, "/api/v1/find", Some(body)).await;
        Ok(answer.and_then(|answer| {
            Part::checked(corpus.to_owned(), answer).ok_or_else(|| Unanswered {
                peer: peer.to_owned(),
                reason: "its answer is not in the format familiar.find/1".to_owned(),
            })
        }))
    }

    fn options(&self) -> Answer<FindOptions> {
        let default = FindOptions::default();
        let types = self.types.clone().unwrap_or(default.types);
        let is_semantic = types.contains(&4);
        if self.explain && !is_semantic {
            return Err(Problem::unprocessable(
                "`explain` says what makes Type-4 pairs alike: `types` has to contain 4",
            ));
        }
        let options = FindOptions {
            encoder: is_semantic.then(|| Arc::new(Builtin::shipped().clone()) as _),
            types,
            confidence: self.confidence.unwrap_or(default.confidence),
            explain: self.explain.then(Limits::default),
            min_coverage: self.coverage.unwrap_or(default.min_coverage),
            min_tokens: self.min_tokens.unwrap_or(default.min_tokens),
            cross_language: self.cross_language,
            limit: self.limit.unwrap_or(LIMIT),
            ..FindOptions::default()
        };
        if options.types.is_empty() || options.types.iter().any(|clone_type| !(1..=4).contains(clone_type)) {
            return Err(Problem::unprocessable("`types` may contain 1, 2, 3 and 4"));
        }
        if !(options.confidence > 0.0 && options.confidence < 1.0) {
            return Err(Problem::unprocessable("`confidence` is a number above 0 and below 1"));
        }
        if options.limit > 500 {
            return Err(Problem::unprocessable("`limit` is a number up to 500"));
        }
        if !(0.0..=1.0).contains(&options.min_coverage) {
            return Err(Problem::unprocessable("`coverage` is a number from 0 to 1"));
        }
        options.check().map_err(|error| Problem::unprocessable(error.to_string()))?;
        Ok(options)
    }

    fn language(&self) -> Answer<Option<Language>> {
        let Some(name) = self.language.as_deref().filter(|name| !name.is_empty()) else { return Ok(None) };
        Language::from_name(name)
            .map(Some)
            .ok_or_else(|| Problem::unprocessable(format!("{name:?} is not a known language")))
    }

    fn lines(&self) -> Answer<Option<Lines>> {
        match (self.start_line, self.end_line) {
            (None, None) => Ok(None),
            (Some(start), Some(end)) if 0 < start && start <= end => Ok(Some(Lines { start, end })),
            _ => Err(Problem::unprocessable(
                "give both `start_line` and `end_line`, counted from 1, with the start not after the end",
            )),
        }
    }
}
