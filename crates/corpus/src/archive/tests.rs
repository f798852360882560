//! Archives are written here by the crates that read them, and then broken.

use std::io::{Cursor, Write};

use familiar_source::Evidence;
use sevenz_rust2::{ArchiveEntry, ArchiveWriter};
use zip::write::SimpleFileOptions;

use super::*;
use crate::Found;
use crate::compressed::tests::{bzip2, gzip, xz, zstd};
use crate::tree::tests::{all, summaries};

type Files<'f> = &'f [(&'f str, &'f [u8])];

const TWO: Files = &[("p/a.py", b"a = 1\n"), ("p/b.py", b"b = 2\n")];
const TWO_SHOWN: [&str; 2] = ["p/a.py=a = 1\n", "p/b.py=b = 2\n"];

fn zipped(files: Files) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        let time = zip::DateTime::from_date_and_time(2020, 2, 3, 4, 5, 6).expect("a date");
        writer.start_file(*name, SimpleFileOptions::default().last_modified_time(time)).expect("memory");
        writer.write_all(content).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

/// One file of a tar archive, whatever its name.
fn tar_entry(name: &[u8], kind: tar::EntryType, content: &[u8], mtime: u64) -> Vec<u8> {
    let mut header = tar::Header::new_ustar();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name);
    header.set_entry_type(kind);
    header.set_size(content.len() as u64);
    header.set_mtime(mtime);
    header.set_cksum();
    let mut bytes = [header.as_bytes(), content].concat();
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

fn tarred(files: Files) -> Vec<u8> {
    let one = |(name, content): &(&str, &[u8])| {
        tar_entry(name.as_bytes(), tar::EntryType::Regular, content, 1_600_000_000)
    };
    let mut bytes: Vec<u8> = files.iter().flat_map(one).collect();
    bytes.resize(bytes.len() + 1024, 0);
    bytes
}

