//! What a server is asked for, by the path below its URL.

/// One of the services of OpenAI's protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Service {
    /// Below the URL, with its slash.
    pub(crate) path: &'static str,
    /// How an address of such a model is written.
    pub(crate) form: &'static str,
    /// Such an address.
    pub(crate) example: &'static str,
    /// What to do where the server does not take a request.
    pub(crate) refused: &'static str,
    /// Most bytes of an answer.
    pub(crate) answer_bytes: u64,
}

impl Service {
    /// Vectors of texts: 64 vectors of 16,000 numbers fit into an answer.
    pub const EMBEDDINGS: Self = Self {
        path: "/embeddings",
        form: "api:URL#MODEL",
        example: "api:http://localhost:11434/v1#nomic-embed-text",
        refused: "it has to know the model after #, and to cut texts that are too long for it",
        answer_bytes: 32 << 20,
    };

    /// Replies to messages.
    pub const CHAT: Self = Self {
        path: "/chat/completions",
        form: "URL#MODEL",
        example: "http://localhost:11434/v1#qwen2.5-coder",
        refused: "it has to know the model after #, and to take all fields of the request (--field NAME=null leaves one out)",
        answer_bytes: 4 << 20,
    };

    /// What to write, after what is wrong with an address.
    pub fn advice(&self) -> String {
        format!("give {}, such as {}", self.form, self.example)
    }
}
