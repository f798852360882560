//! `familiar serve`: the same for other programs and in a browser.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::Subcommand;
use familiar_engine::CloneOptions;
use familiar_report::printable;
use familiar_service::tokens::{self, Scope};
use familiar_service::{AgentOptions, Options, Peer, Store, worker};
use familiar_source::time;

use super::corpus;
use crate::{policy, values};

/// Serve corpora: REST, and pages for a browser.
///
/// Without tokens the server answers this machine alone. The first line of standard output says where it listens.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    /// Serve this corpus alone, a name or a path; may be repeated [default: all in FAMILIAR_HOME]
    #[arg(long = "in", value_name = "CORPUS")]
    corpora: Vec<String>,
    /// Address and port; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7420")]
    listen: SocketAddr,
    /// Where uploads, results and tokens are kept [default: service in FAMILIAR_HOME]
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
    /// Answer an agent over standard input and output, by the Model Context Protocol; a server does so at /mcp
    #[arg(long, conflicts_with_all = ["listen", "read_only", "tls_cert", "proxy_header"])]
    mcp: bool,
    /// Change no corpora; several such servers can share them
    #[arg(long)]
    read_only: bool,

    /// Certificates in PEM, for HTTPS
    #[arg(long, value_name = "FILE", requires = "tls_key", help_heading = ACCESS)]
    tls_cert: Option<PathBuf>,
    /// Their key in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = ACCESS)]
    tls_key: Option<PathBuf>,
    /// Believe a proxy on this machine that names in this header whom it has signed in
    #[arg(long, value_name = "HEADER", help_heading = ACCESS)]
    proxy_header: Option<String>,
    /// A host that git: sources may come from; may be repeated [default: github.com, gitlab.com, codeberg.org, bitbucket.org]
    #[arg(long = "allow-host", value_name = "HOST", help_heading = ACCESS)]
    hosts: Vec<String>,

    /// A server that holds other corpora, asked beside the ones here: NAME=https://HOST:PORT; may be repeated
    #[arg(long = "peer", value_name = "PEER", conflicts_with = "mcp", help_heading = PEERS)]
    peers: Vec<String>,
    /// A file with the token that the peer NAME knows this server by, as NAME=FILE
    #[arg(long = "peer-token-file", value_name = "NAME=FILE", help_heading = PEERS)]
    peer_tokens: Vec<String>,
    /// Seconds that a peer may take to answer; without it, the answer is partial, and says so
    #[arg(long, value_name = "SECONDS", default_value = "5", help_heading = PEERS)]
    peer_timeout: NonZeroU32,
    /// Seconds that a peer may take for its part of a comparison or an audit; without it, the result is partial, and says so
    #[arg(long, value_name = "SECONDS", default_value = "600", help_heading = PEERS)]
    peer_job_timeout: NonZeroU32,
    /// Ask peers over http, too; on this machine it is allowed in any case
    #[arg(long, help_heading = PEERS)]
    allow_insecure_peer: bool,

    /// Requests of one token in a second
    #[arg(long, value_name = "N", default_value = "1000", help_heading = LIMITS)]
    rate: NonZeroU32,
    /// Jobs of one token that have not ended
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = LIMITS)]
    most_jobs: u64,
    /// All uploads of one token together [default: 4GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = LIMITS)]
    most_uploaded: Option<usize>,
    /// What one archive may unpack to [default: 16GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = LIMITS)]
    most_unpacked: Option<usize>,

    /// Jobs that run at the same time; with 0 they wait for a server that runs some
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = RESOURCES)]
    jobs: usize,
    /// Threads that look code up, and those of a job [default: as many as there are cores]
    #[arg(long, value_name = "N", help_heading = RESOURCES)]
    threads: Option<usize>,
    /// Memory for a job [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = RESOURCES)]
    memory: Option<usize>,
    /// Log only what goes wrong, not every request
    #[arg(long)]
    quiet: bool,
}

const ACCESS: &str = "Access";
const PEERS: &str = "Other servers";
const LIMITS: &str = "Limits";
const RESOURCES: &str = "Resources";

