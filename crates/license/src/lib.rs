//! Which license, inferred how, compatible with what, attributed where?
//!
//! [`detect`] reads licenses out of one text; [`layer`] orders what speaks for a file; [`expression`] is what all of them
//! speak in. Nothing here opens a file or knows how matches were found.

pub mod detect;
pub mod expression;
pub mod infer;
pub mod layer;
pub mod rules;

pub use detect::{Detected, Detector, LicenseMatch, MatchKind};
pub use expression::{Expression, License};
pub use layer::{Layer, LayerKind};
