//! Which license does this code have, and what says so?
//!
//! [`detect`] finds licenses in one text, and [`copyright`] finds copyright statements. [`infer`] collects the evidence
//! for the license of a file from the files around it. [`layer`] puts all evidence into its order. [`expression`] parses
//! SPDX license expressions. Nothing here opens a file or judges whether code may be where it is.
//!
//! ```
//! use familiar_license::Detector;
//!
//! let text = "// Licensed under either the Apache License 2.0 or the MIT license, at your option.";
//! let detected = Detector::embedded().detect(text);
//! assert_eq!(detected.expression().expect("it names two").to_string(), "Apache-2.0 OR MIT");
//! assert_eq!(detected.matches[0].lines, (1, 1));
//! ```
//!
//! # Files
//!
//! `rules` come with the crate, `text` makes text of bytes, `prose` tells a license's text from
//! code, `package` reads the metadata of packages.

pub mod copyright;
pub mod detect;
pub mod expression;
pub mod infer;
pub mod layer;
mod package;
mod prose;
pub mod rules;
pub mod text;

pub use copyright::{Copyright, copyrights};
pub use detect::{Detected, Detector, LicenseMatch, MatchKind, Note};
pub use expression::{Expression, InvalidExpression, License};
pub use infer::{Conclusion, Declarations, Package};
pub use layer::{Layer, LayerKind};
pub use prose::is_license_text;
