//! What is said of licenses that OSADL's matrix lacks: rows written from the licenses' texts and public declarations
//! (`data/supplement.csv`), and the FSF's list of what goes with the GPL (`data/fsf.tsv`).

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

/// The name under which the rows are cited.
pub(super) const SOURCE: &str = "supplement";
/// The name under which the FSF's list is cited.
pub(super) const FSF: &str = "FSF license list";

/// A row on a pair: what it says (`Yes`, `Duties`, `No`, `Check dependency`, `Contested`, `Unknown`, `Same`) and what it rests on.
pub(super) type Row = (&'static str, &'static str);

static ROWS: LazyLock<FxHashMap<(&'static str, &'static str), Row>> = LazyLock::new(|| {
    let rows = include_str!("../../data/supplement.csv").lines().skip(1);
    rows.filter_map(|row| {
        let mut columns = row.splitn(4, ',');
        Some(((columns.next()?, columns.next()?), (columns.next()?, columns.next()?)))
    })
    .collect()
});

/// The row on a pair, or the one on all outbound licenses.
pub(super) fn row(outbound: &str, inbound: &str) -> Option<Row> {
    ROWS.get(&(outbound, inbound)).or_else(|| ROWS.get(&("*", inbound))).copied()
}

struct Fsf {
    gpl2: bool,
    gpl3: bool,
    entry: &'static str,
}

static FSF_LIST: LazyLock<FxHashMap<&'static str, Fsf>> = LazyLock::new(|| {
    let rows = include_str!("../../data/fsf.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| {
        let mut columns = row.split('\t');
        let license = columns.next()?;
        let (gpl2, gpl3) = (columns.next()? == "yes", columns.next()? == "yes");
        Some((license, Fsf { gpl2, gpl3, entry: columns.next()? }))
    })
    .collect()
});

/// Whether the FSF says that code under `inbound` may go into a work under `outbound`, a license of the GNU GPL's family, and its entry.
/// None where it does not say, or says different things of the versions that `outbound` allows. What the list says of permissive
/// licenses and the GPL counts for LGPL and AGPL of the same version too, whose conditions on other code are the GPL's.
pub(super) fn fsf(outbound: &str, inbound: &str, permissive: bool) -> Option<(bool, &'static str)> {
    let Fsf { gpl2, gpl3, entry } = FSF_LIST.get(inbound)?;
    let compatible = match outbound {
        "GPL-2.0-only" => Some(*gpl2),
        "GPL-3.0-only" | "GPL-3.0-or-later" => Some(*gpl3),
        "GPL-2.0-or-later" => (gpl2 == gpl3).then_some(*gpl2),
        "LGPL-2.0-only" | "LGPL-2.1-only" if permissive => Some(*gpl2),
        "LGPL-3.0-only" | "LGPL-3.0-or-later" | "AGPL-3.0-only" | "AGPL-3.0-or-later" if permissive => {
            Some(*gpl3)
        }
        "LGPL-2.0-or-later" | "LGPL-2.1-or-later" if permissive => (gpl2 == gpl3).then_some(*gpl2),
        _ => None,
    };
    compatible.map(|compatible| (compatible, *entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_whatever_commas_their_basis_has() {
        assert_eq!(row("CC-BY-SA-3.0", "CC-BY-SA-4.0"), Some(("No", "no downgrade")));
        assert_eq!(row("MIT", "NONE").map(|row| row.0), Some("No"));
        assert_eq!(ROWS.len(), 25);
        assert_eq!(row("MIT", "ISC"), None);
    }

    #[test]
    fn the_versions_that_a_license_allows_count() {
        assert_eq!(fsf("GPL-2.0-only", "Apache-2.0", true).map(|said| said.0), Some(false));
        assert_eq!(fsf("GPL-3.0-only", "Apache-2.0", true).map(|said| said.0), Some(true));
        assert_eq!(fsf("GPL-2.0-or-later", "Apache-2.0", true), None);
        assert_eq!(fsf("MIT", "Apache-2.0", true), None);
    }

    #[test]
    fn every_license_of_the_list_is_one_of_spdx() {
        let unlisted = FSF_LIST.keys().filter(|id| spdx::license_id(id).is_none());
        assert_eq!(unlisted.copied().collect::<Vec<_>>(), Vec::<&str>::new());
        assert_eq!(FSF_LIST.len(), 76);
    }
}
