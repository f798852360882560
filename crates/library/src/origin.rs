//! Who had some code first, as far as times say.

use std::collections::BTreeSet;

use familiar_report::find::Origin;
use familiar_source::{BlobId, Evidence, Occurrence, time};

use crate::witnesses::Witness;

/// Whether a blob that has so many tokens of the code speaks for who had it, where the best has `best`: with four fifths.
pub fn is_as_good(covered: u32, best: u32) -> bool {
    u64::from(covered) * 5 >= u64::from(best) * 4
}

/// The earliest occurrence of blobs that have about as much of the code as any, if times can tell.
///
/// Times of commits, posts and uploads are compared with one another. The time of a file is when a copy was made, or
/// anything at all; where one lies before everything else, nothing is known, nor where some place is known to stand since a time or
/// before. Where forks have it since the same commit, the one
/// that the family is called after stands for them. What was handed out is nobody's, and where the code is that, nothing is known.
pub fn of(found: &[(BlobId, Vec<Witness>)]) -> Origin {
    let all: Vec<(BlobId, &Witness)> =
        found.iter().flat_map(|(blob, places)| places.iter().map(move |place| (*blob, place))).collect();
    let (reliable, unreliable) = (earliest(&all, true), earliest(&all, false));
    let first = reliable.or(unreliable);
    let (known, reason) = conclusion(&all, reliable, unreliable);
    Origin {
        known,
        reason,
        blob: first.map(|(_, blob, _)| blob.swhid()),
        occurrence: first.map(|(.., witness)| witness.row()),
    }
}

/// A time, and which blob stood where since then.
type Dated<'w> = (i64, BlobId, &'w Witness);

/// The earliest occurrence with a reliable date, or with an unreliable one; what was handed out does not count.
fn earliest<'w>(all: &[(BlobId, &'w Witness)], reliable: bool) -> Option<Dated<'w>> {
    let dated = all.iter().filter(|(_, witness)| !witness.base);
    let dated = dated.filter(|(_, w)| (w.occurrence.evidence > Evidence::FileTime) == reliable);
    let dated = dated.filter_map(|&(blob, w)| Some((w.occurrence.first_seen?, blob, w)));
    dated.min_by_key(|&(seen, blob, w)| {
        let o = &w.occurrence;
        (seen, w.owner() != o.project, &o.project, &o.path, blob)
    })
}

/// Whether it is known who had the code first, and why.
fn conclusion(
    all: &[(BlobId, &Witness)],
    reliable: Option<Dated<'_>>,
    unreliable: Option<Dated<'_>>,
) -> (bool, String) {
    if let Some((_, base)) = all.iter().find(|(_, witness)| witness.base) {
        let project = &base.occurrence.project;
        return (false, format!("it is template code of {project}, so it does not matter who had it first"));
    }
    if let Some((_, shallow)) = all.iter().find(|(_, witness)| may_be_older(witness)) {
        let project = &shallow.occurrence.project;
        let reason = format!(
            "{project} may have it for longer than is known, because commits are missing in its history; `git fetch --unshallow` gets those that a shallow clone lacks"
        );
        return (false, reason);
    }
    let Some((seen, _, witness)) = reliable else {
        let reason = match unreliable {
            Some(_) => {
                "only dates of files are known, and these are not reliable; git histories and packages have reliable dates"
            }
            None if all.is_empty() => "nothing was found",
            None => "no occurrence has a date",
        };
        return (false, reason.to_owned());
    };
    let event = event(witness.occurrence.evidence);
    if let Some((file_time, ..)) = unreliable.filter(|(file_time, ..)| *file_time < seen) {
        let (earlier, seen) = (time::utc(file_time), time::utc(seen));
        let reason = format!(
            "a file has an earlier date ({earlier}) than the first {event} ({seen}), but dates of files are not reliable"
        );
        return (false, reason);
    }
    let forks = match forks(all, witness) {
        0 => String::new(),
        1 => ", and 1 fork shares it".to_owned(),
        forks => format!(", and {forks} forks share it"),
    };
    let undated = match all.iter().filter(|(_, w)| !w.base && w.occurrence.first_seen.is_none()).count() {
        0 => String::new(),
        1 => "; 1 occurrence has no date".to_owned(),
        undated => format!("; {undated} occurrences have no date"),
    };
    (true, format!("the date of its {event} is the earliest{forks}{undated}"))
}

