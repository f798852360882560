//! `familiar serve`: corpora for browsers and other programs.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::Subcommand;
use familiar_files::named;
use familiar_report::printable;
use familiar_service::tokens::Scope;
use familiar_service::{AgentOptions, Options, Peer, Store, worker};
use familiar_source::time;

use crate::common::{Quiet, RESOURCES, Resources};
use crate::corpora;
use crate::notes::Notes;
use crate::output::Target;
use crate::{policy, program, values};

/// Serve corpora to browsers and other programs (REST).
///
/// As long as no token exists, the server answers only this machine. The first line of standard output is its address.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true, after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    /// Serve only this corpus: a name or a path. May be repeated [default: all corpora in FAMILIAR_HOME]
    #[arg(long = "in", value_name = "CORPUS")]
    corpora: Vec<String>,
    /// Address and port to listen on. Port 0 takes a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7420")]
    listen: SocketAddr,
    /// Folder for uploads, results and tokens [default: the folder `service` in FAMILIAR_HOME]
    #[arg(long, value_name = "DIR", global = true)]
    data: Option<PathBuf>,
    /// Answer an agent over standard input and output, with the Model Context Protocol. A server also answers agents, at /mcp
    #[arg(long, conflicts_with_all = ["listen", "read_only", "tls_cert", "proxy_header"])]
    mcp: bool,
    /// Never change corpora. Several such servers can share corpora
    #[arg(long)]
    read_only: bool,

    /// File with the certificates for HTTPS, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_key", help_heading = ACCESS)]
    tls_cert: Option<PathBuf>,
    /// File with the key of the certificates, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert", help_heading = ACCESS)]
    tls_key: Option<PathBuf>,
    /// Trust a proxy on this machine that signs users in, and take the name of the user from this header
    #[arg(long, value_name = "HEADER", help_heading = ACCESS)]
    proxy_header: Option<String>,
    /// Allow git: sources from this host. May be repeated [default: github.com, gitlab.com, codeberg.org, bitbucket.org]
    #[arg(long = "allow-host", value_name = "HOST", help_heading = ACCESS)]
    hosts: Vec<String>,

    /// Also ask this server, which has other corpora: NAME=https://HOST:PORT. May be repeated
    #[arg(long = "peer", value_name = "PEER", conflicts_with = "mcp", help_heading = PEERS)]
    peers: Vec<String>,
    /// File with the token for the peer NAME, as NAME=FILE
    #[arg(long = "peer-token-file", value_name = "NAME=FILE", help_heading = PEERS)]
    peer_tokens: Vec<String>,
    /// Seconds to wait for the answer of a peer. If it comes later, the result is partial, and says so
    #[arg(long, value_name = "SECONDS", default_value = "5", help_heading = PEERS)]
    peer_timeout: NonZeroU32,
    /// Seconds to wait for the part of a peer in a comparison or an audit. If it comes later, the result is partial, and says so
    #[arg(long, value_name = "SECONDS", default_value = "600", help_heading = PEERS)]
    peer_job_timeout: NonZeroU32,
    /// Also allow peers over http. Peers on this machine are always allowed
    #[arg(long, help_heading = PEERS)]
    allow_insecure_peer: bool,

    /// Limit for the requests of one token in one second
    #[arg(long, value_name = "N", default_value = "1000", help_heading = LIMITS)]
    rate: NonZeroU32,
    /// Limit for the unfinished jobs of one token
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = LIMITS)]
    most_jobs: u64,
    /// Limit for the size of all uploads of one token [default: 4GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = LIMITS)]
    most_uploaded: Option<usize>,
    /// Limit for what one archive may unpack to [default: 16GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = LIMITS)]
    most_unpacked: Option<usize>,
    /// Limit for the size of all results of one token. A token that has them starts no jobs that leave more [default: 16GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = LIMITS)]
    most_kept: Option<usize>,

    /// Number of jobs that run at the same time. With 0 jobs wait until the server starts again with more
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = RESOURCES)]
    jobs: usize,
    // The threads that look up code, and the threads and the memory of each job.
    #[command(flatten)]
    resources: Resources,
    // Requests are not logged then.
    #[command(flatten)]
    quiet: Quiet,
}

