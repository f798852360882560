//! Files that a user names. Only a regular file is opened: a device, a pipe or a socket may never end, or never begin.

use std::fs::{File, FileType};
use std::io::{self, Read};
use std::path::Path;

use familiar_source::words;

/// Opens a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    regular(path)?;
    File::open(path)
}

/// All bytes of a regular file of at most `most` bytes.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    within(open(path)?, most)
}

/// The text of a regular file of at most `most` bytes.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    text(read(path, most)?)
}

/// All bytes of standard input, of which there are at most `most`.
pub fn read_stdin(most: u64) -> io::Result<Vec<u8>> {
    within(io::stdin().lock(), most)
}

/// The text of standard input, of at most `most` bytes.
pub fn read_stdin_text(most: u64) -> io::Result<String> {
    text(read_stdin(most)?)
}

/// Fails where `path` is neither a regular file nor a folder, or is not there.
pub fn regular(path: &Path) -> io::Result<()> {
    let kind = std::fs::metadata(path)?.file_type();
    if kind.is_file() || kind.is_dir() {
        return Ok(());
    }
    let what = kind_of(kind);
    let reason = format!(
        "it is {what}, which may never end; name a regular file, or pass its content on standard input"
    );
    Err(io::Error::new(io::ErrorKind::InvalidInput, reason))
}

/// Why `path` cannot be read and what to do, as a whole message.
pub fn cannot_read(path: &Path, error: &io::Error) -> String {
    let path = path.display();
    match error.kind() {
        io::ErrorKind::NotFound => {
            format!("cannot read {path}: there is no such file or folder; check the path")
        }
        io::ErrorKind::PermissionDenied => format!("cannot read {path}: you have no permission to read it"),
        io::ErrorKind::IsADirectory => format!("cannot read {path}: it is a folder; name a file"),
        _ => format!("cannot read {path}: {error}"),
    }
}

fn within(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    crate::bounded::read_within(reader, most)?.ok_or_else(|| {
        let reason = format!("it is larger than {}; raise --memory", words::size(most));
        io::Error::new(io::ErrorKind::FileTooLarge, reason)
    })
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not text in UTF-8"))
}

fn kind_of(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () if kind.is_block_device() || kind.is_char_device() => "a device",
        () => "no regular file",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_never_end_is_not_opened() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let socket = dir.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a new name");
        for (path, what) in [(Path::new("/dev/zero"), "it is a device"), (&socket, "it is a socket")] {
            let error = open(path).expect_err("no regular file");
            assert!(cannot_read(path, &error).contains(what), "{error}");
        }
    }

    #[test]
    fn no_more_is_read_than_there_is_memory_for() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let file = dir.path().join("a");
        std::fs::write(&file, "abcd").expect("just made");
        assert_eq!(read_text(&file, 4).expect("small"), "abcd");
        let error = read(&file, 3).expect_err("large");
        assert!(cannot_read(&file, &error).ends_with("it is larger than 3 bytes; raise --memory"), "{error}");
        let missing = read(&dir.path().join("b"), 4).expect_err("none");
        assert!(cannot_read(Path::new("b"), &missing).contains("no such file"));
    }
}
