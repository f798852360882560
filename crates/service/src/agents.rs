//! What agents ask, by the Model Context Protocol: over standard input and output ([`speak`]), or of a server at `/mcp`.
//!
//! Answers are text, short enough for a context window; whoever wants all of it asks over REST.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use familiar_audit::policy::Policies;
use familiar_audit::{self as audit, AuditOptions};
use familiar_engine::CloneOptions;
use familiar_judge as judge;
use familiar_library::FindOptions;
use familiar_license::Expression;
use familiar_report::audit as report;
use familiar_source::Language;
use familiar_source::Silent;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolResult, ContentBlock, Implementation, ServerCapabilities, ServerConfig};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, ServiceExt, schemars, tool, tool_handler, tool_router};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc::{Receiver, Sender};

use crate::error::ServeError;
use crate::finders::{Finders, Question, Rendered};
use crate::libraries::Libraries;
use crate::problem::Answer;
use crate::tool_error::ToolError;

/// Reads the policies that hold for some trees.
pub type ReadPolicies =
    dyn Fn(&[PathBuf]) -> Result<Policies, Box<dyn std::error::Error + Send + Sync>> + Send + Sync;

/// How an agent on this machine is served.
pub struct AgentOptions {
    /// As in [`crate::Options`].
    pub home: Option<PathBuf>,
    pub corpora: BTreeMap<String, PathBuf>,
    pub threads: usize,
    pub memory: usize,
    /// The folder whose files may be audited.
    pub root: PathBuf,
    pub policies: Box<ReadPolicies>,
}

/// What may be audited, and by which policies: for agents on this machine alone.
struct Local {
    root: PathBuf,
    policies: Box<ReadPolicies>,
    clones: CloneOptions,
}

/// Answers agents. A copy is the same.
#[derive(Clone)]
pub(crate) struct Agents {
    libraries: Arc<Libraries>,
    finders: Arc<Finders>,
    local: Option<Arc<Local>>,
    tools: ToolRouter<Self>,
}

/// Most bytes of an answer, and of code in a question.
const MOST: usize = 8_000;
const MOST_CODE: usize = 1 << 20;

/// How long the last answers may take to be written.
const LAST: Duration = Duration::from_secs(1);

/// Blobs that are shown where no number is asked for, and at most.
const SHOWN: usize = 3;
const MOST_SHOWN: usize = 20;

