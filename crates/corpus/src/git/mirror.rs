//! A repository on the net, of which a copy is kept beside the corpus.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use gix::open::Permissions;
use gix::progress::Discard;
use gix::refs::transaction::{Change, PreviousValue, RefEdit, RefLog};
use gix::remote::Direction;
use gix::remote::fetch::{Shallow, Tags};
use gix::url::Scheme;
use gix_transport::Protocol;
use gix_transport::client::blocking_io::http::connect_http;
use rustc_hash::FxHashSet;

use super::Reading;
use super::exclude::Exclude;
use super::http::Client;
use super::repository::{Repository, reason};
use crate::source::Before;
use crate::{Limits, Sink, Source, SourceError};

/// The folder of the copy, in the source's own.
const FOLDER: &str = "mirror.git";

/// A repository by its URL: `https:`, `http:` or `git:`.
#[derive(Clone, Debug)]
pub(crate) struct Mirror {
    pub url: String,
    /// Globs of paths that are left out.
    pub exclude: Vec<String>,
}

impl Source for Mirror {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        self.read_since(&Before::NONE, limits, sink)
    }

    fn read_since(
        &self,
        before: &Before<'_>,
        limits: &Limits,
        sink: &mut Sink<'_>,
    ) -> Result<(), SourceError> {
        let exclude = Exclude::new(&self.exclude)?;
        // Nobody keeps the copy where there is no place for it.
        let temporary = match before.cache {
            Some(_) => None,
            None => Some(tempfile::tempdir().map_err(SourceError::Temporary)?),
        };
        let folder = before
            .cache
            .or(temporary.as_ref().map(tempfile::TempDir::path))
            .map(|folder| folder.join(FOLDER));
        let folder = folder.expect("there is the cache or a temporary folder");
        fetch(&self.url, &folder, Extent::Whole, limits)?;
        let repository = Repository::open(&folder, limits)?;
        Reading::of(repository, Some(&self.url), exclude, before, limits)?.run(sink)
    }

    fn exclude(&self) -> &[String] {
        &self.exclude
    }
}

/// How much of a repository is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    /// The commit of its HEAD, without those before.
    Tip,
}

impl Extent {
    /// Which refs of theirs become which of ours. The HEAD of a new repository stands on `main`.
    const fn refs(self) -> &'static str {
        match self {
            Self::Whole => "+refs/*:refs/*",
            Self::Tip => "+HEAD:refs/heads/main",
        }
    }

    const fn depth(self) -> Shallow {
        match self {
            Self::Whole => Shallow::NoChange,
            Self::Tip => Shallow::DepthAtRemote(NonZeroU32::MIN),
        }
    }
}

/// Makes `folder` a copy of what the repository has: what it lacks is fetched, and refs that are gone are taken away.
pub(super) fn fetch(url: &str, folder: &Path, extent: Extent, limits: &Limits) -> Result<(), SourceError> {
    copy(url, folder, extent, limits).map_err(|error| SourceError::remote(url, reason(&*error)))
}

fn copy(
    url: &str,
    folder: &Path,
    extent: Extent,
    limits: &Limits,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let options = gix::open::Options::isolated().permissions(Permissions::isolated()).config_overrides([
        // Asked for where refs change, although nothing is written with it.
        "gitoxide.committer.nameFallback=familiar",
        "gitoxide.committer.emailFallback=familiar",
    ]);
    let repository = if folder.join("HEAD").exists() {
        gix::open_opts(folder, options)?
    } else {
        std::fs::create_dir_all(folder)?;
        let create = gix::create::Options::default();
        gix::ThreadSafeRepository::init_opts(folder, gix::create::Kind::Bare, create, options)?
            .to_thread_local()
    };
    let remote = repository
        .remote_at_without_url_rewrite(url)?
        .with_refspecs([extent.refs()], Direction::Fetch)?
        .with_fetch_tags(Tags::None);
    let parsed = gix::url::parse(url.as_bytes())?;
    let theirs = if parsed.scheme == Scheme::Git {
        receive(remote.connect(Direction::Fetch)?, extent)?
    } else {
        let http = connect_http(Client::new(url, limits.archive_bytes)?, parsed, Protocol::V2, false);
        receive(remote.to_connection_with_transport(http), extent)?
    };
    match extent {
        Extent::Whole => prune(&repository, &theirs),
        Extent::Tip => Ok(()),
    }
}

/// Receives what a connection offers; the names of the refs that the other side has.
fn receive<T: gix_transport::client::blocking_io::Transport>(
    connection: gix::remote::Connection<'_, '_, '_, T>,
    extent: Extent,
) -> Result<FxHashSet<Vec<u8>>, Box<dyn std::error::Error + Send + Sync>> {
    // A server that is asked for `refs/*` takes the star for a part of the name and has none.
    let options = gix::remote::ref_map::Options {
        prefix_from_spec_as_filter_on_remote: false,
        ..gix::remote::ref_map::Options::default()
    };
    let prepared = connection.with_credentials(|_| Ok(None)).prepare_fetch(Discard, options)?;
    if prepared.ref_map().mappings.is_empty() {
        return Err("it has no branches and no tags".into());
    }
    let name = |reference: &gix::protocol::handshake::Ref| reference.unpack().0.to_vec();
    let theirs = prepared.ref_map().remote_refs.iter().map(name).collect();
    let prepared = prepared.with_write_packed_refs_only(true).with_shallow(extent.depth());
    prepared.receive(Discard, &AtomicBool::new(false))?;
    Ok(theirs)
}

/// Takes away the refs that the other side has no more.
fn prune(
    repository: &gix::Repository,
    theirs: &FxHashSet<Vec<u8>>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut edits = Vec::new();
    for reference in repository.references()?.all()?.flatten() {
        if !theirs.contains(&reference.name().as_bstr().to_vec()) {
            edits.push(RefEdit {
                change: Change::Delete { expected: PreviousValue::Any, log: RefLog::AndReference },
                name: reference.name().to_owned(),
                deref: false,
            });
        }
    }
    if !edits.is_empty() {
        repository.edit_references(edits)?;
    }
    Ok(())
}
