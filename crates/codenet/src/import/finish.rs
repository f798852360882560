//! The metadata of a set, written when all submissions are there.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::ImportError;
use super::work::Import;
use crate::metadata::{ProblemTable, SubmissionTable, Writer};
use crate::submission::{Problem, Submission};

/// What a set holds, as `set.json` says it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetSummary {
    /// `familiar.codenet/1`.
    pub schema: String,
    pub submissions: u64,
    pub problems: u64,
    pub users: u64,
    /// Submissions of each language.
    pub languages: BTreeMap<String, u64>,
    /// Submissions of each status; of none, `""`.
    pub statuses: BTreeMap<String, u64>,
    /// Entries that were left out.
    pub skipped: u64,
}

impl SetSummary {
    pub const SCHEMA: &str = "familiar.codenet/1";
}

/// Writes the metadata of all submissions, and takes away what the import kept.
pub(super) fn finish(mut import: Import<'_>) -> Result<SetSummary, ImportError> {
    let layout = import.layout.clone();
    let work = layout.work();
    let spool = |source| ImportError::Write { path: work.clone(), source };
    for name in ["data", "metadata"] {
        let folder = layout.root.join(name);
        fs::create_dir_all(&folder).map_err(|source| ImportError::Write { path: folder, source })?;
    }

    let mut problems: BTreeMap<String, Problem> = BTreeMap::new();
    for problem in import.spool.lines::<Problem>("problems").map_err(spool)? {
        problems.insert(problem.id.clone(), problem);
    }
    let given = import.problems.given().to_vec();
    for given in given {
        let id = import.problems.id(&given).unwrap_or_default();
        problems.entry(id.clone()).or_insert(Problem { id, source_id: given, ..Problem::default() });
    }

    let mut summary = SetSummary { schema: SetSummary::SCHEMA.to_owned(), ..SetSummary::default() };
    let mut users = std::collections::HashSet::new();
    let mut table = Writer::<SubmissionTable>::create(&layout.submissions())?;
    for file in import.spool.files("rows-") {
        let mut rows: Vec<Submission> = import.spool.lines(&file).map_err(spool)?;
        rows.sort_by(|one, two| {
            (&one.problem_id, &one.submission_id).cmp(&(&two.problem_id, &two.submission_id))
        });
        for rows in rows.chunk_by(|one, two| one.problem_id == two.problem_id) {
            let id = &rows[0].problem_id;
            problems.entry(id.clone()).or_insert_with(|| Problem {
                id: id.clone(),
                source_id: id.clone(),
                ..Problem::default()
            });
            write_csv(&layout.problem_table(id), &Submission::COLUMNS, rows.iter().map(Submission::record))?;
            for row in rows {
                summary.submissions += 1;
                *summary.languages.entry(row.language.clone()).or_default() += 1;
                *summary.statuses.entry(row.status.clone()).or_default() += 1;
                if !row.user_id.is_empty() {
                    users.insert(row.user_id.clone());
                }
                table.push(row)?;
            }
        }
    }
    table.finish()?;
    summary.users = users.len() as u64;
    summary.problems = problems.len() as u64;

    write_csv(&layout.problem_list(), &Problem::COLUMNS, problems.values().map(Problem::record))?;
    let mut table = Writer::<ProblemTable>::create(&layout.problems())?;
    for problem in problems.values() {
        table.push(problem)?;
    }
    table.finish()?;
    let given = import.users.given().to_vec();
    let ids: Vec<String> = given.iter().map(|given| import.users.id(given).unwrap_or_default()).collect();
    if ids != given {
        write_csv(
            &layout.users(),
            &["user_id", "source_id"],
            ids.iter().zip(&given).map(|(id, given)| [id, given]),
        )?;
    }

    summary.skipped = import.spool.hand_over("skipped", &layout.skipped()).map_err(spool)?;
    // From here on the set is whole, also where the import is ended before all that it kept is gone.
    let waiting = work.join("set.json");
    write(&waiting, |out| {
        serde_json::to_writer_pretty(&mut *out, &summary)?;
        out.write_all(b"\n")
    })?;
    let path = layout.summary();
    fs::rename(&waiting, &path).map_err(|source| ImportError::Write { path, source })?;
    import.spool.remove().map_err(spool)?;
    Ok(summary)
}

fn write_csv<R>(path: &Path, columns: &[&str], rows: impl Iterator<Item = R>) -> Result<(), ImportError>
where
    R: IntoIterator,
    R::Item: AsRef<[u8]>,
{
    write(path, |out| {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(columns)?;
        for row in rows {
            csv.write_record(row)?;
        }
        csv.flush()
    })
}

fn write(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), ImportError> {
    let whole = || {
        let mut out = io::BufWriter::new(File::create(path)?);
        write(&mut out)?;
        out.flush()
    };
    whole().map_err(|source| ImportError::Write { path: PathBuf::from(path), source })
}