/// Most findings of an audit that are shown.
const FINDINGS: usize = 10;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Snippet {
    /// The code to look for, at least some lines of it.
    code: String,
    /// Its language, such as python; recognized where none is given.
    language: Option<String>,
    /// The corpus to look in; list_corpora names them. Not needed where there is only one.
    corpus: Option<String>,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Code {
    /// The code to look for.
    code: String,
    /// Its language, such as python; recognized where none is given.
    language: Option<String>,
    /// The corpus to look in; list_corpora names them. Not needed where there is only one.
    corpus: Option<String>,
    /// Least share of the code that a place has, from 0 to 1.
    coverage: Option<f64>,
    /// Most places to list, 20 at the most.
    limit: Option<usize>,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Tree {
    /// A file or folder below the current folder.
    path: String,
    /// The corpora to compare with; all where none is given.
    corpora: Option<Vec<String>>,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Licenses {
    /// The license under which the code goes out that takes other code in: an SPDX expression such as MIT.
    project: String,
    /// The license of the code that is taken in: an SPDX expression such as GPL-3.0-only OR MIT.
    code: String,
}

/// The answer of a tool as the protocol has it.
fn result(answer: Result<String, ToolError>) -> CallToolResult {
    match answer {
        Ok(text) => CallToolResult::success(vec![ContentBlock::text(short(text))]),
        Err(error) => CallToolResult::error(vec![ContentBlock::text(short(error.to_string()))]),
    }
}

/// A text that fits, with how much is missing.
fn short(mut text: String) -> String {
    if text.len() <= MOST {
        return text;
    }
    let mut end = MOST;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let missing = text.len() - end;
    text.truncate(end);
    let _ = write!(text, "\n… {missing} more bytes; ask for less");
    text
}

#[tool_router(router = find_tools)]
impl Agents {
    #[tool(
        description = "Has this code been seen before? Says whether a corpus holds it, how much of it and where, who had it first and under \
            which license. Use it for code that was just written or is about to be taken over.",
        annotations(read_only_hint = true)
    )]
    async fn check_snippet(&self, Parameters(asked): Parameters<Snippet>) -> CallToolResult {
        let Snippet { code, language, corpus } = asked;
        result(
            self.find(code, language, corpus, FindOptions { limit: SHOWN, ..FindOptions::default() }).await,
        )
    }

    #[tool(
        description = "Lists the places in a corpus that hold all or part of some code, the most of it first, with lines, types and licenses.",
        annotations(read_only_hint = true)
    )]
    async fn find_code(&self, Parameters(asked): Parameters<Code>) -> CallToolResult {
        let Code { code, language, corpus, coverage, limit } = asked;
        let coverage = coverage.unwrap_or(0.0);
        if !(0.0..=1.0).contains(&coverage) {
            return result(Err(ToolError::Coverage));
        }
        let limit = limit.unwrap_or(10).clamp(1, MOST_SHOWN);
        let options = FindOptions { limit, min_coverage: coverage, ..FindOptions::default() };
        result(self.find(code, language, corpus, options).await)
    }

    #[tool(description = "Lists the corpora that can be asked.", annotations(read_only_hint = true))]
    fn list_corpora(&self) -> CallToolResult {
        result(self.libraries.names().map_err(ToolError::Corpora).map(|names| {
            if names.is_empty() {
                return "There is no corpus yet: `familiar corpus add NAME SOURCE` makes one.".to_owned();
            }
            names.join("\n")
        }))
    }

    #[allow(clippy::unused_self, reason = "tools are methods")]
    #[tool(
        description = "May code under one license be taken into a project under another? Gives the verdict, the duties that go with it and \
            the rules that say so. No legal advice.",
        annotations(read_only_hint = true)
    )]
    fn explain_verdict(
        &self,
        Parameters(Licenses { project, code }): Parameters<Licenses>,
    ) -> CallToolResult {
        result(explain(&project, &code))
    }
}

#[tool_router(router = local_tools)]
impl Agents {
    #[tool(
        description = "Audits a file or folder of the current project: which of its code stands in a corpus, under which licenses, and may \
            it be here by the project's policy? Takes seconds to minutes.",
        annotations(read_only_hint = true)
    )]
    async fn audit_path(&self, Parameters(Tree { path, corpora }): Parameters<Tree>) -> CallToolResult {
        let agents = self.clone();
        let audited = tokio::task::spawn_blocking(move || agents.audit(&path, corpora)).await;
        result(audited.unwrap_or_else(|error| Err(error.into())))
    }
}

#[tool_handler(router = self.tools)]
impl ServerHandler for Agents {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("familiar", env!("CARGO_PKG_VERSION")))
            .with_instructions(
                "Familiar knows code: check_snippet says whether code was seen before, who had it first and under which license.",
            )
    }
}

impl Agents {
    /// For agents that are elsewhere: they may not have files of this machine read.
    pub(crate) fn remote(libraries: Arc<Libraries>, finders: Arc<Finders>) -> Self {
        Self { libraries, finders, local: None, tools: Self::find_tools() }
    }

    /// What answers `POST /mcp`. No request depends on an earlier one.
    pub(crate) fn service(self) -> StreamableHttpService<Self, LocalSessionManager> {
        // Who asks, from which page, and of which host was looked at before.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(4 << 20)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        StreamableHttpService::new(move || Ok(self.clone()), LocalSessionManager::default().into(), config)
    }

    /// The corpus that is meant, and its folder.
    fn corpus(&self, name: Option<String>) -> Result<(String, PathBuf), ToolError> {
        let names = self.libraries.names().map_err(ToolError::Corpora)?;
        let name = match (name, names.as_slice()) {
            (Some(name), _) => name,
            (None, [only]) => only.clone(),
            (None, []) => return Err(ToolError::NoCorpus),
            (None, _) => return Err(ToolError::WhichCorpus(names)),
        };
        let folder = self.libraries.folder(&name);
        folder.map(|folder| (name, folder)).ok_or(ToolError::UnknownCorpus(names))
    }

