//! The content of a license file as a segment keeps it.

use crate::detected;

/// Bytes of the largest file whose word on licenses is kept.
pub(crate) const MOST_BYTES: usize = 1 << 20;

/// Packs the content of a license file for a segment, behind what its texts were found to say.
pub(crate) fn pack(path: &str, content: &[u8]) -> Vec<u8> {
    let mut packed = detected::frame(path, content);
    packed.extend(zstd::bulk::compress(content, 0).expect("memory takes what is written"));
    packed
}

/// The content that was packed; none where it was not.
pub(crate) fn unpack(packed: &[u8]) -> Option<Vec<u8>> {
    zstd::bulk::decompress(packed, MOST_BYTES).ok()
}
