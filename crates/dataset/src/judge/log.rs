//! The file of judgements: rows are added to its end, and nothing else ever happens to it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use familiar_judging::Judgement;
use familiar_judging::exchange;

use crate::error::DatasetError;
use crate::project::{Project, file};

/// The file, for one process alone.
pub(super) struct Log {
    path: PathBuf,
    file: File,
    /// Bytes of whole rows.
    length: u64,
}

/// The rows that stand in the file. A last row that was not written to its end is none: nobody was told that it was taken.
pub(super) fn read(project: &Project) -> Result<Vec<Judgement>, DatasetError> {
    let path = project.path(file::JUDGEMENTS);
    match std::fs::read(&path) {
        Ok(bytes) => rows(&path, whole(&bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(DatasetError::Read { path, source }),
    }
}

fn whole(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    &bytes[..end]
}

fn rows(path: &Path, bytes: &[u8]) -> Result<Vec<Judgement>, DatasetError> {
    exchange::read_jsonl(bytes).map_err(|source| DatasetError::Judgements { path: path.to_owned(), source })
}

impl Log {
    /// Opens the file for writing, with the rows that it has. Removes a last row that was not written to its end.
    pub(super) fn open(project: &Project) -> Result<(Self, Vec<Judgement>), DatasetError> {
        let path = project.path(file::JUDGEMENTS);
        let failed = |source| DatasetError::Write { path: path.clone(), source };
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = open.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(DatasetError::JudgedNow(project.folder().to_owned()));
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let kept = whole(&bytes);
        let rows = rows(&path, kept)?;
        let length = kept.len() as u64;
        file.set_len(length).and_then(|()| file.sync_all()).map_err(failed)?;
        Ok((Self { path, file, length }, rows))
    }

    /// Adds rows by one write. They are on the disk when this returns; where it fails, none of them is.
    pub(super) fn append(&mut self, rows: &[Judgement]) -> Result<(), DatasetError> {
        let mut bytes = Vec::new();
        let written = exchange::write_jsonl(&mut bytes, rows)
            .and_then(|()| self.file.seek(SeekFrom::Start(self.length)).map(|_| ()))
            .and_then(|()| self.file.write_all(&bytes))
            .and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.length += bytes.len() as u64;
                Ok(())
            }
            Err(source) => {
                // What was written of it goes. If that fails, too, the next row is written over it.
                let _cut = self.file.set_len(self.length);
                Err(DatasetError::Write { path: self.path.clone(), source })
            }
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        // A process that is just being started may still have the file open. The lock goes with the file that was locked, and
        // where that fails, with the last process that has it.
        let _unlocked = self.file.unlock();
    }
}

#[cfg(test)]
mod tests {
    use familiar_judging::Verdict;

    use super::*;

    fn row(pair: &str) -> Judgement {
        Judgement {
            pair_id: pair.to_owned(),
            judge: "ada".to_owned(),
            verdict: Some(Verdict::True),
            comment: "a\nb".to_owned(),
            label: None,
            seconds: 1.5,
            at: "2026-11-26T04:00:00Z".to_owned(),
            blind: true,
            codes: None,
        }
    }

    #[test]
    fn a_torn_row_is_none_and_goes() {
        let folder = tempfile::tempdir().expect("a folder");
        let project = Project::create(&folder.path().join("b")).expect("a benchmark");
        let path = project.path(file::JUDGEMENTS);
        let (mut log, rows) = Log::open(&project).expect("it opens");
        assert!(rows.is_empty());
        log.append(&[row("p1"), row("p2")]).expect("it is written");
        assert!(matches!(Log::open(&project), Err(DatasetError::JudgedNow(_))));
        drop(log);
        let bytes = std::fs::read(&path).expect("it is there");
        // However many bytes of a third row came to the disk.
        for torn in 1..40 {
            let mut more = bytes.clone();
            more.extend_from_slice(&bytes[..torn]);
            std::fs::write(&path, &more).expect("it is written");
            assert_eq!(read(&project).expect("it is read").len(), 2);
            let (mut log, rows) = Log::open(&project).expect("it opens");
            assert_eq!(rows, [row("p1"), row("p2")]);
            log.append(&[row("p3")]).expect("it is written");
            drop(log);
            assert_eq!(read(&project).expect("it is read").len(), 3);
        }
        std::fs::write(&path, b"{}\n").expect("it is written");
        assert!(read(&project).expect_err("it is damaged").to_string().contains("line 1"));
    }
}
