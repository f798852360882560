//! The process that does one job: it reads a task, says on standard output how far it is, and leaves its result in a folder.
//!
//! A job has a process of its own so that it can be ended at any moment, and so that whatever it does to its memory, the server
//! stays. It ends by itself when the server does: then its standard input is closed.
//!
//! `clones`, `audit` and `licenses` are the kinds of jobs that leave a result. `filling` fills corpora, `peer_corpora`
//! makes corpora of what peers answered, `context` is what all of them need, `files` names and writes the files, and `progress` is what the job says.

use std::io::{self, Read};
use std::path::Path;

use familiar_files::dir::WalkOptions;
use familiar_library::{self as corpus, UpdateOptions};

mod audit;
mod clones;
mod context;
mod files;
mod filling;
mod licenses;
mod peer_corpora;
mod progress;

pub(crate) use files::{PEERS, REPORT, RESULT, TASK, file_of};

use crate::tasks::{Found, News, Task, What};
use context::Context;
use filling::{outcome_of, vectors};
use progress::{Failure, Reporter, say};

/// Does the job in `folder`. What becomes of it is said on standard output.
pub fn run(folder: &Path) -> io::Result<()> {
    end_with_the_server();
    let progress = Reporter::default();
    let outcome = std::fs::read(folder.join(TASK))
        .map_err(Failure::from)
        .and_then(|bytes| Ok(serde_json::from_slice::<Task>(&bytes)?))
        .and_then(|task| perform(&task, folder, &progress));
    say(&match outcome {
        Ok(found) => News::Finished(found),
        Err(error) => News::Failed(error.to_string()),
    })
}

/// Ends this process when standard input ends: whoever started it is gone.
fn end_with_the_server() {
    std::thread::spawn(|| {
        let _ended = io::stdin().read(&mut [0]);
        std::process::exit(1);
    });
}

fn perform(task: &Task, folder: &Path, progress: &Reporter) -> Result<Option<Found>, Failure> {
    if let Some(gone) = task.what.uploads().into_iter().find(|upload| !upload.exists()) {
        let name = gone.file_name().unwrap_or_default().to_string_lossy();
        return Err(format!("the upload {name} was deleted before this job ran; upload it again").into());
    }
    let context = Context { folder, bounds: task.bounds, progress };
    match &task.what {
        What::Clones(wanted) => clones::find_clones(wanted, context).map(Some),
        What::Audit(wanted) => audit::audit_uploads(wanted, context).map(Some),
        What::Licenses { upload } => licenses::read_licenses(upload, context).map(Some),
        What::CorpusAdd { folder, sources, uploads } => {
            let outcome = filling::add_given(folder, sources, uploads, context)?;
            vectors(folder, context)?;
            outcome_of(&outcome)
        }
        What::CorpusUpdate { folder } => {
            let reading = context.reading();
            let options = UpdateOptions { folder: folder.clone(), walk: WalkOptions::default(), reading };
            let outcome = corpus::update(&options, progress)?;
            vectors(folder, context)?;
            outcome_of(&outcome)
        }
        What::CorpusRemove { folder, source } => {
            corpus::remove(folder, source)?;
            Ok(None)
        }
    }
}
