//! The routes, asked in process: no socket, no process of its own.

mod cases;
mod description;
mod faults;
mod jobs;
mod limits;

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::connect_info::MockConnectInfo;
use axum::http::{Request, StatusCode, header};
use familiar_cases::Suite;
use familiar_corpus::{Limits, spec};
use familiar_files::dir::WalkOptions;
use familiar_library::{self as corpus, AddOptions, Reading};
use familiar_model::Builtin;
use familiar_source::Silent;
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

use crate::options::Options;
use crate::state::Server;
use crate::store::Store;

const HERE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 7420);

/// A server with one corpus, `cases`, of the left sides of cases.
struct InProcess {
    server: Arc<Server>,
    router: Router,
    runtime: tokio::runtime::Runtime,
    folder: TempDir,
}

impl InProcess {
    fn new(suites: &[Suite]) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let corpus = make_corpus(folder.path(), suites);
        Self::of_corpus(folder, corpus)
    }

    /// The corpus has vectors, too.
    fn with_vectors(suites: &[Suite]) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let corpus = make_corpus(folder.path(), suites);
        corpus::make_vectors(&corpus, Builtin::shipped(), 2, 1 << 30, &Silent).expect("the text is kept");
        Self::of_corpus(folder, corpus)
    }

    fn of_corpus(folder: TempDir, corpus: PathBuf) -> Self {
        let corpora = BTreeMap::from([("cases".to_owned(), corpus)]);
        let data = folder.path().join("data");
        for name in ["uploads", "jobs", "results"] {
            std::fs::create_dir_all(data.join(name)).expect("the temporary folder can be written");
        }
        let store = Store::open(&data).expect("an empty folder");
        let runtime = tokio::runtime::Runtime::new().expect("threads can be started");
        let options = Options {
            listen: HERE,
            data,
            home: None,
            corpora,
            read_only: false,
            tls: None,
            proxy_header: None,
            peers: Vec::new(),
            peer_timeout: Duration::from_secs(1),
            peer_job_timeout: Duration::from_secs(1),
            hosts: Vec::new(),
            threads: 2,
            jobs: 1,
            memory: 256 << 20,
            rate: NonZeroU32::new(1000).expect("not zero"),
            most_jobs: 1,
            most_uploaded: 1 << 20,
            most_unpacked: 1 << 20,
            most_kept: 1 << 20,
            log_requests: false,
            worker: Box::new(|_| std::process::Command::new("false")),
        };
        let server = runtime.block_on(async { Server::new(options, store) }).expect("its folder is there");
        let server = Arc::new(server);
        let router = super::app(Arc::clone(&server)).layer(MockConnectInfo(HERE));
        Self { server, router, runtime, folder }
    }

    /// The status and the JSON that a POST is answered with.
    fn post(&self, path: &str, body: &Value) -> (StatusCode, Value) {
        self.post_text(path, &body.to_string())
    }

    fn post_text(&self, path: &str, body: &str) -> (StatusCode, Value) {
        self.answer(Request::post(path), body)
    }

    fn get(&self, path: &str) -> (StatusCode, Value) {
        self.answer(Request::get(path), "")
    }

    fn answer(&self, request: axum::http::request::Builder, body: &str) -> (StatusCode, Value) {
        let request = request
            .header(header::HOST, "127.0.0.1:7420")
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::ACCEPT, "application/json, text/event-stream")
            .body(Body::from(body.to_owned()))
            .expect("a plain request");
        self.runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.expect("a router answers");
            let status = response.status();
            let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("it is in memory");
            (status, serde_json::from_slice(&bytes).expect("the answer is JSON"))
        })
    }
}

fn make_corpus(folder: &Path, suites: &[Suite]) -> PathBuf {
    let tree = folder.join("tree");
    for case in suites.iter().flat_map(|suite| suite.load().expect("the cases are valid")) {
        case.write_left(&tree).expect("the temporary folder can be written");
    }
    let name = spec::canonical(tree.to_str().expect("a plain name")).expect("it is there");
    let source = spec::source(&name, &WalkOptions::default()).expect("it is there");
    let options = AddOptions {
        folder: folder.join("corpus"),
        sources: vec![(name, source)],
        base: BTreeSet::new(),
        exclude: Vec::new(),
        text: true,
        reading: Reading { limits: Limits::default(), threads: 1, memory: 1 << 30 },
    };
    corpus::add(&options, &Silent).expect("the corpus can be written");
    options.folder
}
