//! Who has this code?

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use familiar_engine::corpus::FindOptions;
use familiar_source::{Language, Lines};
use serde::Deserialize;
use utoipa::ToSchema;

use super::body::Body;
use super::corpora::folder;
use crate::caller::Caller;
use crate::finders::{Question, Rendered};
use crate::problem::{Answer, Problem};
use crate::server::Server;
use crate::tokens::Scope;

/// Some code, and where it is looked for.
#[derive(Deserialize, ToSchema)]
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
    corpus: String,
    /// Only these lines of the code.
    start_line: Option<u32>,
    end_line: Option<u32>,
    /// Some of 1, 2 and 3 [default: all of them].
    types: Option<Vec<u8>>,
    /// Least share of the code that a blob has, from 0 to 1.
    coverage: Option<f64>,
    /// Fewest tokens of a run, at least 40.
    min_tokens: Option<u32>,
    /// Whether blobs of other languages count.
    #[serde(default)]
    cross_language: bool,
    /// Most blobs that are listed, 500 at the most [default: 20].
    limit: Option<usize>,
}

/// Looks code up in a corpus: which blobs hold all or part of it, where they stand, who was first.
#[utoipa::path(post, path = "/api/v1/find", tag = "find", request_body = Find, responses(
    (status = 200, description = "`familiar.find/1`", body = serde_json::Value)
))]
pub(super) async fn find(
    State(server): State<Arc<Server>>,
    caller: Caller,
    Body(find): Body<Find>,
) -> Answer<impl IntoResponse> {
    caller.needs(Scope::Read)?;
    let folder = folder(&server, &find.corpus)?;
    let options = find.options()?;
    let question = Question {
        folder,
        options,
        language: find.language()?,
        lines: find.lines()?,
        corpus: find.corpus,
        path: find.path.unwrap_or_else(|| "-".to_owned()),
        code: find.code,
        rendered: Rendered::Json,
    };
    let json = server.finders.ask(question).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], json))
}

impl Find {
    fn options(&self) -> Answer<FindOptions> {
        let default = FindOptions::default();
        let options = FindOptions {
            types: self.types.clone().unwrap_or(default.types),
            min_coverage: self.coverage.unwrap_or(default.min_coverage),
            min_tokens: self.min_tokens.unwrap_or(default.min_tokens),
            cross_language: self.cross_language,
            limit: self.limit.unwrap_or(20),
            ..FindOptions::default()
        };
        if options.types.contains(&4) {
            return Err(Problem::unprocessable("types are some of 1, 2 and 3; type 4 is found by a job"));
        }
        if options.limit > 500 {
            return Err(Problem::unprocessable("limit is a number up to 500"));
        }
        if !(0.0..=1.0).contains(&options.min_coverage) {
            return Err(Problem::unprocessable("coverage is a number from 0 to 1"));
        }
        options.check().map_err(|error| Problem::unprocessable(error.to_string()))?;
        Ok(options)
    }

    fn language(&self) -> Answer<Option<Language>> {
        let Some(name) = self.language.as_deref().filter(|name| !name.is_empty()) else { return Ok(None) };
        Language::from_name(name)
            .map(Some)
            .ok_or_else(|| Problem::unprocessable(format!("{name:?} is no known language")))
    }

    fn lines(&self) -> Answer<Option<Lines>> {
        match (self.start_line, self.end_line) {
            (None, None) => Ok(None),
            (Some(start), Some(end)) if 0 < start && start <= end => Ok(Some(Lines { start, end })),
            _ => Err(Problem::unprocessable(
                "start_line and end_line go together, from 1 on, the first not after the last",
            )),
        }
    }
}
