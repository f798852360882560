//! What was decided of findings: everything stays, the newest of a finding counts.

use std::time::Duration;

use familiar_review::{Decision, Judgement};
use familiar_source::time;
use rusqlite::{Row, params};

use super::{Kept, Store, Window, now};

/// Most decisions that are added at once.
const AT_ONCE: usize = 2_000;

/// A decision, and who brought it in where that was somebody else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entered {
    pub(crate) decision: Decision,
    pub(crate) entered_by: Option<String>,
}

const DECISION: &str = "fingerprint, decided, author, decision, comment, place, entered_by";

/// The newest of each finding; `?1` is the owner. SQLite takes the other columns from the row with the maximum.
const NEWEST: &str = "SELECT fingerprint, decided, author, decision, comment, place, entered_by, number, max(decided * 4294967296 + number)
     FROM decisions WHERE owner = ?1 GROUP BY fingerprint";

impl Store {
    /// Adds decisions; how many are new. One without a time is of now, and newer than what it replaces. All or none of as many as one
    /// request makes; of more, part after part, so that others have their turn. What was added already is no error the next time.
    pub(crate) fn insert_decisions(&self, owner: &str, decisions: &[Entered]) -> Kept<usize> {
        let mut new = 0;
        for (number, part) in decisions.chunks(AT_ONCE).enumerate() {
            if number > 0 {
                // Whoever waits for the lock gets it.
                std::thread::sleep(Duration::from_millis(1));
            }
            new += self.insert_part(owner, part)?;
        }
        Ok(new)
    }

    fn insert_part(&self, owner: &str, decisions: &[Entered]) -> Kept<usize> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let mut new = 0;
        {
            let mut insert = transaction.prepare_cached(
                "INSERT INTO decisions (owner, fingerprint, decided, author, decision, comment, place, entered_by)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
            )?;
            for Entered { decision, entered_by } in decisions {
                let decided = time::parse(&decision.decided).unwrap_or_else(now);
                let (author, name) = (&decision.author, decision.decision.name());
                let (fingerprint, comment, place) =
                    (&decision.fingerprint, &decision.comment, &decision.place);
                new += insert.execute(params![
                    owner,
                    fingerprint,
                    decided,
                    author,
                    name,
                    comment,
                    place,
                    entered_by
                ])?;
            }
        }
        transaction.commit()?;
        Ok(new)
    }

    /// Seconds since 1970 at which a decision about a finding counts from now on: now, or right after the newest there is.
    pub(crate) fn next_decided(&self, owner: &str, fingerprint: &str) -> Kept<i64> {
        let statement = "SELECT max(decided) FROM decisions WHERE owner = ?1 AND fingerprint = ?2";
        let newest = self.one(statement, [owner, fingerprint], |row| row.get::<_, Option<i64>>(0))?;
        Ok(newest.flatten().map_or_else(now, |newest| now().max(newest + 1)))
    }

    /// What holds, the newest first, and how much there is.
    pub(crate) fn standing_decisions(&self, owner: &str, window: Window) -> Kept<(u64, Vec<Entered>)> {
        let standing = format!("FROM ({NEWEST}) WHERE decision <> 'open'");
        let total = self.count(&format!("SELECT count(*) {standing}"), [owner])?;
        let statement =
            format!("SELECT {DECISION} {standing} ORDER BY decided DESC, number DESC LIMIT ?2 OFFSET ?3");
        Ok((total, self.all(&statement, params![owner, window.limit, window.offset], entered)?))
    }

    /// All decisions on a finding, the newest first.
    pub(crate) fn decisions_of(&self, owner: &str, fingerprint: &str) -> Kept<Vec<Entered>> {
        let statement = format!(
            "SELECT {DECISION} FROM decisions WHERE owner = ?1 AND fingerprint = ?2 ORDER BY decided DESC, number DESC LIMIT 500"
        );
        self.all(&statement, [owner, fingerprint], entered)
    }

    /// How many decisions somebody has, those that no longer count among them.
    pub(crate) fn decided(&self, owner: &str) -> Kept<u64> {
        self.count("SELECT count(*) FROM decisions WHERE owner = ?1", [owner])
    }
}

fn entered(row: &Row<'_>) -> rusqlite::Result<Entered> {
    let judgement: String = row.get(3)?;
    let decision = Decision {
        fingerprint: row.get(0)?,
        decided: time::utc(row.get(1)?),
        author: row.get(2)?,
        decision: Judgement::from_name(&judgement).unwrap_or(Judgement::Open),
        comment: row.get(4)?,
        place: row.get(5)?,
    };
    Ok(Entered { decision, entered_by: row.get(6)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINT: &str = "0123456789abcdef0123456789abcdef";

    fn entered(decision: Judgement, decided: i64) -> Entered {
        let decision = Decision {
            fingerprint: PRINT.to_owned(),
            decided: time::utc(decided),
            author: "ada".to_owned(),
            decision,
            comment: String::new(),
            place: String::new(),
        };
        Entered { decision, entered_by: None }
    }

    #[test]
    fn who_adds_many_lets_others_ask() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let store = Store::open(folder.path()).expect("an empty folder");
        let many: Vec<Entered> = (0..40_000).map(|at| entered(Judgement::Accepted, at)).collect();
        std::thread::scope(|scope| {
            let adding = scope.spawn(|| store.insert_decisions("ada", &many).expect("it is kept"));
            let mut between = false;
            // Who asks all the time takes the lock from who adds.
            while !adding.is_finished() && !between {
                let decided = store.decided("ada").expect("it answers");
                between |= (1..40_000).contains(&decided);
            }
            assert!(between, "nobody was answered while they were added");
            assert_eq!(adding.join().expect("it ends"), 40_000);
        });
    }

    #[test]
    fn the_newest_counts_and_nothing_is_another_s() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let store = Store::open(folder.path()).expect("an empty folder");
        let all = Window { offset: 0, limit: 10 };
        let standing = |owner: &str| store.standing_decisions(owner, all).expect("it answers");
        let add = |list: &[Entered]| store.insert_decisions("ada", list).expect("it is kept");
        assert_eq!(add(&[entered(Judgement::NeedsAction, 20), entered(Judgement::Accepted, 10)]), 2);
        assert_eq!(add(&[entered(Judgement::Accepted, 10)]), 0);
        let (total, list) = standing("ada");
        assert_eq!((total, list[0].decision.decision), (1, Judgement::NeedsAction));
        assert_eq!(standing("bob").0, 0);
        add(&[entered(Judgement::Open, 30)]);
        assert_eq!(standing("ada").0, 0);
        assert_eq!(store.decisions_of("ada", PRINT).expect("it answers").len(), 3);
        let future = now() + 1_000;
        add(&[entered(Judgement::Accepted, future)]);
        assert_eq!(store.next_decided("ada", PRINT).expect("it answers"), future + 1);
    }
}
