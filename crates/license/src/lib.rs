//! Which license, inferred how, compatible with what, attributed where?
//!
//! [`detect`] reads licenses out of one text, [`copyright`] who claims it; [`infer`] says what speaks for a file
//! that carries no license; [`layer`] orders what speaks for a file; [`expression`] is what all of them speak in. [`judge`] says
//! whether code may pass from one license to another, [`attribution`] whether a copy names its origin, [`laundering`] whether it
//! hides it. Nothing here opens a file or knows how matches were found.

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
