//! `familiar benchmark judge`.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use familiar_dataset::judge::{Desk, Said};
use familiar_dataset::{DatasetError, Project};
use familiar_service::judging::{self, Judges, Refused};
use serde_json::Value;

use crate::common::Quiet;
use crate::notes::Notes;

/// Let people judge the pairs in the browser.
///
/// The table [judge] of benchmark.toml names the judges. Each judge gets a token, which is shown once; judges.toml keeps only its hash. The
/// line after the tokens is the address of the page. Each judgement is on the disk, in judgements.jsonl, before the judge sees the next
/// pair. The server speaks HTTP: where judges sit at other machines, put it behind a proxy with HTTPS.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Address and port to listen on. Port 0 takes a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8765")]
    listen: SocketAddr,
    /// Give this judge a new token, and take the old one away. May be repeated
    #[arg(long = "new-token", value_name = "JUDGE")]
    new_tokens: Vec<String>,
    #[command(flatten)]
    quiet: Quiet,
}

const EXAMPLES: &str = "\
Examples:
  familiar benchmark judge clones2
      Open http://127.0.0.1:8765 and sign in with a token
  familiar benchmark judge clones2 --new-token ada";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let project = Project::open(&arguments.name)?;
    let desk = Desk::open(&project)?;
    let judges = judges(&project.path("judges.toml"), &desk.judges(), &arguments.new_tokens)?;
    Notes { quiet: arguments.quiet.quiet }
        .say("end the server with Ctrl-C; judges can go on when it runs again");
    judging::serve(arguments.listen, Arc::new(Served(desk)), judges)?;
    Ok(())
}

/// Reads the hashes of tokens, and makes and prints the tokens of judges who have none. Judges who are no longer named cannot sign in.
fn judges(path: &Path, names: &[String], new: &[String]) -> anyhow::Result<Judges> {
    for name in new {
        ensure!(
            names.contains(name),
            "--new-token {name}: benchmark.toml has no such judge; it has {}",
            names.join(", ")
        );
    }
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        other => other.with_context(|| format!("cannot read {}", path.display()))?,
    };
    let mut hashes: BTreeMap<String, String> = toml::from_str(&text).with_context(|| {
        format!("{} is damaged; remove it, and all judges get new tokens", path.display())
    })?;
    let mut shown = Vec::new();
    for name in names {
        if new.contains(name) || !hashes.contains_key(name) {
            let token = judging::new_token();
            hashes.insert(name.clone(), judging::hashed(&token));
            shown.push(format!("{name}\t{token}"));
        }
    }
    if !shown.is_empty() {
        keep(path, &hashes).with_context(|| format!("cannot write {}", path.display()))?;
        let mut out = io::stdout().lock();
        writeln!(out, "{}", shown.join("\n"))?;
    }
    Ok(Judges::new(hashes.into_iter().filter(|(name, _)| names.contains(name))))
}

/// Writes the hashes, whole or not at all, for nobody else to read.
fn keep(path: &Path, hashes: &BTreeMap<String, String>) -> anyhow::Result<()> {
    let text = format!("# The hashes of the tokens of judges, by their names.\n{}", toml::to_string(hashes)?);
    let unfinished = path.with_extension("toml.unfinished");
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&unfinished, path)?;
    Ok(())
}

/// The desk as the server knows it.
struct Served(Desk);

fn refused(error: DatasetError) -> Refused {
    match error {
        DatasetError::Refused(refusal) => Refused::Wrong(refusal.to_string()),
        other => Refused::Failed(other.to_string()),
    }
}

fn value(of: impl serde::Serialize) -> Result<Value, Refused> {
    serde_json::to_value(of).map_err(|error| Refused::Failed(error.to_string()))
}

impl judging::Desk for Served {
    fn next(&self, judge: &str, skipped: &[String]) -> Result<Value, Refused> {
        value(self.0.next(judge, skipped))
    }

    fn judge(&self, judge: &str, said: Value) -> Result<Value, Refused> {
        let said: Said = serde_json::from_value(said).map_err(|error| Refused::Wrong(error.to_string()))?;
        value(self.0.judge(judge, said).map_err(refused)?)
    }

    fn undo(&self, judge: &str) -> Result<Value, Refused> {
        value(self.0.undo(judge).map_err(refused)?)
    }

    fn progress(&self, judge: &str) -> Result<Value, Refused> {
        value(self.0.progress(judge))
    }
}
