//! Creative Commons Attribution-ShareAlike and what it lets code pass to.

use super::opinion::Opinion;
use super::verdict::RuleCitation;
use crate::Category;

/// What the licenses' own words say of a pair of which one side is CC BY-SA; none where they name no way between the two.
pub(super) fn opinion(outbound: &str, inbound: &str) -> Option<(Opinion, RuleCitation)> {
    let version =
        |id: &str| id.strip_prefix("CC-BY-SA-").map(|rest| rest.split('-').next().unwrap_or(rest).to_owned());
    let rule = |opinion: Opinion, source: &str, text: &str| Some((opinion, RuleCitation::new(source, text)));
    match (version(outbound), version(inbound)) {
        (Some(into), Some(from)) if from == "1.0" && into != "1.0" => rule(
            Opinion::Denies,
            "CC-BY-SA-1.0 section 4(b)",
            "version 1.0 allows adaptations under version 1.0 only",
        ),
        // Versions are single digits on both sides of the point.
        (Some(into), Some(from)) if into >= from => rule(
            Opinion::Allows,
            &clause(&from),
            "adaptations may use this or a later version of BY-SA, including its ports",
        ),
        (Some(into), Some(from)) => rule(
            Opinion::Denies,
            &clause(&from),
            &format!("adaptations may not use the earlier version {into}"),
        ),
        (None, Some(from)) if from == "4.0" && outbound == "LAL-1.3" => rule(
            Opinion::Allows,
            "CC BY-SA compatible licenses",
            "the Free Art License 1.3 was declared compatible with BY-SA 4.0 in 2014, both ways",
        ),
        (Some(into), None) if into == "4.0" && inbound == "LAL-1.3" => rule(
            Opinion::Allows,
            "CC BY-SA compatible licenses",
            "the Free Art License 1.3 was declared compatible with BY-SA 4.0 in 2014, both ways",
        ),
        (None, Some(from)) if !may_have_copyleft(Category::of(outbound)) => rule(
            Opinion::Denies,
            &clause(&from),
            "adaptations may be distributed only under BY-SA or a license that it names as compatible",
        ),
        _ => None,
    }
}

/// Where a version says under which licenses adaptations may stand.
fn clause(version: &str) -> String {
    let section = if version == "4.0" { "section 3(b)(1)" } else { "section 4(b)" };
    format!("CC-BY-SA-{version} {section}")
}

fn may_have_copyleft(category: Category) -> bool {
    category.is_copyleft() || matches!(category, Category::Unknown | Category::Agreement)
}
