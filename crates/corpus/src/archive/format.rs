//! Which kind of archive a file is, from its first bytes.

use familiar_unpack::Compression;

/// How many bytes from the start tell the format.
pub(crate) const HEAD: u64 = 512;

/// A kind of archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Also wheels, eggs, jars, wars, packages of NuGet and Android.
    Zip,
    Tar,
    SevenZ,
    /// One file, or a tar archive, compressed as a whole.
    Compressed(Compression),
}

impl Format {
    /// Tells from the first [`HEAD`] bytes of a file.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some(Self::SevenZ),
            _ if is_tar(head) => Some(Self::Tar),
            _ => Compression::of(head).map(Self::Compressed),
        }
    }

    /// Zip archives may have a program in front; then only the name tells.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        const ZIPS: [&str; 7] = [".zip", ".whl", ".jar", ".egg", ".war", ".nupkg", ".apk"];
        let (_, ending) = name.split_at(name.rfind('.')?);
        ZIPS.iter().any(|zip| zip.eq_ignore_ascii_case(ending)).then_some(Self::Zip)
    }
}

/// The name of an archive without the endings that say what kind it is.
pub(crate) fn without_endings(name: &str) -> &str {
    const ENDINGS: [&str; 21] = [
        ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".tgz", ".txz", ".tbz2", ".tbz", ".tzst", ".tar",
        ".crate", ".zip", ".whl", ".jar", ".egg", ".war", ".nupkg", ".apk", ".7z", ".gem", ".aar",
    ];
    let lower = name.to_ascii_lowercase();
    let ending = ENDINGS.iter().find(|ending| lower.ends_with(*ending) && lower.len() > ending.len());
    match ending {
        Some(ending) => &name[..name.len() - ending.len()],
        None => crate::compressed::unpacked_name(name).unwrap_or(name),
    }
}

/// The first block of every tar archive holds the sum of its own bytes, whatever the dialect.
fn is_tar(head: &[u8]) -> bool {
    const SUM: std::ops::Range<usize> = 148..156;
    let Some(block) = head.get(..512) else { return false };
    let digits = block[SUM].iter().skip_while(|&&byte| byte == b' ');
    let digits: Vec<u8> = digits.copied().take_while(|byte| (b'0'..=b'7').contains(byte)).collect();
    if digits.is_empty() {
        return false;
    }
    let stated = digits.iter().fold(0_u32, |sum, digit| sum * 8 + u32::from(digit - b'0'));
    let byte_at = |at: usize| if SUM.contains(&at) { b' ' } else { block[at] };
    let unsigned: u32 = (0..512).map(|at| u32::from(byte_at(at))).sum();
    let signed: i32 = (0..512).map(|at| i32::from(byte_at(at).cast_signed())).sum();
    stated == unsigned || i64::from(stated) == i64::from(signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_archive() {
        assert_eq!(Format::of(b"PK is how this starts"), None);
        assert_eq!(Format::of(&[b' '; 512]), None);
        assert_eq!(Format::of(&[0; 512]), None);
        assert_eq!(Format::of(b""), None);
    }

    #[test]
    fn a_tar_archive_is_told_by_its_sum() {
        let mut header = tar::Header::new_old();
        header.set_path("a.py").expect("short");
        header.set_size(3);
        header.set_cksum();
        assert_eq!(Format::of(header.as_bytes()), Some(Format::Tar));
        let mut bytes = *header.as_bytes();
        bytes[0] = b'b';
        assert_eq!(Format::of(&bytes), None);
    }

    #[test]
    fn projects_lose_the_endings_of_archives_only() {
        assert_eq!(without_endings("serde-1.0.2.crate"), "serde-1.0.2");
        assert_eq!(without_endings("linux-6.1.tar.xz"), "linux-6.1");
        assert_eq!(without_endings("a.py.gz"), "a.py");
        assert_eq!(without_endings("six-1.17.0-py2.py3-none-any.whl"), "six-1.17.0-py2.py3-none-any");
        assert_eq!(without_endings(".zip"), ".zip");
    }
}
