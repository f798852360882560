//! Which code does the same? Code becomes vectors, and fragments that do the same lie close together, whatever their names,
//! their wording and their language.
//!
//! [`input`] is the one representation of code that everything here works on, the same for all languages. [`Encoder`] is
//! the trait of everything that makes vectors, built in or not. The built-in encoder has two stages. A [`bag`] only
//! looks up rows of a table and encodes thousands of fragments a second. A [`network`] is slower and finds more.
//!
//! ```
//! use familiar_model::{Builtin, Code, Encoder};
//! use familiar_source::Language;
//!
//! let code = |language, text: &'static str| Code { language, text: text.as_bytes() };
//! let vectors = Builtin::shipped().encode(&[
//!     code(Language::C, "int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }"),
//!     code(Language::Python, "def total(xs):\n    t = 0\n    for x in xs:\n        t += x\n    return t\n"),
//!     code(Language::Python, "def show(name):\n    print('Hello, ' + name)\n"),
//! ])?;
//! assert!(vectors.cosine(0, 1) > vectors.cosine(0, 2));
//! # Ok::<(), familiar_model::EncodeError>(())
//! ```
//!
//! # Files
//!
//! `encoder` is the trait, `code` what it takes, `builtin` the encoder that comes with the program. `input` makes one
//! representation of all languages' tokens. `bag` and `spelling` (the static stage) and `network`
//! make vectors of it, which stand side by side until a projection makes one of them. `weights`
//! reads and writes the weights, which stand in `weights/` with their card. `background` says how
//! near a vector has unrelated code (a sample comes with the weights), and `calibration` turns the
//! cosine of two vectors, relative to that, into a probability. `distinctive` says which code does enough
//! to have a vector. `explain` says what makes two pieces of code alike, and `changes` what is
//! different between two that look alike.

mod background;
pub mod bag;
mod builtin;
pub mod calibration;
pub mod changes;
mod code;
mod distinctive;
mod encoder;
pub mod explain;
pub mod input;
pub mod network;
pub mod spelling;
mod sums;
pub mod weights;

pub use background::Unblended;
pub use builtin::{Builtin, Stage};
pub use calibration::{Blend, Blends, CONFIDENCE, Calibration, Curve};
pub use changes::{Changes, changes};
pub use code::Code;
pub use distinctive::is_distinctive;
pub use encoder::{EncodeError, Encoder, Vectors};
pub use explain::Explanation;
pub use input::{Sequence, SequenceReader};
