//! The license of a file that may carry no notice itself: every layer that speaks for it, and what follows from them.
//!
//! [`file_layers`] is what a file says itself, [`Declarations`] what others around it say, [`platform`] what the place says
//! where it was posted; [`conclude`] weighs them.
//!
//! # Files
//!
//! What one ecosystem writes into its metadata, `package` reads (`crate::package`).
//! `file` is what a file says itself, `declaring` what of that a declaring file says of itself. `role` says which files speak for others, `read` reads one, and
//! a file each has the kinds: `reuse`, `dep5`, `concluded`, `license_file`, `distribution`, and `metadata` for
//! what package metadata mean. `folder` and `folders` say where a package ends, `workspace` whose
//! member it is, `bound` how much is told of one folder. `assemble` puts all of it together, and
//! `declarations` says what follows for a file.
//! `names` reads what people write instead of an SPDX expression, `qualified` what stands beside it, `before` what the words before a
//! name do to it. `conclude` weighs the layers, `weight` what is found and yet decides nothing.

mod assemble;
mod before;
mod bound;
mod conclude;
mod concluded;
mod declarations;
mod declaring;
mod dep5;
mod distribution;
mod file;
mod folder;
mod folders;
mod glob;
mod license_file;
mod metadata;
mod names;
mod platform;
mod qualified;
mod read;
mod reuse;
mod role;
#[cfg(test)]
pub(crate) mod testing;
mod weight;
mod workspace;

use std::borrow::Cow;

pub use conclude::{Conclusion, conclude, conclude_file, conclude_work, speak_for_all, within};
pub use declarations::{Declarations, Package};
pub use file::{file_layers, file_layers_at};
pub use folders::is_in_vendored;
pub use platform::platform;
pub use read::Declared;
pub use role::declares;

/// What a file says, short enough to be shown in one line.
fn shortened(text: &str) -> Cow<'_, str> {
    const MAX_CHARS: usize = 120;
    let text = text.trim();
    let end = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(at, _)| at);
    let end = text.find(['\n', '\r']).map_or(end, |line| line.min(end));
    if end == text.len() { Cow::Borrowed(text) } else { Cow::Owned(format!("{}…", &text[..end])) }
}