const EXAMPLES: &str = "\
Examples:
  familiar serve
      Open http://127.0.0.1:7420; /api/docs says what other programs can ask
  familiar serve token create alice --scope upload --days 90
      Prints a token, once; from now on everybody needs one
  familiar serve --listen 0.0.0.0:7420 --tls-cert server.pem --tls-key server.key
  familiar serve --peer lab=https://lab.example:7420 --peer-token-file lab=lab.token
      Asks the corpora of lab, too, as lab/world
  familiar serve --mcp --in world
      For an agent or editor, which starts it by itself
  familiar serve --in world --read-only --listen 127.0.0.1:0
  curl -s localhost:7420/api/v1/find -H 'Content-Type: application/json' \\
      -d '{\"code\": \"...\", \"language\": \"python\", \"corpus\": \"world\"}'";

#[derive(Debug, Subcommand)]
enum What {
    Token(TokenArguments),
    /// Do the job in a folder
    #[command(hide = true)]
    Worker {
        folder: PathBuf,
    },
}

/// Who may ask: make, list and revoke tokens
#[derive(clap::Args, Debug)]
struct TokenArguments {
    #[command(subcommand)]
    what: TokenWhat,
}

#[derive(Debug, Subcommand)]
enum TokenWhat {
    /// Make a token and print it, the only time
    Create {
        /// Whom it is for
        name: String,
        /// What it may do: read, upload (and read), admin (and everything else)
        #[arg(long, default_value = "upload", value_parser = scope)]
        scope: Scope,
        /// The team whose uploads, results and decisions are shared
        #[arg(long, value_name = "NAME")]
        team: Option<String>,
        /// Days until it expires [default: never]
        #[arg(long, value_name = "N")]
        days: Option<u32>,
    },
    /// List tokens: name, scope, when it was made, when it expires, team
    List,
    /// Take a token back
    Revoke { name: String },
}

fn scope(text: &str) -> Result<Scope, String> {
    Scope::from_name(text).ok_or_else(|| "give read, upload or admin".to_owned())
}

/// Hosts that repositories may come from unless others are named.
const HOSTS: [&str; 4] = ["github.com", "gitlab.com", "codeberg.org", "bitbucket.org"];

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.what {
        Some(What::Worker { folder }) => worker::run(folder)?,
        Some(What::Token(TokenArguments { what })) => change_tokens(what, &arguments.data()?)?,
        None if arguments.mcp => familiar_service::speak(arguments.agent()?)?,
        None => familiar_service::serve(arguments.options()?)?,
    }
    Ok(ExitCode::SUCCESS)
}

#[allow(clippy::print_stdout)]
fn change_tokens(what: &TokenWhat, data: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(data).with_context(|| format!("cannot make {}", data.display()))?;
    let store = Store::open(data)?;
    match what {
        TokenWhat::Create { name, scope, team, days } => {
            let is_name = |name: &str| {
                !name.is_empty() && name.len() <= 128 && !name.contains(|c: char| c.is_control() || c == ':')
            };
            if ![Some(name), team.as_ref()].into_iter().flatten().all(|name| is_name(name)) {
                bail!("the name of a token or a team is a short text without colons");
            }
            println!("{}", tokens::create(&store, name, team.as_deref(), *scope, *days)?);
        }
        TokenWhat::List => {
            for token in store.tokens()? {
                let expires = token.expires.map_or_else(|| "never".to_owned(), time::utc);
                println!(
                    "{}\t{}\t{}\t{expires}\t{}",
                    printable(&token.name),
                    token.scope.name(),
                    time::utc(token.created),
                    printable(token.team.as_deref().unwrap_or("-"))
                );
            }
        }
        TokenWhat::Revoke { name } => {
            if !store.revoke(name)? {
                bail!("there is no token {}; `familiar serve token list` lists them", printable(name));
            }
        }
    }
    Ok(())
}

