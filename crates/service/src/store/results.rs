//! What jobs left: a row for each result, whose files lie in a folder.

use rusqlite::{Connection, Row, params};

use super::{Kept, Of, Store, Window, now};
use crate::peers::Unanswered;
use crate::results::Stored;

const RESULT: &str =
    "id, owner, kind, title, created, files, classes, pairs, duplication, bytes, unanswered, verdicts";

impl Store {
    /// Says that a job is done and what it left, both or neither; neither where it has ended already, and then this is false.
    pub(crate) fn finish_job(&self, id: &str, result: &Stored) -> Kept<bool> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let changed = transaction.execute(
            "UPDATE jobs SET state = 'done', ended = ?2, result = ?3 WHERE id = ?1 AND state = 'running'",
            params![id, now(), result.id],
        )?;
        if changed > 0 {
            insert(&transaction, result)?;
        }
        transaction.commit()?;
        Ok(changed > 0)
    }

    pub(crate) fn result(&self, id: &str, of: Of<'_>) -> Kept<Option<Stored>> {
        let statement = format!("SELECT {RESULT} FROM results WHERE id = ?1 AND (?2 IS NULL OR owner = ?2)");
        self.one(&statement, params![id, of.owner()], result)
    }

    /// The newest first, and how many there are.
    pub(crate) fn results(&self, of: Of<'_>, window: Window) -> Kept<(u64, Vec<Stored>)> {
        let condition = "FROM results WHERE ?1 IS NULL OR owner = ?1";
        let total = self.count(&format!("SELECT count(*) {condition}"), [of.owner()])?;
        let statement = format!("SELECT {RESULT} {condition} ORDER BY number DESC LIMIT ?2 OFFSET ?3");
        Ok((total, self.all(&statement, params![of.owner(), window.limit, window.offset], result)?))
    }

    /// Bytes of all results that somebody has.
    pub(crate) fn kept(&self, owner: &str) -> Kept<u64> {
        self.count("SELECT coalesce(sum(bytes), 0) FROM results WHERE owner = ?1", [owner])
    }

    pub(crate) fn delete_result(&self, id: &str) -> Kept<()> {
        self.change("DELETE FROM results WHERE id = ?1", [id])?;
        Ok(())
    }
}

fn insert(connection: &Connection, result: &Stored) -> rusqlite::Result<usize> {
    let Stored {
        id,
        owner,
        kind,
        title,
        created,
        files,
        classes,
        pairs,
        duplication,
        bytes,
        unanswered,
        verdicts,
        ..
    } = result;
    let verdicts = verdicts.as_ref().map(|verdicts| serde_json::to_string(verdicts).expect("plain data"));
    let unanswered = serde_json::to_string(unanswered).expect("plain data");
    let [files, classes, pairs, bytes] = [files, classes, pairs, bytes].map(|number| number.cast_signed());
    connection.execute(
        &format!("INSERT INTO results ({RESULT}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"),
        params![
            id,
            owner,
            kind,
            title,
            created,
            files,
            classes,
            pairs,
            duplication,
            bytes,
            unanswered,
            verdicts
        ],
    )
}

fn result(row: &Row<'_>) -> rusqlite::Result<Stored> {
    let number = |at| row.get::<_, i64>(at).map(i64::cast_unsigned);
    let unanswered: String = row.get(10)?;
    let unanswered: Vec<Unanswered> = serde_json::from_str(&unanswered).unwrap_or_default();
    let verdicts: Option<String> = row.get(11)?;
    Ok(Stored {
        id: row.get(0)?,
        owner: row.get(1)?,
        kind: row.get(2)?,
        title: row.get(3)?,
        created: row.get(4)?,
        files: number(5)?,
        classes: number(6)?,
        pairs: number(7)?,
        duplication: row.get(8)?,
        verdicts: verdicts.and_then(|verdicts| serde_json::from_str(&verdicts).ok()),
        bytes: number(9)?,
        partial: !unanswered.is_empty(),
        unanswered,
    })
}
