//! Decisions that are made in the editor, kept where `familiar decisions` keeps them.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use familiar_files::named;
use familiar_review::{Decision, Decisions, Judgement, Lock};

/// Most bytes of a file of decisions.
const MOST_BYTES: u64 = 1 << 30;

/// Why a finding may stay, where the editor offers no way to type a reason.
pub(crate) const REASONS: [(Judgement, &str); 4] = [
    (Judgement::Accepted, "generated, or written after a template"),
    (Judgement::Accepted, "kept alike on purpose"),
    (Judgement::Accepted, "too small to matter"),
    (Judgement::FalsePositive, "it is no copy"),
];

/// The decisions in a file; none where there is no such file yet.
pub(crate) fn read(file: &Path) -> Result<Decisions, String> {
    if !file.exists() {
        return Ok(Decisions::default());
    }
    let bytes = named::read(file, MOST_BYTES).map_err(|error| named::cannot_read(file, &error))?;
    Decisions::parse(&bytes).map_err(|error| format!("{}: {error}", file.display()))
}

/// The fingerprints of all that is settled.
pub(crate) fn settled(decisions: &Decisions) -> BTreeSet<String> {
    let settled = decisions.standing().filter(|decision| decision.decision.settles());
    settled.map(|decision| decision.fingerprint.clone()).collect()
}

/// What is decided, and by whom.
pub(crate) struct Deciding<'d> {
    pub(crate) fingerprints: &'d [String],
    pub(crate) judgement: Judgement,
    pub(crate) reason: &'d str,
    pub(crate) author: &'d str,
    pub(crate) place: &'d str,
}

/// Adds decisions to a file, which is replaced as a whole or left as it is.
pub(crate) fn add(file: &Path, deciding: &Deciding<'_>) -> Result<Decisions, String> {
    let _held = Lock::of(file);
    let mut decisions = read(file)?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs().cast_signed());
    for fingerprint in deciding.fingerprints {
        let decision = Decision {
            fingerprint: fingerprint.clone(),
            decided: decisions.time_after(fingerprint, now),
            author: deciding.author.to_owned(),
            decision: deciding.judgement,
            comment: deciding.reason.to_owned(),
            place: deciding.place.to_owned(),
        };
        decisions.add(decision).map_err(|error| error.to_string())?;
    }
    let cannot = |error: std::io::Error| format!("cannot write {}: {error}", file.display());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut new = tempfile::NamedTempFile::new_in(folder).map_err(cannot)?;
    decisions.write(&mut new).and_then(|()| new.flush()).map_err(cannot)?;
    // A new file is for its owner alone; a file of decisions belongs to the project.
    readable_by_all(&new).map_err(cannot)?;
    new.persist(file).map_err(|error| cannot(error.error))?;
    Ok(decisions)
}

fn readable_by_all(file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deciding<'d>(fingerprints: &'d [String], author: &'d str) -> Deciding<'d> {
        let judgement = Judgement::Accepted;
        Deciding { fingerprints, judgement, reason: "ours", author, place: "a.py, lines 1 to 9" }
    }

    #[test]
    fn decisions_are_added_to_those_that_are_there() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = folder.path().join("decisions.json");
        let prints = ["0".repeat(32), "1".repeat(32)];
        add(&file, &deciding(&prints[..1], "ada")).expect("it can be written");
        add(&file, &deciding(&prints[1..], "bob")).expect("it can be written");
        let all = read(&file).expect("just written");
        assert_eq!(settled(&all), prints.into());
        assert_eq!(std::fs::read_dir(folder.path()).expect("readable").count(), 1, "nothing else is left");
    }

    #[test]
    fn who_decides_at_once_with_others_loses_nothing() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = &folder.path().join("decisions.json");
        let prints: Vec<String> = (0..16).map(|number| format!("{number:032x}")).collect();
        std::thread::scope(|scope| {
            for print in prints.chunks(1) {
                scope.spawn(move || add(file, &deciding(print, "ada")).expect("it can be written"));
            }
        });
        assert_eq!(settled(&read(file).expect("just written")).len(), 16);
    }

    #[test]
    fn what_is_wrong_leaves_the_file_as_it_is() {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let file = folder.path().join("decisions.json");
        std::fs::write(&file, "{").expect("it can be written");
        let prints = ["0".repeat(32)];
        assert!(add(&file, &deciding(&prints, "ada")).is_err());
        assert_eq!(std::fs::read_to_string(&file).expect("readable"), "{");
        std::fs::remove_file(&file).expect("it is there");
        assert!(add(&file, &deciding(&prints, " ")).is_err() && !file.exists());
    }
}
