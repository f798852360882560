//! What the server has to remember: tokens, uploads, jobs, results and decisions, in one SQLite file.
//!
//! Another process may write it at the same time: `familiar serve token` makes tokens while the server runs. What was written is
//! there after a crash.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, params};

use crate::identifier;
use crate::job::{Job, State};
use crate::tokens::{self, Scope, Token};
use crate::upload::Upload;

mod decisions;
mod results;
#[cfg(test)]
mod tests;

pub(crate) use decisions::Entered;

/// Why something could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("a token with that name exists already; revoke it first or choose another name")]
    NameTaken,
    #[error("the server's database ({path}) cannot be used: {source}")]
    Open { path: String, source: rusqlite::Error },
    #[error("the server's database cannot be used: {0}")]
    Sql(#[from] rusqlite::Error),
    #[error("the server's database was written by a newer version of Familiar")]
    Newer,
}

impl StoreError {
    /// Whether there is no room on the disk.
    pub(crate) fn is_full(&self) -> bool {
        matches!(self, Self::Sql(error) if error.sqlite_error_code() == Some(ErrorCode::DiskFull))
    }
}

/// The server's memory.
#[derive(Debug)]
pub struct Store {
    connection: Mutex<Connection>,
}

/// One after another, from an empty file on.
const VERSIONS: [&str; 5] = [
    "
CREATE TABLE tokens (
    name TEXT PRIMARY KEY, hash BLOB NOT NULL UNIQUE, scope TEXT NOT NULL, created INTEGER NOT NULL, expires INTEGER
) STRICT;
CREATE TABLE uploads (
    id TEXT PRIMARY KEY, owner TEXT NOT NULL, name TEXT NOT NULL, bytes INTEGER NOT NULL, created INTEGER NOT NULL
) STRICT;
CREATE TABLE jobs (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL,
    task TEXT NOT NULL, state TEXT NOT NULL, created INTEGER NOT NULL, started INTEGER, ended INTEGER, error TEXT,
    result TEXT, attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX jobs_by_state ON jobs (state, number);
CREATE TABLE results (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL, kind TEXT NOT NULL, title TEXT NOT NULL,
    created INTEGER NOT NULL, files INTEGER NOT NULL, classes INTEGER NOT NULL, pairs INTEGER NOT NULL,
    duplication REAL NOT NULL, bytes INTEGER NOT NULL
) STRICT;
",
    "
ALTER TABLE tokens ADD COLUMN team TEXT;
CREATE TABLE decisions (
    number INTEGER PRIMARY KEY, owner TEXT NOT NULL, fingerprint TEXT NOT NULL, decided INTEGER NOT NULL,
    author TEXT NOT NULL, decision TEXT NOT NULL, comment TEXT NOT NULL, place TEXT NOT NULL, entered_by TEXT,
    UNIQUE (owner, fingerprint, decided, author, decision, comment, place)
) STRICT;
",
    "
ALTER TABLE jobs ADD COLUMN asks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE results ADD COLUMN unanswered TEXT NOT NULL DEFAULT '[]';
",
    "
ALTER TABLE results ADD COLUMN verdicts TEXT;
",
    "
CREATE TABLE facts (name TEXT PRIMARY KEY) STRICT;
INSERT INTO facts SELECT 'had tokens' WHERE EXISTS (SELECT 1 FROM tokens);
",
];

/// Seconds since 1970.
pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs().cast_signed())
}

/// Whose things are asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Of<'a> {
    Everybody,
    Owner(&'a str),
}

impl<'a> Of<'a> {
    /// For a condition `?1 IS NULL OR owner = ?1`.
    fn owner(self) -> Option<&'a str> {
        match self {
            Self::Everybody => None,
            Self::Owner(owner) => Some(owner),
        }
    }
}

/// Some of a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) offset: u32,
    pub(crate) limit: u32,
}

type Kept<T> = Result<T, StoreError>;

impl Store {
    /// Opens the memory in `folder`, which is made where there is none.
    pub fn open(folder: &Path) -> Kept<Self> {
        let path = folder.join("service.sqlite");
        let failed = |source| StoreError::Open { path: path.display().to_string(), source };
        let connection = Connection::open(&path).map_err(failed)?;
        connection.busy_timeout(Duration::from_secs(10)).map_err(failed)?;
        let journal = connection.pragma_update(None, "journal_mode", "WAL");
        journal.map_err(failed)?;
        let mut store = Self { connection: Mutex::new(connection) };
        store.bring_up()?;
        Ok(store)
    }

    fn bring_up(&mut self) -> Kept<()> {
        let connection = self.connection.get_mut().unwrap_or_else(PoisonError::into_inner);
        let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
        let version: u32 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if version as usize > VERSIONS.len() {
            return Err(StoreError::Newer);
        }
        for statements in &VERSIONS[version as usize..] {
            transaction.execute_batch(statements)?;
        }
        transaction.pragma_update(None, "user_version", VERSIONS.len() as u32)?;
        Ok(transaction.commit()?)
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, statement: &str, values: impl rusqlite::Params) -> Kept<usize> {
        Ok(self.lock().prepare_cached(statement)?.execute(values)?)
    }