    async fn find(
        &self,
        code: String,
        language: Option<String>,
        corpus: Option<String>,
        options: FindOptions,
    ) -> Result<String, ToolError> {
        if code.len() > MOST_CODE {
            return Err(ToolError::TooMuchCode);
        }
        let language = match language.as_deref().filter(|name| !name.is_empty()) {
            None => None,
            Some(name) => {
                let lower = name.to_ascii_lowercase();
                Some(Language::from_name(&lower).ok_or_else(|| ToolError::Language(name.to_owned()))?)
            }
        };
        let (corpus, folder) = self.corpus(corpus)?;
        let path = "-".to_owned();
        let question =
            Question { corpus, folder, path, code, language, lines: None, options, rendered: Rendered::Text };
        let answer: Answer<Vec<u8>> = self.finders.ask(question).await;
        let bytes = answer.map_err(|problem| ToolError::Refused(problem.detail().to_owned()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn audit(&self, path: &str, corpora: Option<Vec<String>>) -> Result<String, ToolError> {
        let local = self.local.as_ref().ok_or(ToolError::Remote)?;
        let unreadable = |source| ToolError::Read { path: path.to_owned(), source };
        let tree = local.root.join(path).canonicalize().map_err(unreadable)?;
        if !tree.starts_with(&local.root) {
            return Err(ToolError::Outside { path: path.to_owned(), root: local.root.clone() });
        }
        let names = match corpora {
            Some(names) => names,
            None => self.libraries.names().map_err(ToolError::Corpora)?,
        };
        if names.is_empty() {
            return Err(ToolError::NoCorpus);
        }
        let against = names.iter().map(|name| self.corpus(Some(name.clone())).map(|(_, folder)| folder));
        let options = AuditOptions {
            clones: local.clones.clone(),
            policies: (local.policies)(std::slice::from_ref(&tree)).map_err(ToolError::Policy)?,
            trees: vec![tree],
            against: against.collect::<Result<_, _>>()?,
            against_names: names,
            ..AuditOptions::default()
        };
        let found = audit::run(&options, &Silent)?;
        let mut text = Vec::new();
        let style = report::Style { show: Some(FINDINGS), ..report::Style::default() };
        let stamp = report::Stamp::of_environment(None);
        report::write(&found, report::Format::Text, style, stamp, &mut text).map_err(ToolError::Write)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// The verdict on code of a license in a project of another, in words.
fn explain(project: &str, code: &str) -> Result<String, ToolError> {
    let parsed = |text: &str| {
        Expression::parse(text).map_err(|source| ToolError::Expression { text: text.to_owned(), source })
    };
    let (outbound, inbound) = (parsed(project)?, parsed(code)?);
    let verdict = judge::judge(&outbound, &inbound);
    let mut text = format!("{inbound} in {outbound}: {}\n", verdict.status);
    for duty in &verdict.duties {
        let _ = writeln!(text, "duty: {duty}");
    }
    for rule in &verdict.rules {
        let _ = writeln!(text, "{}: {}", rule.source, rule.text);
    }
    text.push_str(judge::NO_LEGAL_ADVICE);
    Ok(text)
}

/// Answers an agent over standard input and output until it leaves.
pub fn speak(options: AgentOptions) -> Result<(), ServeError> {
    let AgentOptions { home, corpora, threads, memory, root, policies } = options;
    let root = real(&root)?;
    let libraries = Arc::new(Libraries::new(home, corpora));
    let finders = Arc::new(Finders::new(threads, memory, &libraries)?);
    let clones = CloneOptions { threads, memory, ..CloneOptions::default() };
    let local = Some(Arc::new(Local { root, policies, clones }));
    let mut tools = Agents::find_tools();
    tools.merge(Agents::local_tools());
    let agents = Agents { libraries, finders, local, tools };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let ended = runtime.block_on(async {
        let (asked, questions) = tokio::io::duplex(MOST);
        let (out, answers) = tokio::io::duplex(MOST);
        let (refused, refusals) = tokio::sync::mpsc::channel(1);
        tokio::spawn(readable(tokio::io::stdin(), asked, refused));
        let written = tokio::spawn(with_ids(answers, refusals, tokio::io::stdout()));
        let running = agents.serve((questions, out)).await.map_err(io::Error::other)?;
        running.waiting().await.map_err(io::Error::other)?;
        // Whoever asked may be gone.
        let _rest = tokio::time::timeout(LAST, written).await;
        Ok(())
    });
    // Nobody waits for an audit that is under way.
    runtime.shutdown_background();
    ended
}

/// Passes questions on, a line each. One that is no JSON is refused, as JSON-RPC has it; the library drops it without a word.
async fn readable(
    questions: impl AsyncRead + Unpin,
    mut asked: impl AsyncWrite + Unpin,
    refused: Sender<String>,
) -> io::Result<()> {
    let mut lines = tokio::io::BufReader::new(questions);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line).await? > 0 {
        let fault = serde_json::from_slice::<serde::de::IgnoredAny>(&line).err();
        match fault.filter(|_| !line.trim_ascii().is_empty()) {
            Some(fault) => {
                let error = json!({"code": -32700, "message": format!("no JSON: {fault}")});
                let text = json!({"jsonrpc": "2.0", "id": null, "error": error}).to_string();
                refused.send(text).await.map_err(io::Error::other)?;
            }
            None => asked.write_all(&line).await?,
        }
        line.clear();
    }
    Ok(())
}

/// Passes answers and refusals on, a line each. JSON-RPC wants `"id": null` in an error about a message that cannot be read; the
/// library leaves it out.
async fn with_ids(
    answers: impl AsyncRead + Unpin,
    mut refusals: Receiver<String>,
    mut out: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    const ERROR: &str = r#"{"jsonrpc":"2.0","error":"#;
    let mut lines = tokio::io::BufReader::new(answers).lines();
    loop {
        let line = tokio::select! {
            Some(refusal) = refusals.recv() => refusal,
            line = lines.next_line() => match line? {
                Some(line) => match line.strip_prefix(ERROR) {
                    Some(rest) => format!(r#"{{"jsonrpc":"2.0","id":null,"error":{rest}"#),
                    None => line,
                },
                None => break,
            },
        };
        out.write_all(format!("{line}\n").as_bytes()).await?;
        out.flush().await?;
    }
    while let Ok(refusal) = refusals.try_recv() {
        out.write_all(format!("{refusal}\n").as_bytes()).await?;
    }
    out.flush().await
}

fn real(root: &Path) -> Result<PathBuf, ServeError> {
    root.canonicalize().map_err(|source| ServeError::Data { path: root.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_without_an_id_gets_null() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a thread");
        let passed = |given: &str| {
            let mut out = Vec::new();
            let (_, refusals) = tokio::sync::mpsc::channel(1);
            runtime.block_on(with_ids(given.as_bytes(), refusals, &mut out)).expect("it is in memory");
            String::from_utf8(out).expect("text")
        };
        let error = r#"{"jsonrpc":"2.0","error":{"code":-32600}}"#;
        assert_eq!(passed(error), "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600}}\n");
        let answer = "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}\n";
        assert_eq!(passed(answer), answer);
    }

    #[test]
    fn a_question_that_is_no_json_is_refused_and_the_next_is_passed_on() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a thread");
        let (refused, mut refusals) = tokio::sync::mpsc::channel(8);
        let mut asked = Vec::new();
        let questions: &[u8] = b"{bad\n\n{\"id\":1}\n\xff\n{\"id\":2}";
        runtime.block_on(readable(questions, &mut asked, refused)).expect("it is in memory");
        assert_eq!(String::from_utf8(asked).expect("text"), "\n{\"id\":1}\n{\"id\":2}");
        for _ in 0..2 {
            let refusal = refusals.try_recv().expect("one for each");
            assert!(refusal.contains("-32700") && refusal.contains(r#""id":null"#), "{refusal}");
        }
        assert!(refusals.try_recv().is_err());
    }
}
