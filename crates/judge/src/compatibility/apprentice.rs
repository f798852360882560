//! The rule of an earlier study, for comparison.

use familiar_license::Expression;

use super::verdict::Status;

/// The rule of The Sourcerer's Apprentice, for its table: code from Stack Overflow, which is under CC BY-SA, conflicts with every license
/// but CC BY-SA. Of other code it says nothing.
pub fn apprentice(outbound: &Expression, inbound: &Expression) -> Option<Status> {
    let is_share_alike =
        |license: &Expression| license.licenses().iter().any(|license| license.id.starts_with("CC-BY-SA-"));
    let status = if is_share_alike(outbound) { Status::Compatible } else { Status::Conflict };
    is_share_alike(inbound).then_some(status)
}