    fn one<T>(
        &self,
        statement: &str,
        values: impl rusqlite::Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Kept<Option<T>> {
        Ok(self.lock().prepare_cached(statement)?.query_row(values, read).optional()?)
    }

    fn all<T>(
        &self,
        statement: &str,
        values: impl rusqlite::Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Kept<Vec<T>> {
        let connection = self.lock();
        let mut statement = connection.prepare_cached(statement)?;
        let rows = statement.query_map(values, read)?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    fn count(&self, statement: &str, values: impl rusqlite::Params) -> Kept<u64> {
        Ok(self.one(statement, values, |row| row.get::<_, i64>(0))?.unwrap_or(0).cast_unsigned())
    }

    /// Whether anything can be read at all.
    pub(crate) fn answers(&self) -> bool {
        self.count("SELECT 1", []).is_ok()
    }
}

/// Tokens.
impl Store {
    /// Makes a token, and gives the only copy of it that there will ever be.
    pub fn create_token(
        &self,
        name: &str,
        team: Option<&str>,
        scope: Scope,
        days: Option<u32>,
    ) -> Kept<String> {
        let secret = identifier::token();
        let created = now();
        let expires = days.map(|days| created + i64::from(days) * 86_400);
        let token = Token { name: name.to_owned(), team: team.map(str::to_owned), scope, created, expires };
        self.insert_token(&token, &tokens::hash(&secret))?;
        Ok(secret)
    }

    fn insert_token(&self, token: &Token, hash: &[u8; 32]) -> Kept<()> {
        let Token { name, team, scope, created, expires } = token;
        let inserted = self.change(
            "INSERT INTO tokens (name, hash, scope, created, expires, team) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (name) DO NOTHING",
            params![name, hash.as_slice(), scope.name(), created, expires, team],
        )?;
        if inserted == 0 {
            return Err(StoreError::NameTaken);
        }
        self.change("INSERT INTO facts (name) VALUES ('had tokens') ON CONFLICT DO NOTHING", [])?;
        Ok(())
    }

    /// The tokens by name.
    pub fn tokens(&self) -> Kept<Vec<Token>> {
        self.all("SELECT name, scope, created, expires, team FROM tokens ORDER BY name", [], token)
    }

    /// Whether anybody can sign in.
    pub fn has_tokens(&self) -> Kept<bool> {
        Ok(self.count("SELECT EXISTS (SELECT 1 FROM tokens)", [])? > 0)
    }

    /// Whether there has ever been a token: who takes the last one back wants nobody to be let in.
    pub(crate) fn had_tokens(&self) -> Kept<bool> {
        Ok(self.count("SELECT EXISTS (SELECT 1 FROM facts WHERE name = 'had tokens')", [])? > 0)
    }

    /// Whether there was such a token.
    pub fn revoke(&self, name: &str) -> Kept<bool> {
        Ok(self.change("DELETE FROM tokens WHERE name = ?1", [name])? > 0)
    }

    /// The token with this hash, unless it has expired.
    pub(crate) fn token(&self, hash: &[u8; 32]) -> Kept<Option<Token>> {
        self.one(
            "SELECT name, scope, created, expires, team FROM tokens WHERE hash = ?1 AND (expires IS NULL OR expires > ?2)",
            params![hash.as_slice(), now()],
            token,
        )
    }
}

fn token(row: &Row<'_>) -> rusqlite::Result<Token> {
    let scope: String = row.get(1)?;
    // What is not known may do the least.
    let scope = Scope::from_name(&scope).unwrap_or(Scope::Read);
    Ok(Token { name: row.get(0)?, team: row.get(4)?, scope, created: row.get(2)?, expires: row.get(3)? })
}

/// Uploads.
impl Store {
    pub(crate) fn insert_upload(&self, upload: &Upload) -> Kept<()> {
        let Upload { id, owner, name, bytes, created } = upload;
        self.change(
            "INSERT INTO uploads (id, owner, name, bytes, created) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id, owner, name, bytes.cast_signed(), created],
        )?;
        Ok(())
    }

    pub(crate) fn uploads(&self, of: Of<'_>) -> Kept<Vec<Upload>> {
        let statement = "SELECT id, owner, name, bytes, created FROM uploads WHERE ?1 IS NULL OR owner = ?1 ORDER BY created, id";
        self.all(statement, [of.owner()], upload)
    }

    pub(crate) fn upload(&self, id: &str, of: Of<'_>) -> Kept<Option<Upload>> {
        let statement = "SELECT id, owner, name, bytes, created FROM uploads WHERE id = ?1 AND (?2 IS NULL OR owner = ?2)";
        self.one(statement, params![id, of.owner()], upload)
    }

    pub(crate) fn delete_upload(&self, id: &str) -> Kept<()> {
        self.change("DELETE FROM uploads WHERE id = ?1", [id])?;
        Ok(())
    }

    /// Bytes of all that somebody has uploaded.
    pub(crate) fn uploaded(&self, owner: &str) -> Kept<u64> {
        self.count("SELECT coalesce(sum(bytes), 0) FROM uploads WHERE owner = ?1", [owner])
    }
}

fn upload(row: &Row<'_>) -> rusqlite::Result<Upload> {
    Ok(Upload {
        id: row.get(0)?,
        owner: row.get(1)?,
        name: row.get(2)?,
        bytes: row.get::<_, i64>(3)?.cast_unsigned(),
        created: row.get(4)?,
    })
}

const JOB: &str = "id, owner, kind, title, state, created, started, ended, error, result";

/// Jobs.
impl Store {
    /// `asks` says whether peers take part.
    pub(crate) fn insert_job(&self, job: &Job, task: &str, asks: bool) -> Kept<()> {
        self.change(
            "INSERT INTO jobs (id, owner, kind, title, task, state, created, asks) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![job.id, job.owner, job.kind, job.title, task, job.state.name(), job.created, asks],
        )?;
        Ok(())
    }

    pub(crate) fn job(&self, id: &str, of: Of<'_>) -> Kept<Option<Job>> {
        let statement = format!("SELECT {JOB} FROM jobs WHERE id = ?1 AND (?2 IS NULL OR owner = ?2)");
        self.one(&statement, params![id, of.owner()], job)
    }

    /// The newest first, and how many there are.
    pub(crate) fn jobs(&self, of: Of<'_>, window: Window) -> Kept<(u64, Vec<Job>)> {
        let condition = "FROM jobs WHERE ?1 IS NULL OR owner = ?1";
        let total = self.count(&format!("SELECT count(*) {condition}"), [of.owner()])?;
        let statement = format!("SELECT {JOB} {condition} ORDER BY number DESC LIMIT ?2 OFFSET ?3");
        Ok((total, self.all(&statement, params![of.owner(), window.limit, window.offset], job)?))
    }

    /// How many jobs somebody has that have not ended.
    pub(crate) fn unfinished(&self, owner: &str) -> Kept<u64> {
        self.count("SELECT count(*) FROM jobs WHERE owner = ?1 AND state IN ('queued', 'running')", [owner])
    }

    pub(crate) fn in_state(&self, state: State) -> Kept<u64> {
        self.count("SELECT count(*) FROM jobs WHERE state = ?1", [state.name()])
    }

    /// Takes the oldest job that waits, of those in which peers take part or of the others, with its task and how often it was begun
    /// before; it is running from now on.
    pub(crate) fn take_job(&self, asks: bool) -> Kept<Option<(Job, String, u32)>> {
        let statement = format!(
            "UPDATE jobs SET state = 'running', started = ?1, attempts = attempts + 1
             WHERE number = (SELECT number FROM jobs WHERE state = 'queued' AND asks = ?2 ORDER BY number LIMIT 1)
             RETURNING {JOB}, task, attempts"
        );
        self.one(&statement, params![now(), asks], |row| Ok((job(row)?, row.get(10)?, row.get(11)?)))
    }

    /// Whether a job that has not ended is about what has this identifier.
    pub(crate) fn is_wanted(&self, id: &str) -> Kept<bool> {
        let statement =
            "SELECT EXISTS (SELECT 1 FROM jobs WHERE state IN ('queued', 'running') AND instr(task, ?1) > 0)";
        Ok(self.count(statement, [id])? > 0)
    }

    /// Forgets the jobs that ended before a time. Their results stay.
    pub(crate) fn forget_jobs(&self, before: i64) -> Kept<usize> {
        self.change("DELETE FROM jobs WHERE state NOT IN ('queued', 'running') AND ended < ?1", [before])
    }

    /// Says how a job ended, unless it has ended already; whether it had not.
    pub(crate) fn end_job(&self, id: &str, state: State, error: Option<&str>) -> Kept<bool> {
        let changed = self.change(
            "UPDATE jobs SET state = ?2, ended = ?3, error = ?4 WHERE id = ?1 AND state IN ('queued', 'running')",
            params![id, state.name(), now(), error],
        )?;
        Ok(changed > 0)
    }

    /// Lets the jobs wait again that were running when the server stopped.
    pub(crate) fn requeue(&self) -> Kept<usize> {
        self.change("UPDATE jobs SET state = 'queued', started = NULL WHERE state = 'running'", [])
    }

    /// Lets one job wait again, as if it had not been begun.
    pub(crate) fn put_back(&self, id: &str) -> Kept<()> {
        let statement = "UPDATE jobs SET state = 'queued', started = NULL, attempts = attempts - 1 WHERE id = ?1 AND state = 'running'";
        self.change(statement, [id])?;
        Ok(())
    }
}

fn job(row: &Row<'_>) -> rusqlite::Result<Job> {
    let (kind, state): (String, String) = (row.get(2)?, row.get(4)?);
    Ok(Job {
        id: row.get(0)?,
        owner: row.get(1)?,
        kind,
        title: row.get(3)?,
        state: State::from_name(&state).unwrap_or(State::Failed),
        stage: String::new(),
        done: 0,
        total: 0,
        created: row.get(5)?,
        started: row.get(6)?,
        ended: row.get(7)?,
        error: row.get(8)?,
        result: row.get(9)?,
    })
}