fn seven_zipped(files: Files) -> Vec<u8> {
    let mut writer = ArchiveWriter::new(Cursor::new(Vec::new())).expect("memory");
    for (name, content) in files {
        writer.push_archive_entry(ArchiveEntry::new_file(name), Some(*content)).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

fn found_in(name: &str, bytes: &[u8], limits: &Limits) -> Vec<Found> {
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    let file = dir.path().join(name);
    std::fs::write(&file, bytes).expect("just made");
    all(&Archive { file, exclude: Vec::new() }, limits)
}

fn check(name: &str, bytes: &[u8], limits: &Limits, expected: &[&str]) {
    assert_eq!(summaries(&found_in(name, bytes, limits)), expected, "{name}");
}

#[test]
fn every_format_is_unpacked_whatever_its_name() {
    let tar = tarred(TWO);
    for (name, bytes) in [
        ("x.whl", zipped(TWO)),
        ("x.tar", tar.clone()),
        ("x.tgz", gzip(&tar)),
        ("x.tar.xz", xz(&tar)),
        ("x.tar.bz2", bzip2(&tar)),
        ("x.tar.zst", zstd(&tar)),
        ("x.7z", seven_zipped(TWO)),
        ("misnamed.txt", gzip(&tar)),
    ] {
        check(name, &bytes, &Limits::default(), &TWO_SHOWN);
    }
}

#[test]
fn items_know_their_project_and_time() {
    let occurrence = |bytes: &[u8]| match found_in("six-1.17.tar.gz", bytes, &Limits::default()).remove(0) {
        Found::Item(item) => item.occurrence,
        other => panic!("{other:?}"),
    };
    let tar = occurrence(&gzip(&tarred(TWO)));
    assert_eq!((tar.project.as_str(), tar.first_seen), ("six-1.17", Some(1_600_000_000)));
    assert_eq!((tar.evidence, tar.last_seen), (Evidence::FileTime, Some(1_600_000_000)));
    let zip = occurrence(&zipped(TWO));
    assert_eq!(zip.first_seen, Some(1_580_702_706));
    let cargo = tar_entry(b"a.rs", tar::EntryType::Regular, b"x", 1_153_704_088);
    let none = occurrence(&cargo);
    assert_eq!((none.first_seen, none.evidence), (None, Evidence::None));
}

#[test]
fn a_compressed_file_keeps_its_name_without_the_ending() {
    check("a.py.gz", &gzip(b"x"), &Limits::default(), &["a.py=x"]);
    check("a", &zstd(b"x"), &Limits::default(), &["a=x"]);
    let inside = tarred(&[("d/a.py.xz", &xz(b"x"))]);
    check("x.tar", &inside, &Limits::default(), &["d/a.py=x"]);
}

#[test]
fn archives_inside_archives_have_their_path_in_front() {
    let jar = zipped(&[("in/a.py", b"x")]);
    let seven = seven_zipped(&[("lib.jar", &jar)]);
    let outer = tarred(&[("l/deep.7z", &seven), ("b.py", b"y")]);
    let limits = Limits::default();
    check("x.tar", &outer, &limits, &["l/deep.7z/lib.jar/in/a.py=x", "b.py=y"]);
    let shallow = Limits { archive_depth: 1, ..limits };
    let reason = "l/deep.7z/lib.jar!archives inside archives, more than 1 deep, which is the limit";
    check("x.tar", &outer, &shallow, &[reason, "b.py=y"]);
}

#[test]
fn only_regular_files_with_plain_names_are_items() {
    use tar::EntryType as Kind;
    let bytes = [
        tar_entry(b"/etc/passwd", Kind::Regular, b"x", 9),
        tar_entry(b"../up.py", Kind::Regular, b"x", 9),
        tar_entry(b"link", Kind::Symlink, b"", 9),
        tar_entry(b"hard", Kind::Link, b"", 9),
        tar_entry(b"null", Kind::Char, b"", 9),
        tar_entry(b"folder/", Kind::Directory, b"", 9),
        tar_entry(b"a\xff.py", Kind::Regular, b"ok", 9),
    ];
    let expected = [
        "/etc/passwd!its path is absolute",
        "../up.py!its path leads out of the archive",
        "link!symbolic link, not followed",
        "hard!hard link, not followed",
        "null!not a regular file",
        "a%FF.py=ok",
    ];
    check("x.tar", &bytes.concat(), &Limits::default(), &expected);
}

#[test]
fn folders_of_zip_archives_may_end_with_backslashes() {
    let zip = zipped(&[("pkg\\LICENSE", b"mit"), ("pkg\\src\\", b""), ("pkg\\src\\a.py", b"a")]);
    check("x.zip", &zip, &Limits::default(), &["pkg/LICENSE=mit", "pkg/src/a.py=a"]);
}

#[test]
fn paths_that_are_left_out_are_not_read_at_any_depth() {
    let inner = zipped(&[("vendor/b.py", b"b"), ("c.py", b"c")]);
    let zip = zipped(&[("a.py", b"a"), ("vendor/v.py", b"v"), ("in.zip", &inner), ("m.min.js", b"m")]);
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    let file = dir.path().join("x.zip");
    std::fs::write(&file, zip).expect("just made");
    let exclude = ["vendor/", "*.min.js"].map(ToOwned::to_owned).to_vec();
    let found = all(&Archive { file, exclude }, &Limits::default());
    assert_eq!(summaries(&found), ["a.py=a", "in.zip/c.py=c"]);
}

#[test]
fn a_sparse_file_is_a_skip_under_its_own_name() {
    let pax = b"22 GNU.sparse.major=1\n31 GNU.sparse.name=src/hole.py\n";
    let header = tar_entry(b"PaxHeaders/hole.py", tar::EntryType::XHeader, pax, 0);
    let file = tar_entry(b"GNUSparseFile.7/hole.py", tar::EntryType::Regular, b"1\n0\n", 0);
    let tar = [header, file, tarred(&[("b.py", b"b")])].concat();
    check("x.tar", &tar, &Limits::default(), &["src/hole.py!sparse file", "b.py=b"]);
}

#[test]
fn links_in_zip_archives_are_skips() {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("link", "/etc/passwd", SimpleFileOptions::default()).expect("memory");
    let bytes = writer.finish().expect("memory").into_inner();
    check("x.zip", &bytes, &Limits::default(), &["link!symbolic link, not followed"]);
}

#[test]
fn limits_are_skips_that_name_the_setting() {
    let items = Limits { item_bytes: 5, ..Limits::default() };
    let large = "p/a.py!larger than 5 bytes, the limit for one file";
    let small: Files = &[("p/a.py", b"a = 1\n"), ("p/b.py", b"b")];
    for bytes in [zipped(small), tarred(small), seven_zipped(small)] {
        check("x", &bytes, &items, &[large, "p/b.py=b"]);
    }
    let entries = Limits { archive_entries: 1, ..Limits::default() };
    let many = "x!the archive has more than 1 entry, the limit for one archive";
    check("x", &zipped(TWO), &entries, &[TWO_SHOWN[0], many]);
    check("x", &tarred(TWO), &entries, &[TWO_SHOWN[0], many]);
    check("x", &seven_zipped(TWO), &entries, &[TWO_SHOWN[0], many]);
    let bytes = Limits { archive_bytes: 10, ..Limits::default() };
    let full = "p/b.py!the archive unpacks to more than 10 bytes, the limit for one archive";
    check("x", &zipped(TWO), &bytes, &[TWO_SHOWN[0], full]);
    check("x", &seven_zipped(TWO), &bytes, &[TWO_SHOWN[0], full]);
    let bytes = Limits { archive_bytes: 1500, ..Limits::default() };
    let full = "p/b.py!the archive unpacks to more than 1500 bytes, the limit for one archive";
    let found = summaries(&found_in("x.tgz", &gzip(&tarred(TWO)), &bytes));
    assert_eq!(found[0], TWO_SHOWN[0]);
    assert!(found.len() == 2 && (found[1] == full || found[1].starts_with("x.tgz!the archive unpacks")));
}

#[test]
fn a_bomb_ends_at_the_limit() {
    let zeros = vec![0_u8; 1 << 22];
    let twice = zipped(&[("b.gz", &gzip(&gzip(&zeros)))]);
    let limits = Limits { archive_bytes: 1 << 20, ..Limits::default() };
    let found = summaries(&found_in("x.zip", &twice, &limits));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("the limit for one archive"), "{found:?}");
}

#[test]
fn archives_of_many_archives_of_many_archives_end_at_the_limit() {
    let mut bytes = zipped(&[("zeros.py", &vec![b'0'; 1 << 20])]);
    for level in 0..6 {
        let names: Vec<String> = (0..10).map(|number| format!("{level}-{number}.zip")).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &*bytes)).collect();
        bytes = zipped(&files);
    }
    let limits = Limits { archive_bytes: 8 << 20, archive_depth: 9, ..Limits::default() };
    let mut read = 0;
    let mut skips = Vec::new();
    for found in found_in("x.zip", &bytes, &limits) {
        match found {
            Found::Item(item) => read += item.bytes.len() as u64,
            Found::Skip { reason, .. } => skips.push(reason),
            _ => {}
        }
    }
    assert!(read > 0 && read <= limits.archive_bytes, "{read}");
    assert!(!skips.is_empty() && skips.len() < 100, "{}", skips.len());
    assert!(skips.iter().all(|reason| reason.contains("the limit for one archive")), "{skips:?}");
}

