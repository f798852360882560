//! The file around the sections of a segment (`docs/formats/segment.md`), with checksums that are right.
#![allow(dead_code, reason = "each target uses a part")]

use xxhash_rust::xxh3::xxh3_64;

const HEAD: usize = 16;
const BLOCK: usize = 1 << 16;

fn number(bytes: &[u8], at: usize) -> usize {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")) as usize
}

/// The sections of a sound file.
pub fn sections(file: &[u8]) -> Vec<Vec<u8>> {
    let tail = file.len() - 24;
    let (count, body) = (number(file, tail), number(file, tail + 8));
    let mut start = HEAD;
    let ends = (0..count).map(|section| number(file, tail - (count - section) * 8));
    let sections = ends.map(|end| file[std::mem::replace(&mut start, end)..end].to_vec()).collect();
    assert_eq!(start, body);
    sections
}

/// A file that begins as `like` does and has these sections.
pub fn file(like: &[u8], sections: &[Vec<u8>]) -> Vec<u8> {
    let mut file = like[..HEAD].to_vec();
    let mut ends = Vec::new();
    for section in sections {
        file.extend(section);
        ends.push(file.len() as u64);
    }
    let body = file.len();
    let checksums: Vec<u64> = file.chunks(BLOCK).map(xxh3_64).collect();
    let footer = checksums.into_iter().chain(ends).chain([sections.len() as u64, body as u64]);
    file.extend(footer.flat_map(u64::to_le_bytes));
    let checksum = xxh3_64(&file[body..]);
    file.extend(checksum.to_le_bytes());
    file
}