impl Arguments {
    fn data(&self) -> anyhow::Result<PathBuf> {
        match &self.data {
            Some(data) => Ok(data.clone()),
            None => Ok(corpus::home()
                .context("no folder for the server's data is known; name one with --data")?
                .join("service")),
        }
    }

    /// The corpora that are named, by the names of their folders.
    fn corpora(&self) -> anyhow::Result<BTreeMap<String, PathBuf>> {
        let mut corpora = BTreeMap::new();
        for name in &self.corpora {
            let folder = std::path::absolute(corpus::folder(name)?)?;
            familiar_engine::corpus::Library::open(&folder)?;
            let short = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if corpora.insert(short.clone(), folder).is_some() {
                bail!("two corpora are called {}; rename one", printable(&short));
            }
        }
        Ok(corpora)
    }

    /// Where corpora lie that need not be named.
    fn home(&self) -> Option<PathBuf> {
        if self.corpora.is_empty() { corpus::home() } else { None }
    }

    fn threads(&self) -> usize {
        let threads = self.threads.filter(|&threads| threads > 0);
        threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn memory(&self) -> usize {
        self.memory.unwrap_or(CloneOptions::default().memory)
    }

    fn agent(&self) -> anyhow::Result<AgentOptions> {
        Ok(AgentOptions {
            home: self.home(),
            corpora: self.corpora()?,
            threads: self.threads(),
            memory: self.memory(),
            root: PathBuf::from("."),
            policies: Box::new(|trees| policy::of(trees, false).map_err(|error| format!("{error:#}"))),
        })
    }

    fn peers(&self) -> anyhow::Result<Vec<Peer>> {
        let mut peers: Vec<Peer> = Vec::new();
        for text in &self.peers {
            let peer = Peer::parse(text, self.allow_insecure_peer)?;
            ensure!(
                peers.iter().all(|other| other.name != peer.name),
                "two peers are called {}; name them with NAME=URL",
                peer.name
            );
            peers.push(peer);
        }
        for given in &self.peer_tokens {
            let (name, file) = given.split_once('=').context("--peer-token-file takes NAME=FILE")?;
            let peer = peers.iter_mut().find(|peer| peer.name == name);
            let peer = peer.with_context(|| format!("--peer-token-file: no --peer is called {name}"))?;
            let token = std::fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
            let token = token.trim();
            ensure!(
                !token.is_empty() && token.chars().all(|c| c.is_ascii_graphic()),
                "{file} holds no token"
            );
            peer.token = Some(token.to_owned());
        }
        Ok(peers)
    }

    fn options(&self) -> anyhow::Result<Options> {
        // Its parts go to other processes, which may have another current folder.
        let data = std::path::absolute(self.data()?)?;
        let corpora = self.corpora()?;
        let proxy_header = self.proxy_header.as_deref().map(str::parse).transpose();
        let proxy_header = proxy_header.context("--proxy-header takes the name of a header")?;
        let hosts: Vec<String> =
            if self.hosts.is_empty() { HOSTS.map(str::to_owned).to_vec() } else { self.hosts.clone() };
        let program = std::env::current_exe().context("this program does not know where it lies")?;
        let job = move |folder: &Path| {
            let mut command = Command::new(&program);
            command.args(["serve", "worker"]).arg(folder);
            command
        };
        Ok(Options {
            listen: self.listen,
            data,
            home: self.home(),
            corpora,
            read_only: self.read_only,
            tls: self.tls_cert.clone().zip(self.tls_key.clone()),
            proxy_header,
            hosts,
            peers: self.peers()?,
            peer_timeout: Duration::from_secs(self.peer_timeout.get().into()),
            peer_job_timeout: Duration::from_secs(self.peer_job_timeout.get().into()),
            threads: self.threads(),
            jobs: self.jobs,
            memory: self.memory(),
            rate: self.rate,
            most_jobs: self.most_jobs,
            most_uploaded: self.most_uploaded.map_or(4 << 30, |bytes| bytes as u64),
            most_unpacked: self.most_unpacked.map_or(16 << 30, |bytes| bytes as u64),
            log_requests: !self.quiet,
            worker: Box::new(job),
        })
    }
}