const ACCESS: &str = "Access";
const PEERS: &str = "Other servers";
const LIMITS: &str = "Limits";

const EXAMPLES: &str = "\
Examples:
  familiar serve
      Open http://127.0.0.1:7420. The page /api/docs describes the interface for other programs
  familiar serve token create alice --scope upload --days 90
      Prints a token, which is shown only once. From now on everybody needs a token
  familiar serve --listen 0.0.0.0:7420 --tls-cert server.pem --tls-key server.key
  familiar serve --peer lab=https://lab.example:7420 --peer-token-file lab=lab.token
      Also asks the corpora of lab, under names such as lab/world
  familiar serve --mcp --in world
      For an agent or an editor, which starts this command by itself
  familiar serve --in world --read-only --listen 127.0.0.1:0
  curl -s localhost:7420/api/v1/find -H 'Content-Type: application/json' \\
      -d '{\"code\": \"...\", \"language\": \"python\", \"corpus\": \"world\"}'";

#[derive(Debug, Subcommand)]
enum What {
    Token(TokenArguments),
    /// Run the job in a folder
    #[command(hide = true)]
    Worker {
        folder: PathBuf,
    },
}

/// Create, list and revoke tokens, which say who may use the server.
#[derive(clap::Args, Debug)]
struct TokenArguments {
    #[command(subcommand)]
    what: TokenWhat,
}

#[derive(Debug, Subcommand)]
enum TokenWhat {
    /// Create a token and print it. It is shown only once
    Create {
        /// The person or program that gets the token
        name: String,
        /// What the token allows: read, upload (includes read), admin (everything)
        #[arg(long, default_value = "upload", value_parser = scope)]
        scope: Scope,
        /// Team with which uploads, results and decisions are shared
        #[arg(long, value_name = "NAME")]
        team: Option<String>,
        /// Days until it expires [default: never]
        #[arg(long, value_name = "N", value_parser = days)]
        days: Option<u32>,
        #[command(flatten)]
        _quiet: Quiet,
    },
    /// List tokens: name, scope, time of creation, time of expiry, team
    List {
        #[command(flatten)]
        _quiet: Quiet,
    },
    /// Revoke a token
    Revoke {
        /// The name that the token was created for
        name: String,
        #[command(flatten)]
        quiet: Quiet,
    },
}

fn scope(text: &str) -> Result<Scope, String> {
    Scope::from_name(text).ok_or_else(|| "give read, upload or admin".to_owned())
}

/// A number of days after which a token expires.
fn days(text: &str) -> Result<u32, String> {
    let days = values::at_least_one(text)
        .map_err(|_| "give 1 or more days; a token without --days never expires".to_owned())?;
    u32::try_from(days).map_err(|_| "the number is too large".to_owned())
}

/// Most bytes of a file with a token.
const TOKEN_BYTES: u64 = 1 << 16;

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

fn change_tokens(what: &TokenWhat, data: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(data).with_context(|| format!("cannot create the folder {}", data.display()))?;
    let store = Store::open(data)?;
    // What is said here is the result, so that --quiet leaves nothing out.
    let out = Target::new(None);
    match what {
        TokenWhat::Create { name, scope, team, days, .. } => {
            let is_name = |name: &str| {
                !name.is_empty() && name.len() <= 128 && !name.contains(|c: char| c.is_control() || c == ':')
            };
            if ![Some(name), team.as_ref()].into_iter().flatten().all(|name| is_name(name)) {
                bail!("the name of a token or a team has 1 to 128 characters, and no colons");
            }
            let token = store.create_token(name, team.as_deref(), *scope, *days)?;
            out.write(|out| writeln!(out, "{token}")).or_else(|error| {
                // Nobody has seen it, and nobody ever will.
                store.revoke(name)?;
                Err(error.context("the token could not be shown, so it was not created"))
            })?;
        }
        TokenWhat::List { .. } => {
            let tokens = store.tokens()?;
            out.write(|out| {
                tokens.iter().try_for_each(|token| {
                    let expires = token.expires.map_or_else(|| "never".to_owned(), time::utc);
                    writeln!(
                        out,
                        "{}\t{}\t{}\t{expires}\t{}",
                        printable(&token.name),
                        token.scope.name(),
                        time::utc(token.created),
                        printable(token.team.as_deref().unwrap_or("-"))
                    )
                })
            })?;
        }
        TokenWhat::Revoke { name, quiet } => {
            if !store.revoke(name)? {
                bail!("there is no token {}; `familiar serve token list` lists them", printable(name));
            }
            if !store.has_tokens()? {
                let text = "this was the last token: the server answers nobody until `familiar serve token create NAME` makes one";
                Notes { quiet: quiet.quiet }.warn(text);
            }
        }
    }
    Ok(())
}

