//! What does this packed stream hold?
//!
//! [`Compression`] unpacks streams that are compressed as a whole, [`SevenZ`] the blocks of a 7z archive. The decoders
//! are generic, so a crate that names them compiles them. They take readers of any kind here, behind one pointer, and
//! are compiled once, optimized. The caller decides what happens to the content, and how much of it to read.
//!
//! ```
//! use familiar_unpack::Compression;
//!
//! // The first bytes tell, never a name.
//! assert_eq!(Compression::of(b"\x1f\x8b\x08"), Some(Compression::Gzip));
//! assert_eq!(Compression::of(b"int main() {}"), None);
//! ```

mod compression;
mod seven_z;

pub use compression::Compression;
pub use seven_z::{Entry, EntryKind, ReadSeek, SevenZ, SevenZError};
