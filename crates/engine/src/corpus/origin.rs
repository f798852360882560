//! Who had some code first, as far as times say.

use familiar_report::find::Origin;
use familiar_source::{BlobId, Evidence, Occurrence, time};

use super::find::occurrence_row;

/// Whether a blob that has so many tokens of the code speaks for who had it, where the best has `best`: with four fifths.
pub(super) fn is_as_good(covered: u32, best: u32) -> bool {
    u64::from(covered) * 5 >= u64::from(best) * 4
}

/// The earliest occurrence of blobs that have about as much of the code as any, if times can tell.
///
/// Times of commits, posts and uploads are compared with one another. The time of a file is when a copy was made, or
/// anything at all; where one lies before everything else, nothing is known.
pub(super) fn of(found: &[(BlobId, Vec<Occurrence>)]) -> Origin {
    let all: Vec<(BlobId, &Occurrence)> =
        found.iter().flat_map(|(blob, places)| places.iter().map(move |place| (*blob, place))).collect();
    let earliest = |weak: bool| {
        let timed = all.iter().filter(|(_, o)| (o.evidence <= Evidence::FileTime) == weak);
        let timed = timed.filter_map(|&(blob, o)| Some((o.first_seen?, &o.project, &o.path, blob, o)));
        timed.min_by(|a, b| (a.0, a.1, a.2, a.3).cmp(&(b.0, b.1, b.2, b.3)))
    };
    let undated = all.iter().filter(|(_, o)| o.first_seen.is_none()).count();
    let unknown = |reason: String| Origin { known: false, reason, blob: None, occurrence: None };
    let (strong, weak) = (earliest(false), earliest(true));
    let Some((seen, _, _, blob, first)) = strong.or(weak) else {
        return unknown(
            if all.is_empty() { "nothing was found" } else { "no occurrence has a time" }.to_owned(),
        );
    };
    let origin = |known, reason| Origin {
        known,
        reason,
        blob: Some(blob.swhid()),
        occurrence: Some(occurrence_row(first)),
    };
    match (strong, weak) {
        (Some(_), Some((file_time, ..))) if file_time < seen => origin(
            false,
            format!(
                "a file's time ({}) lies before the earliest {} ({}), and files' times prove nothing",
                time::utc(file_time),
                first.evidence,
                time::utc(seen)
            ),
        ),
        (None, _) => origin(
            false,
            "only files' times are known, which prove nothing; git histories and packages have better"
                .to_owned(),
        ),
        _ if undated > 0 => {
            origin(true, format!("the earliest {}; {undated} occurrences have no time", first.evidence))
        }
        _ => origin(true, format!("the earliest {}", first.evidence)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(project: &str, evidence: Evidence, seen: Option<i64>) -> (BlobId, Vec<Occurrence>) {
        let project = project.to_owned();
        let place = Occurrence { project, evidence, first_seen: seen, ..Occurrence::default() };
        (BlobId([0; 20]), vec![place])
    }

    /// Project and whether it is known to be the first.
    fn first(found: &[(BlobId, Vec<Occurrence>)]) -> (Option<String>, bool) {
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
        assert_eq!(first(&[]), (None, false));
        assert!(is_as_good(80, 100) && !is_as_good(79, 100));
    }
}
