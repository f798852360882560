//! What the commands leave out.

use familiar_codenet::Skipped;

use crate::notes::Notes;

/// Says what was left out, and why.
pub(super) fn say_left_out(skipped: &[Skipped], notes: Notes) {
    for skipped in skipped {
        notes.left_out(&skipped.path, &skipped.reason);
    }
}
