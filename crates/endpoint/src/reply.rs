//! What a language model answers, read from the body of the server's answer.

use serde::Deserialize;
use serde_json::Value;

use crate::budget::Tokens;
use crate::question::estimated_tokens;

/// A reply of a language model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Its words, without what the model thought before (`<think>`).
    pub text: String,
    pub end: End,
    pub tokens: Tokens,
}

/// How a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The model had said all.
    Complete,
    /// It has as many tokens as it may.
    Cut,
    /// The model, or a filter of the server, refused to answer.
    Refused,
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Said,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Said {
    #[serde(default)]
    content: Option<Content>,
    #[serde(default)]
    refusal: Option<String>,
}

/// A text, or parts of which some are text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: Option<u64>,
    #[serde(default)]
    completion_tokens: Option<u64>,
}

impl Reply {
    /// What an answer took that holds no reply, where the server says it.
    pub(crate) fn unused(answer: &Value) -> Option<Tokens> {
        let usage = Usage::deserialize(answer.get("usage")?).ok()?;
        let (input, output) = (usage.prompt_tokens, usage.completion_tokens);
        (input.is_some() || output.is_some()).then(|| Tokens {
            input: input.unwrap_or(0),
            output: output.unwrap_or(0),
            estimated: input.is_none() || output.is_none(),
        })
    }

    /// Reads an answer in the server's form to a question of about so many tokens. Fails with what is wrong with it.
    pub(crate) fn of(answer: &Value, asked: u64) -> Result<Self, String> {
        let completion = Completion::deserialize(answer).map_err(|error| match answer.get("error") {
            Some(said) => format!("an error in the place of a reply: {}", shortened(&said.to_string())),
            None => format!("no reply ({error})"),
        })?;
        let Completion { choices, usage } = completion;
        let choice = choices.into_iter().next().ok_or("no reply (the list of choices is empty)")?;
        let said = match choice.message.content {
            Some(Content::Text(text)) => text,
            Some(Content::Parts(parts)) => parts.into_iter().filter_map(|part| part.text).collect(),
            None => String::new(),
        };
        let refusal = choice.message.refusal.filter(|text| !text.is_empty());
        let end = match choice.finish_reason.as_deref() {
            _ if refusal.is_some() => End::Refused,
            Some("content_filter") => End::Refused,
            Some("length") => End::Cut,
            _ => End::Complete,
        };
        let counted = |count: fn(&Usage) -> Option<u64>| usage.as_ref().and_then(count);
        let (input, output) = (counted(|it| it.prompt_tokens), counted(|it| it.completion_tokens));
        let tokens = Tokens {
            input: input.unwrap_or(asked),
            output: output.unwrap_or_else(|| estimated_tokens(&said)),
            estimated: input.is_none() || output.is_none(),
        };
        let text = refusal.unwrap_or_else(|| without_thoughts(&said).to_owned());
        Ok(Self { text, end, tokens })
    }
}

/// What follows the thoughts with which some models begin; nothing where they do not end. Some servers leave out the mark before them.
pub fn without_thoughts(text: &str) -> &str {
    const MARKS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];
    for (begin, end) in MARKS {
        if let Some(thoughts) = text.trim_start().strip_prefix(begin) {
            return thoughts.split_once(end).map_or("", |(_, rest)| rest.trim_start());
        }
        let lines = text.split_inclusive('\n').scan(0, |at, line| {
            *at += line.len();
            Some((*at, line))
        });
        if let Some((at, _)) = lines.filter(|(_, line)| line.trim() == end).last() {
            return text[at..].trim_start();
        }
    }
    text
}

fn shortened(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(200).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(answer: &Value) -> Result<(String, End, u64), String> {
        Reply::of(answer, 7).map(|reply| (reply.text, reply.end, reply.tokens.all()))
    }

    #[test]
    fn replies_are_read_in_all_their_forms() {
        let reply = |message: Value, reason: Value| {
            let usage = json!({ "prompt_tokens": 10, "completion_tokens": 5 });
            read(&json!({ "choices": [{ "message": message, "finish_reason": reason }], "usage": usage }))
        };
        let complete = |text: &str| Ok((text.to_owned(), End::Complete, 15));
        assert_eq!(reply(json!({ "content": "hello" }), json!("stop")), complete("hello"));
        assert_eq!(
            reply(
                json!({ "content": [{ "type": "text", "text": "a" }, { "type": "x" }, { "text": "b" }] }),
                json!(null)
            ),
            complete("ab")
        );
        assert_eq!(
            reply(json!({ "content": "<think>\nhm ```x```</think>\n\nhello" }), json!("stop")),
            complete("hello")
        );
        assert_eq!(
            reply(json!({ "content": "hm\n</think>\nhello </think>" }), json!("stop")),
            complete("hello </think>")
        );
        assert_eq!(
            reply(json!({ "content": "<think> for ever" }), json!("length")),
            Ok((String::new(), End::Cut, 15))
        );
        assert_eq!(reply(json!({ "content": null }), json!("stop")), complete(""));
        let refused = Ok(("no".to_owned(), End::Refused, 15));
        assert_eq!(reply(json!({ "content": null, "refusal": "no" }), json!("stop")), refused);
        assert_eq!(reply(json!({ "content": "no" }), json!("content_filter")), refused);
    }

    #[test]
    fn tokens_that_nobody_counted_are_estimated() {
        let reply =
            Reply::of(&json!({ "choices": [{ "message": { "content": "123456" } }] }), 7).expect("a reply");
        assert_eq!(reply.tokens, Tokens { input: 7, output: 2, estimated: true });
    }

    #[test]
    fn what_is_no_reply_says_what_it_is() {
        for (answer, expected) in [
            (
                json!({ "error": { "message": "too\nmuch" } }),
                "an error in the place of a reply: {\"message\":\"too\\nmuch\"}",
            ),
            (json!({ "choices": [] }), "no reply (the list of choices is empty)"),
            (json!([1]), "no reply (invalid"),
            (json!({ "choices": [{ "text": "old" }] }), "no reply (missing field `message`)"),
        ] {
            let error = read(&answer).expect_err("no reply");
            assert!(error.starts_with(expected), "{error}");
        }
    }
}
