//! What a language model is asked, as the body of a request.

use crate::budget::Tokens;
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// Whose words a message has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    System,
    User,
    Assistant,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    pub role: Role,
    pub content: String,
}

/// A request for one reply.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub messages: Vec<Message>,
    /// How much chance decides, from 0 on.
    pub temperature: f64,
    /// Decides what chance decides, where the server takes it.
    pub seed: Option<u64>,
    /// Most tokens of the reply.
    pub max_tokens: u64,
    /// Tells questions apart that are the same but for this number: each gets a reply of its own. The server does not see it.
    pub sample: u64,
}

/// A request in the form in which it is sent and kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Request {
    pub(crate) sample: u64,
    pub(crate) body: Value,
}

/// The hash of a request.
pub(crate) type Key = [u8; 32];

/// Bytes of text for one token. Code has a little more than three, so that what is estimated is rather too much.
const BYTES_OF_TOKEN: u64 = 3;
/// Tokens that a server adds for each message.
const TOKENS_OF_MESSAGE: u64 = 8;

/// How many tokens a text has, about.
pub(crate) fn estimated_tokens(text: &str) -> u64 {
    (text.len() as u64).div_ceil(BYTES_OF_TOKEN)
}

impl Question {
    /// One message of the user, at temperature 0, for a reply of 4,096 tokens.
    pub fn new(content: impl Into<String>) -> Self {
        let messages = vec![Message { role: Role::User, content: content.into() }];
        Self { messages, temperature: 0.0, seed: None, max_tokens: 4096, sample: 0 }
    }

    #[must_use]
    pub fn at_temperature(self, temperature: f64) -> Self {
        Self { temperature, ..self }
    }

    /// How many tokens the messages have, about.
    pub fn estimated_tokens(&self) -> u64 {
        Self::tokens_of_texts(self.messages.iter().map(|it| it.content.as_str()))
    }

    /// How many tokens messages of these texts have, about.
    pub(crate) fn tokens_of_texts<'t>(texts: impl Iterator<Item = &'t str>) -> u64 {
        texts.map(|it| estimated_tokens(it) + TOKENS_OF_MESSAGE).sum()
    }

    /// A line of the file of requests in which `model` gives this reply, an answer in the server's own form. So replies that exist
    /// already are imported.
    pub fn recorded(&self, model: &str, reply: &Value) -> String {
        let request = self.request(Some(model), &[]);
        request.line("reply", reply, None)
    }

    /// The request. Each of `fields` replaces a field of the body, or takes it out where it is `None`.
    pub(crate) fn request(&self, model: Option<&str>, fields: &[(String, Option<Value>)]) -> Request {
        let mut body = Map::new();
        let messages =
            self.messages.iter().map(|it| serde_json::json!({ "content": it.content, "role": it.role }));
        body.insert("max_tokens".to_owned(), self.max_tokens.into());
        body.insert("messages".to_owned(), messages.collect());
        if let Some(model) = model {
            body.insert("model".to_owned(), model.into());
        }
        if let Some(seed) = self.seed {
            body.insert("seed".to_owned(), seed.into());
        }
        body.insert("temperature".to_owned(), self.temperature.into());
        for (name, value) in fields {
            match value {
                Some(value) => body.insert(name.clone(), value.clone()),
                None => body.remove(name),
            };
        }
        Request { sample: self.sample, body: sorted(Value::Object(body)) }
    }
}

impl Request {
    pub(crate) fn key(&self) -> Key {
        let mut hash = Sha256::new();
        hash.update(self.sample.to_le_bytes());
        hash.update(self.body.to_string());
        hash.finalize().into()
    }

    /// About so many tokens go in.
    pub(crate) fn input(&self) -> u64 {
        let messages = self.body["messages"].as_array();
        let texts = messages.into_iter().flatten().filter_map(|message| message["content"].as_str());
        Question::tokens_of_texts(texts)
    }

    /// Most tokens that come out, where the body says it: fields of the user may say more than the question, or nothing.
    pub(crate) fn most_output(&self) -> Option<u64> {
        let number = |name: &str| {
            let value = &self.body[name];
            value.as_u64().or_else(|| value.as_f64().filter(|it| *it >= 0.0).map(|it| it.ceil() as u64))
        };
        // What is below 0 takes the limit away.
        let is_open = |name: &str| self.body[name].as_f64().is_some_and(|it| it < 0.0);
        let fields = ["max_tokens", "max_completion_tokens"];
        if fields.into_iter().any(is_open) {
            return None;
        }
        let most = fields.into_iter().filter_map(number).max();
        let replies = number("n").unwrap_or(1).max(1);
        most.map(|most| most.saturating_mul(replies))
    }

    /// The line that keeps it, with the field that says what came of it, and what tries took that gave no reply.
    pub(crate) fn line(&self, field: &str, value: &Value, unused: Option<Tokens>) -> String {
        let key = hexadecimal(&self.key());
        let mut line =
            serde_json::json!({ "key": key, "sample": self.sample, "request": self.body, field: value });
        if let Some(unused) = unused {
            line["unused"] = serde_json::json!(unused);
        }
        format!("{line}\n")
    }
}

pub(crate) fn hexadecimal(key: &Key) -> String {
    use std::fmt::Write;
    key.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A value whose objects have their keys in order, so that equal requests have equal texts.
pub(crate) fn sorted(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<(String, Value)> = fields.into_iter().collect();
            fields.sort_by(|a, b| a.0.cmp(&b.0));
            fields.into_iter().map(|(name, value)| (name, sorted(value))).collect::<Map<_, _>>().into()
        }
        Value::Array(values) => values.into_iter().map(sorted).collect(),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_all_fields_and_those_that_were_added() {
        let question = Question { seed: Some(3), ..Question::new("a").at_temperature(0.5) };
        let fields = [
            ("max_tokens".to_owned(), None),
            ("top".to_owned(), Some(serde_json::json!({ "b": 1, "a": 2 }))),
        ];
        let expected = r#"{"messages":[{"content":"a","role":"user"}],"model":"m","seed":3,"temperature":0.5,"top":{"a":2,"b":1}}"#;
        assert_eq!(question.request(Some("m"), &fields).body.to_string(), expected);
        assert_eq!(question.request(Some("m"), &fields).most_output(), None);
        let more =
            [("max_completion_tokens", 9_000), ("n", 3)].map(|(name, it)| (name.to_owned(), Some(it.into())));
        assert_eq!(question.request(Some("m"), &more).most_output(), Some(27_000));
        let open = [("max_tokens".to_owned(), Some(serde_json::json!(-1)))];
        assert_eq!(question.request(Some("m"), &open).most_output(), None);
    }

    #[test]
    fn requests_differ_by_what_is_sent_and_by_their_sample() {
        let first = Question::new("a");
        let key = |question: &Question| question.request(Some("m"), &[]).key();
        assert_eq!(key(&first), key(&first.clone()));
        for other in [
            Question::new("b"),
            first.clone().at_temperature(0.1),
            Question { sample: 1, ..first.clone() },
            Question { seed: Some(0), ..first.clone() },
            Question { max_tokens: 1, ..first.clone() },
        ] {
            assert_ne!(key(&first), key(&other), "{other:?}");
        }
        assert_ne!(key(&first), first.request(Some("n"), &[]).key());
    }
}
