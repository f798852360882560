//! Which license does this code have, and may code under another license take it?
//!
//! [`detect`] finds licenses in one text, and [`copyright`] finds copyright statements. [`infer`] collects the evidence
//! for the license of a file from the files around it. [`layer`] puts all evidence into its order. [`expression`] parses
//! SPDX license expressions. [`judge`] says whether code may pass from one license to another. [`attribution`] says
//! whether a copy names its origin, and [`laundering`] whether it dropped the terms. Nothing here opens a file or knows
//! how matches were found.
//!
//! # Files
//!
//! `rules` come with the crate, `text` makes text of bytes, `prose` tells a license's text from
//! code, `package` reads the metadata of packages, `category` says what a license asks of those who
//! take code under it.

pub mod attribution;
pub mod category;
pub mod copyright;
pub mod detect;
pub mod expression;
pub mod infer;
pub mod judge;
pub mod laundering;
pub mod layer;
mod package;
mod prose;
pub mod rules;
pub mod text;

pub use attribution::{Attribution, attribution};
pub use category::Category;
pub use copyright::{Copyright, copyrights};
pub use detect::{Detected, Detector, LicenseMatch, MatchKind, Note};
pub use expression::{Expression, InvalidExpression, License};
pub use infer::{Conclusion, Declarations, Package};
pub use judge::{Status, Verdict};
pub use laundering::laundering;
pub use layer::{Layer, LayerKind};
pub use prose::is_license_text;
