//! CodeNet's own layout inside an archive becomes the set that the folder becomes.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use familiar_codenet::import::{self, ImportError, ImportOptions};
use familiar_source::Silent;

use crate::sets::{codenet, files, import, options, skips};

type Files = BTreeMap<String, Vec<u8>>;

/// The files of a small set, in the order that archives shall have them.
fn small(folder: &Path) -> Vec<(String, Vec<u8>)> {
    codenet(folder);
    files(folder).into_iter().collect()
}

fn tar(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        let name = header.as_gnu_mut().expect("it was just made so");
        name.name[..path.len()].copy_from_slice(path.as_bytes());
        header.set_cksum();
        archive.append(&header, &bytes[..]).expect("memory");
    }
    archive.into_inner().expect("memory")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(bytes).expect("memory");
    writer.finish().expect("memory")
}

fn zip(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, bytes) in files {
        archive.start_file(path.as_str(), zip::write::SimpleFileOptions::default()).expect("memory");
        archive.write_all(bytes).expect("memory");
    }
    archive.finish().expect("memory").into_inner()
}

/// What an archive becomes.
fn imported(folder: &Path, name: &str, archive: &[u8]) -> (PathBuf, Files) {
    let (source, output) = (folder.join(name), folder.join(format!("{name}.set")));
    fs::write(&source, archive).expect("a temporary folder");
    import(&options(source, output.clone()));
    let files = files(&output);
    (output, files)
}

fn below(root: &str, files: &[(String, Vec<u8>)]) -> Vec<(String, Vec<u8>)> {
    files.iter().map(|(path, bytes)| (format!("{root}{path}"), bytes.clone())).collect()
}

#[test]
fn an_archive_becomes_what_its_folder_becomes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("codenet");
    let list = small(&source);
    let output = folder.path().join("set");
    import(&options(source, output.clone()));
    let expected = files(&output);
    let backwards: Vec<_> = list.iter().rev().cloned().collect();
    for (name, archive) in [
        ("plain.tar", tar(&list)),
        // The metadata come after the texts, and before them.
        ("Project_CodeNet.tar.gz", gzip(&tar(&below("Project_CodeNet/", &list)))),
        ("backwards.tar.gz", gzip(&tar(&below("./deep/down/", &backwards)))),
        ("set.zip", zip(&below("Project_CodeNet/", &backwards))),
    ] {
        let (output, files) = imported(folder.path(), name, &archive);
        assert!(files == expected, "{name}: {:?}", skips(&output));
    }
}

/// Ids that are not CodeNet's: both folders together show the layout.
#[test]
fn other_ids_become_numbers_as_those_of_a_folder_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let row = "submission_id,problem_id,user_id,language,status\nb,two-sum,ann,C,OK\n";
    let list =
        [("data/two-sum/C/b.c", "int b;\n"), ("data/add/C/a.c", "int a;\n"), ("metadata/two-sum.csv", row)]
            .map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()));
    let source = folder.path().join("codenet");
    for (path, bytes) in &list {
        crate::sets::write(&source.join(path), bytes);
    }
    let output = folder.path().join("set");
    import(&options(source, output.clone()));
    let (_, files) = imported(folder.path(), "other.tar.gz", &gzip(&tar(&list)));
    assert!(files == crate::sets::files(&output));
    assert_eq!(files["data/p00001/C/s000000001.c"], b"int a;\n");
}

#[test]
fn hostile_names_and_inner_archives_are_left_out() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut list = below("c/", &small(&folder.path().join("codenet")));
    for (path, text) in [
        ("../../evil", "int x;"),
        ("c/data/p00001/../../../evil/s000000009.c", "int x;"),
        ("/tmp/evil.c", "int x;"),
        ("c/data/p00001/loose.c", "int x;"),
        ("elsewhere/data/p00001/C/s000000010.c", "int x;"),
    ] {
        list.push((path.to_owned(), text.into()));
    }
    list.push(("c/derived/benchmarks/a.tar.gz".to_owned(), gzip(&tar(&list[..1]))));
    let (output, files) = imported(folder.path(), "hostile.tar.gz", &gzip(&tar(&list)));
    let skips = skips(&output).join("\n");
    for expected in [
        "\"../../evil\",\"reason\":\"its path leads out",
        "evil/s000000009.c\",\"reason\":\"its path leads out",
        "/tmp/evil.c\",\"reason\":\"its path is absolute",
        "data/p00001/loose.c\",\"reason\":\"its path is not data/PROBLEM/LANGUAGE/FILE",
        "a.tar.gz\",\"reason\":\"an archive inside the archive",
    ] {
        assert!(skips.contains(expected), "{expected}:\n{skips}");
    }
    assert_eq!(files.keys().filter(|path| path.starts_with("data/")).count(), 2);
    assert!(skips.contains("s000000007.py\",\"reason\":\"no row names it"), "{skips}");
    assert!(!folder.path().join("evil").exists() && !Path::new("/tmp/evil.c").exists());
}

/// What is cut off is told, no text is half there, and nothing stays behind.
#[test]
fn of_a_truncated_archive_whole_texts_stay() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let list = small(&folder.path().join("codenet"));
    let whole = tar(&list);
    let (_, files) = imported(folder.path(), "whole.tar", &whole);
    for (name, archive) in [
        ("cut.tar", whole[..whole.len() / 2 + 100].to_vec()),
        ("cut.tar.gz", {
            let packed = gzip(&whole);
            packed[..packed.len() / 2].to_vec()
        }),
    ] {
        let (output, cut) = imported(folder.path(), name, &archive);
        let of_archive = format!("{{\"path\":\"{name}\"");
        let told = skips(&output).iter().filter(|skip| skip.starts_with(&of_archive)).count();
        assert_eq!(told, 1, "{name}: {:?}", skips(&output));
        assert!(!output.join(".import").exists());
        for (path, bytes) in cut.iter().filter(|(path, _)| path.starts_with("data/")) {
            assert_eq!(files.get(path), Some(bytes), "{path}");
        }
    }
}

#[test]
fn an_import_that_was_ended_goes_on_and_memory_is_bounded() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let list = small(&folder.path().join("codenet"));
    let (_, whole) = imported(folder.path(), "whole.tar.gz", &gzip(&tar(&list)));
    let output = folder.path().join("parts");
    let options = options(folder.path().join("whole.tar.gz"), output.clone());
    // A file is in the way of the metadata.
    fs::create_dir_all(output.join(".import/unpacked/data")).expect("a folder");
    fs::write(output.join("metadata"), "in the way").expect("a file");
    assert!(matches!(import::run(&options, &Silent), Err(ImportError::Write { .. })));
    fs::remove_file(output.join("metadata")).expect("it is there");
    import(&options);
    assert!(files(&output) == whole);
    let little = ImportOptions { memory: 33 << 20, output: folder.path().join("little"), ..options };
    let many: Vec<_> = (0..20_000)
        .map(|at| (format!("data/p00001/C/s{at:09}.c"), format!("int x{at};\n").into_bytes()))
        .collect();
    fs::write(&little.source, gzip(&tar(&many))).expect("a file");
    let error = import::run(&little, &Silent).expect_err("too little memory").to_string();
    assert!(error.contains("--memory"), "{error}");
}

/// Other archives are read by their paths, as before.
#[test]
fn other_archives_are_read_by_their_paths() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let list = [("sum/ann/Accepted/main.py".to_owned(), b"print(1)\n".to_vec())];
    let (_, files) = imported(folder.path(), "class.tar.gz", &gzip(&tar(&list)));
    assert_eq!(files["data/p00001/Python/s000000001.py"], b"print(1)\n");
}
