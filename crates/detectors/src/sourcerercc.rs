//! SourcererCC: a folder with what its tokenizer and its search wrote.
//!
//! Pairs stand in `*.pairs` (`results.pairs`), with two numbers on a line, `block,block`, or with four, `project,block,project,block`. Which lines
//! a block has stands in `*.stats`: lines that begin with `f` are files and lines that begin with `b` are blocks, which name the file by
//! the last digits of their number.
//!
//! # How to get it
//!
//! Clone Mondego/SourcererCC from GitHub (GPL-3.0). It needs Python and Java. In `tokenizers/block-level`, name the projects, as archives, and the
//! endings of their files in `config.ini`, and run `python tokenizer.py zip`. This gives `blocks_tokens` and `file_block_stats`, which has the
//! `.stats` files. Put what is in the first, as one file, into `clone-detector/input/dataset/blocks.file`, and run `python controller.py` in
//! `clone-detector`. `cat NODE_*/output8.0/query_* > results.pairs` gives the pairs, from 80 % on. Functions are read of Java and Python.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::DetectorError;
use crate::input;
use crate::pair::{Region, Reported};

pub(crate) fn read(path: &Path, each: &mut dyn FnMut(Reported)) -> Result<(), DetectorError> {
    let mut files = Vec::new();
    below(path, &mut files)?;
    let of =
        |ending: &str| files.iter().filter(|file| file.extension().is_some_and(|it| it == ending)).collect();
    let (stats, pairs): (Vec<&PathBuf>, Vec<&PathBuf>) = (of("stats"), of("pairs"));
    if stats.is_empty() || pairs.is_empty() {
        return Err(DetectorError::format(
            path,
            "SourcererCC leaves .stats and .pairs files; give their folder",
        ));
    }
    let mut regions = HashMap::new();
    for file in stats {
        read_stats(file, &mut regions)?;
    }
    for file in pairs {
        input::lines(file, &mut |number, line| {
            let numbers: Vec<&str> = line.split(',').map(str::trim).collect();
            let [left, right] = match numbers.as_slice() {
                [left, right] | [_, left, _, right] => [left, right],
                [""] => return Ok(()),
                _ => return Err(DetectorError::line(file, number, "neither two nor four numbers")),
            };
            let region = |id: &str| {
                let known = regions.get(id).cloned();
                known.ok_or_else(|| DetectorError::line(file, number, format!("no statistics of block {id}")))
            };
            each(Reported { left: region(left)?, right: region(right)? });
            Ok(())
        })?;
    }
    Ok(())
}

fn below(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), DetectorError> {
    let failed = |source| DetectorError::Read { path: folder.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort_unstable();
    for path in paths {
        if path.is_dir() && !path.is_symlink() {
            below(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Reads the places of blocks. At the level of files, each line is a file: all of its lines.
fn read_stats(path: &Path, regions: &mut HashMap<String, Region>) -> Result<(), DetectorError> {
    let mut names: HashMap<String, String> = HashMap::new();
    let mut rows =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(input::open(path)?);
    for row in rows.records() {
        let row = row.map_err(|error| DetectorError::format(path, error.to_string()))?;
        let line = row.position().map_or(0, csv::Position::line);
        let wrong = || DetectorError::line(path, line, "too few fields");
        let field = |at: usize| row.get(at).ok_or_else(wrong);
        let number = |at: usize| field(at)?.parse::<u32>().map_err(|_| wrong());
        if field(0)?.starts_with('f') {
            names.insert(field(1)?.to_owned(), field(2)?.to_owned());
        } else if field(0)?.starts_with('b') {
            let id = field(1)?;
            // A block's number is a running number of five digits and more, and behind it that of its file.
            let name = (5..id.len()).find_map(|at| names.get(id.get(at..)?));
            let name =
                name.ok_or_else(|| DetectorError::line(path, line, format!("block {id} has no file")))?;
            let region = Region { path: name.clone(), start: number(6)?, end: number(7)? };
            regions.insert(id.to_owned(), region);
        } else {
            regions.insert(
                field(0)?.to_owned(),
                Region { path: field(2)?.to_owned(), start: 1, end: number(6)? },
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_the_lines_of_their_statistics() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
        write(
            "files-stats-0.stats",
            "f1,7,\"/s/A.java\",\"url\",\"hash\",900,40,35,30\nb1,100007,\"hash\",12,11,10,3,14\nf1,8,\"/s/B, C.java\",\"\",\"h\",1,2,3,4\n\
             b1,100018,\"hash\",9,9,9,20,28\n",
        );
        write("results.pairs", "1,100007,1,100018\n");
        let mut pairs = Vec::new();
        read(folder.path(), &mut |pair| pairs.push(pair)).expect("it is read");
        assert_eq!(
            (pairs[0].left.path.as_str(), pairs[0].left.start, pairs[0].left.end),
            ("/s/A.java", 3, 14)
        );
        assert_eq!((pairs[0].right.path.as_str(), pairs[0].right.end), ("/s/B, C.java", 28));
        write("results.pairs", "100007,100018\n");
        let mut count = 0;
        read(folder.path(), &mut |_| count += 1).expect("it is read");
        assert_eq!(count, 1);
    }
}
