//! What does a model behind a URL answer? A client for servers that speak OpenAI's protocol.
//!
//! [`Client`] posts JSON to one [`Service`] of such a server, with a key and retries. [`Chat`] asks a language model [`Question`]s. It
//! keeps each request and its reply in a file of JSON lines, so that a request that was answered is never made again, and a whole run
//! can be repeated without the server. It counts tokens and cost, and stops at [`Limits`].
//!
//! ```
//! use familiar_endpoint::{Answer, Chat, ChatOptions, Connection, Question};
//!
//! let folder = tempfile::tempdir()?;
//! let record = folder.path().join("requests.jsonl");
//! let question = Question::new("Say hello.").at_temperature(0.1);
//! let line = question.recorded("m", &serde_json::json!({
//!     "choices": [{ "message": { "content": "Hello." }, "finish_reason": "stop" }],
//!     "usage": { "prompt_tokens": 9, "completion_tokens": 2 }
//! }));
//! std::fs::write(&record, line)?;
//!
//! // Nobody listens there: what is asked has its reply in the file.
//! let options = ChatOptions { replay: true, ..ChatOptions::default() };
//! let chat = Chat::open("http://127.0.0.1:1/v1#m", &Connection::default(), &record, options)?;
//! let Answer::Reply(reply) = chat.ask(&question)? else { panic!("it is recorded") };
//! assert_eq!((reply.text.as_str(), chat.spent().tokens.all()), ("Hello.", 11));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! `address` says where a server is, `service` what it is asked for, and `client` how. `question` is what a language model is asked,
//! `reply` what it answers, and `fences` finds code in that. `record` is the file of requests and replies, `budget` counts tokens and
//! cost, and `chat` puts these together.

mod address;
mod budget;
mod chat;
mod client;
mod fences;
mod question;
mod record;
mod reply;
mod service;

pub use address::{Address, AddressError};
pub use budget::{BudgetError, Limits, Prices, Spent, Tokens};
pub use chat::{Answer, Chat, ChatError, ChatOptions, Forecast};
pub use client::{AskError, Cause, Client, ClientError, Connection};
pub use fences::{Block, blocks};
pub use question::{Message, Question, Role};
pub use record::RecordError;
pub use reply::{End, Reply, without_thoughts};
pub use service::Service;