/// What was dated, in words.
fn event(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::CommitTime => "commit",
        Evidence::PostTime => "post",
        Evidence::UploadTime => "upload",
        Evidence::FileTime | Evidence::None => "file",
    }
}

/// Whether it stands where it stands since a commit of which the commits before are missing.
fn may_be_older(witness: &Witness) -> bool {
    let Occurrence { evidence, first_seen, .. } = &witness.occurrence;
    *evidence == Evidence::None && first_seen.is_some()
}

/// How many other projects of a family have the code since the same time.
fn forks(all: &[(BlobId, &Witness)], first: &Witness) -> usize {
    let Some(family) = &first.family else { return 0 };
    let since = |witness: &Witness| witness.occurrence.first_seen == first.occurrence.first_seen;
    let theirs = all.iter().filter(|(_, w)| w.family.as_ref() == Some(family) && since(w));
    let projects: BTreeSet<&str> = theirs.map(|(_, w)| w.occurrence.project.as_str()).collect();
    projects.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn witness(project: &str, evidence: Evidence, seen: Option<i64>) -> Witness {
        let project = project.to_owned();
        let occurrence = Occurrence { project, evidence, first_seen: seen, ..Occurrence::default() };
        Witness { occurrence, ..Witness::default() }
    }

    fn found(project: &str, evidence: Evidence, seen: Option<i64>) -> (BlobId, Vec<Witness>) {
        (BlobId([0; 20]), vec![witness(project, evidence, seen)])
    }

    /// Project and whether it is known to be the first.
    fn first(found: &[(BlobId, Vec<Witness>)]) -> (Option<String>, bool) {
        let origin = of(found);
        (origin.occurrence.map(|place| place.project), origin.known)
    }

    #[test]
    fn the_earliest_is_the_origin_where_times_can_be_compared() {
        use Evidence::{CommitTime, FileTime, None as Nothing, PostTime};
        let late = || found("late", CommitTime, Some(200));
        let early = || found("early", PostTime, Some(100));
        assert_eq!(first(&[late(), early()]), (Some("early".to_owned()), true));
        let copied = |seen| found("copied", FileTime, Some(seen));
        assert_eq!(first(&[late(), copied(300)]), (Some("late".to_owned()), true));
        assert_eq!(first(&[late(), copied(50)]), (Some("late".to_owned()), false));
        assert_eq!(first(&[copied(50)]), (Some("copied".to_owned()), false));
        assert_eq!(first(&[found("a", Nothing, None)]), (None, false));
        let shallow = || found("shallow", Nothing, Some(300));
        assert_eq!(first(&[late(), shallow()]), (Some("late".to_owned()), false));
        assert_eq!(first(&[shallow()]), (Some("shallow".to_owned()), false));
        assert_eq!(first(&[]), (None, false));
        assert!(is_as_good(80, 100) && !is_as_good(79, 100));
    }

    #[test]
    fn a_family_is_one_witness_and_what_was_handed_out_is_none() {
        let fork = |project: &str, seen| Witness {
            family: Some("main".to_owned()),
            ..witness(project, Evidence::CommitTime, Some(seen))
        };
        let of_all = |all: Vec<Witness>| of(&[(BlobId([0; 20]), all)]);
        let origin = of_all(vec![fork("fork", 100), fork("main", 100), fork("later", 300)]);
        assert_eq!(origin.reason, "the date of its commit is the earliest, and 1 fork shares it");
        assert_eq!(origin.occurrence.map(|place| place.project).as_deref(), Some("main"));
        let origin = of_all(vec![fork("fork", 100), fork("main", 200)]);
        assert_eq!(origin.occurrence.map(|place| place.project).as_deref(), Some("fork"));
        let template = Witness { base: true, ..witness("template", Evidence::FileTime, Some(1)) };
        let origin = of_all(vec![fork("fork", 100), template]);
        assert!(!origin.known && origin.reason.contains("template code of template"));
        assert_eq!(origin.occurrence.map(|place| place.project).as_deref(), Some("fork"));
    }
}