#[test]
fn a_tar_header_cannot_fill_the_memory() {
    let long = vec![b'a'; 3 << 20];
    let bytes = [
        tar_entry(b"a.py", tar::EntryType::Regular, b"a", 9),
        tar_entry(b"././@LongLink", tar::EntryType::GNULongName, &long, 9),
        tar_entry(b"b.py", tar::EntryType::Regular, b"b", 9),
    ];
    let expected = ["a.py=a", "x.tar!the headers of an entry are larger than 1 MiB; the rest was not read"];
    check("x.tar", &bytes.concat(), &Limits::default(), &expected);
}

#[test]
fn what_is_cut_off_leaves_what_came_before() {
    let random: Vec<u8> = (0..40_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
    let files: Files = &[("a.py", b"a"), ("b.py", &random)];
    let tar = tarred(files);
    for (name, bytes) in [
        ("x.tar", tar.clone()),
        ("x.tar.gz", gzip(&tar)),
        ("x.tar.xz", xz(&tar)),
        ("x.tar.bz2", bzip2(&tar)),
        ("x.tar.zst", zstd(&tar)),
        ("x.zip", zipped(files)),
    ] {
        // A block of bzip2 is larger than this archive: nothing of it can be read.
        if name.ends_with("bz2") {
            assert!(refused(name, &bytes[..bytes.len() / 2]).contains("nothing in this archive can be read"));
            continue;
        }
        let found = found_in(name, &bytes[..bytes.len() / 2], &Limits::default());
        let found = summaries(&found);
        let skips: Vec<_> = found.iter().filter(|one| one.contains('!')).collect();
        assert!(!skips.is_empty(), "{name}: {found:?}");
        assert!(found.contains(&"a.py=a".to_owned()), "{name}: {found:?}");
        assert!(!found.iter().any(|one| one.starts_with("b.py=")), "{name}");
    }
    let seven = seven_zipped(files);
    let reason = refused("x.7z", &seven[..seven.len() / 2]);
    assert!(reason.contains("nothing in this archive can be read"), "{reason}");
}

/// Why nothing of an archive can be read.
fn refused(name: &str, bytes: &[u8]) -> String {
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    let file = dir.path().join(name);
    std::fs::write(&file, bytes).expect("just made");
    let mut each = |_: Found| std::ops::ControlFlow::Continue(());
    Archive { file, exclude: Vec::new() }.read(&Limits::default(), &mut each).expect_err(name).to_string()
}

#[test]
fn an_archive_of_which_nothing_can_be_read_is_an_error() {
    let packed = gzip(b"print(1)");
    for (name, bytes) in [
        ("cut.gz", packed[..packed.len() / 2].to_vec()),
        ("cut.zip", zipped(TWO)[..20].to_vec()),
        ("zeros.7z", [b"7z\xbc\xaf\x27\x1c".to_vec(), vec![0; 100]].concat()),
        ("xz", b"\xfd7zXZ\0nonsense".to_vec()),
    ] {
        let reason = refused(name, &bytes);
        assert!(reason.contains("nothing in this archive can be read"), "{reason}");
    }
    // One that holds nothing is whole.
    check("x.zip", &zipped(&[]), &Limits::default(), &[]);
}

#[test]
fn damaged_content_is_a_skip_and_the_rest_stays() {
    let stored = |files: Files| {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        for (name, content) in files {
            writer.start_file(*name, options).expect("memory");
            writer.write_all(content).expect("memory");
        }
        writer.finish().expect("memory").into_inner()
    };
    let mut bytes = stored(TWO);
    let at = bytes.windows(6).position(|window| window == b"a = 1\n").expect("stored as it is");
    bytes[at] = b'z';
    let found = summaries(&found_in("x.zip", &bytes, &Limits::default()));
    assert!(found[0].starts_with("p/a.py!"), "{found:?}");
    assert_eq!(found[1], TWO_SHOWN[1]);
}

#[test]
fn a_wrong_checksum_of_a_compressed_tar_archive_is_a_skip() {
    let mut bytes = gzip(&tarred(TWO));
    let sum = bytes.len() - 8;
    bytes[sum] ^= 1;
    let found = summaries(&found_in("x.tgz", &bytes, &Limits::default()));
    assert_eq!(found[..2], TWO_SHOWN);
    assert!(found[2].starts_with("x.tgz!"), "{found:?}");
}

#[test]
fn a_second_archive_behind_the_first_is_a_skip() {
    let twice = [tarred(TWO), tarred(TWO)].concat();
    let more = "x.tar!there is more after the end of the archive, which was not read";
    check("x.tar", &twice, &Limits::default(), &[TWO_SHOWN[0], TWO_SHOWN[1], more]);
}

#[test]
fn encrypted_entries_are_skips() {
    let mut bytes = zipped(TWO);
    // The lowest bit of the flags, in the local header and in the directory.
    let first = |bytes: &[u8], magic: &[u8]| bytes.windows(4).position(|four| four == magic).expect("there");
    let (local, central) = (first(&bytes, b"PK\x03\x04"), first(&bytes, b"PK\x01\x02"));
    bytes[local + 6] |= 1;
    bytes[central + 8] |= 1;
    check("x.zip", &bytes, &Limits::default(), &["p/a.py!encrypted", TWO_SHOWN[1]]);
}

#[test]
fn a_zip_archive_may_have_a_program_in_front() {
    let bytes = [b"#!/usr/bin/env python3\n".to_vec(), zipped(TWO)].concat();
    check("app.egg", &bytes, &Limits::default(), &TWO_SHOWN);
}

#[test]
fn other_files_are_an_error() {
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    let file = dir.path().join("a.txt");
    std::fs::write(&file, "text").expect("just made");
    let error = Archive { file: file.clone(), exclude: Vec::new() }
        .read(&Limits::default(), &mut |_| panic!("nothing is there"));
    assert!(matches!(error, Err(SourceError::Format { .. })));
    assert!(!Archive::is_archive(&file).expect("readable"));
}

#[test]
fn a_break_ends_the_reading() {
    for bytes in [zipped(TWO), gzip(&tarred(TWO)), seven_zipped(TWO)] {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let file = dir.path().join("x");
        std::fs::write(&file, bytes).expect("just made");
        let mut seen = 0;
        let mut once = |_: Found| {
            seen += 1;
            std::ops::ControlFlow::Break(())
        };
        Archive { file, exclude: Vec::new() }.read(&Limits::default(), &mut once).expect("readable");
        assert_eq!(seen, 1);
    }
}
