//! Licenses whose own texts name others that code under them may pass to.

use super::opinion::Opinion;
use super::verdict::RuleCitation;

/// A license, others that its text names, and where it does. Names with `*` are beginnings.
type Named = (&'static str, &'static [&'static str], &'static str);

/// *The GNU GPL*, whichever version.
const GPL: &[&str] = &["GPL-1.0-*", "GPL-2.0-*", "GPL-3.0-*"];
/// *One of the versions of the GNU GPL, GNU Affero GPL and/or EUPL*.
const GPL_OR_EUPL: &[&str] = &["GPL-1.0-*", "GPL-2.0-*", "GPL-3.0-*", "AGPL-3.0-*", "EUPL-1.*"];

/// What OSADL's matrix says of the licenses that the EUPL names is the same, so that only those that it lacks stand here.
const NAMED: &[Named] = &[
    ("CECILL-1.0", GPL, "section 5.3.4"),
    ("CECILL-1.1", GPL, "section 5.3.4"),
    ("CECILL-2.0", GPL, "section 5.3.4"),
    ("CECILL-2.1", GPL_OR_EUPL, "section 5.3.4"),
    (
        "EUPL-1.0",
        &["GPL-2.0-only", "OSL-2.1", "OSL-3.0", "CPL-1.0", "EPL-1.0", "CECILL-2.0"],
        "section 5 and appendix",
    ),
    ("EUPL-1.1", &["OSL-2.1", "CECILL-2.0"], "section 5 and appendix"),
    (
        "EUPL-1.2",
        &["OSL-2.1", "CECILL-2.0", "CECILL-2.1", "LiLiQ-R-1.1", "LiLiQ-Rplus-1.1"],
        "section 5 and appendix",
    ),
    (
        "LiLiQ-R-1.1",
        &[
            "CDDL-1.0",
            "CPL-1.0",
            "CECILL-2.1",
            "CECILL-C",
            "EPL-1.0",
            "EUPL-1.1",
            "LiLiQ-Rplus-1.1",
            "GPL-2.0-only",
            "GPL-3.0-only",
            "LGPL-2.1-only",
            "LGPL-3.0-only",
            "MPL-2.0",
        ],
        "section 4.2",
    ),
    (
        "LiLiQ-Rplus-1.1",
        &["CPL-1.0", "CECILL-2.1", "EPL-1.0", "EUPL-1.1", "GPL-2.0-only", "GPL-3.0-only"],
        "section 4.2",
    ),
];

/// What the text of the code's license says of the license of the work; none where it does not name it.
pub(super) fn opinion(outbound: &str, inbound: &str) -> Option<(Opinion, RuleCitation)> {
    let (_, others, place) = NAMED.iter().find(|(license, ..)| *license == inbound)?;
    let fits =
        |name: &&str| name.strip_suffix('*').map_or(*name == outbound, |start| outbound.starts_with(start));
    let text = format!(
        "it names {outbound} as a license under which the code may be distributed together with code under {outbound}"
    );
    others.iter().any(fits).then(|| (Opinion::Allows, RuleCitation::new(&format!("{inbound} {place}"), text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_license_that_is_named_is_one_of_spdx() {
        let listed = || spdx::identifiers::LICENSES.iter().map(|license| license.name);
        for (license, others, _) in NAMED {
            for name in others.iter().chain([license]) {
                let is_it = |listed: &str| {
                    name.strip_suffix('*').map_or(listed == *name, |start| listed.starts_with(start))
                };
                assert!(listed().any(is_it), "{name}");
            }
        }
    }
}