impl Arguments {
    fn data(&self) -> anyhow::Result<PathBuf> {
        match &self.data {
            Some(data) => Ok(data.clone()),
            None => Ok(corpora::home()
                .context("no folder for the data of the server is known; name one with --data")?
                .join("service")),
        }
    }

    /// The corpora that are named, by the names of their folders.
    fn corpora(&self) -> anyhow::Result<BTreeMap<String, PathBuf>> {
        let mut corpora = BTreeMap::new();
        for name in &self.corpora {
            let folder = std::path::absolute(corpora::existing(name)?)?;
            familiar_library::Library::open(&folder)?;
            let short = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if corpora.insert(short.clone(), folder).is_some() {
                bail!("two corpora have the name {}; rename one of them", printable(&short));
            }
        }
        Ok(corpora)
    }

    /// Where corpora lie that need not be named.
    fn home(&self) -> Option<PathBuf> {
        if self.corpora.is_empty() { corpora::home() } else { None }
    }

    fn threads(&self) -> usize {
        let threads = Some(self.resources.threads()).filter(|&threads| threads > 0);
        threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn memory(&self) -> usize {
        self.resources.memory()
    }

    fn agent(&self) -> anyhow::Result<AgentOptions> {
        Ok(AgentOptions {
            home: self.home(),
            corpora: self.corpora()?,
            threads: self.threads(),
            memory: self.memory(),
            root: PathBuf::from("."),
            policies: Box::new(|trees| policy::of(trees, false).map_err(|error| format!("{error:#}").into())),
        })
    }

    fn peers(&self) -> anyhow::Result<Vec<Peer>> {
        let mut peers: Vec<Peer> = Vec::new();
        for text in &self.peers {
            let peer = Peer::parse(text, self.allow_insecure_peer)?;
            ensure!(
                peers.iter().all(|other| other.name != peer.name),
                "two peers have the name {}; give them different names with NAME=URL",
                peer.name
            );
            peers.push(peer);
        }
        for given in &self.peer_tokens {
            let (name, file) = given.split_once('=').context("--peer-token-file takes NAME=FILE")?;
            let peer = peers.iter_mut().find(|peer| peer.name == name);
            let peer =
                peer.with_context(|| format!("--peer-token-file: there is no --peer with the name {name}"))?;
            let token = named::read_text(Path::new(file), TOKEN_BYTES)
                .map_err(|error| anyhow::Error::msg(named::cannot_read(Path::new(file), &error)))?;
            let token = token.trim();
            ensure!(
                !token.is_empty() && token.chars().all(|c| c.is_ascii_graphic()),
                "{file} does not contain a token"
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
        let proxy_header = proxy_header.context("--proxy-header needs the name of a header")?;
        let hosts: Vec<String> =
            if self.hosts.is_empty() { HOSTS.map(str::to_owned).to_vec() } else { self.hosts.clone() };
        let program = program::file()?;
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
            most_kept: self.most_kept.map_or(16 << 30, |bytes| bytes as u64),
            log_requests: !self.quiet.quiet,
            worker: Box::new(job),
        })
    }
}
