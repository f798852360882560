//! A table whose checksum is right is read or is damaged, whatever it holds.
#![no_main]

mod common;

use std::panic;
use std::sync::Once;

use common::corpus::{Change, change, world};
use familiar_store::Corpus;
use familiar_store::tables::{
    Blobs, Fragments, LicenseFiles, LicenseTexts, Licenses, Lineages, Occurrences, Projects, Skips, Texts,
};
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_128;

fuzz_target!(|input: (u8, Vec<Change>)| {
    let (choice, changes) = input;
    static HOOK: Once = Once::new();
    HOOK.call_once(let_parquet_panic);
    let world = world();
    let files = world.files_of("parquet");
    let (path, whole) = files[usize::from(choice) % files.len()];
    let mut bytes = whole.clone();
    changes.iter().for_each(|(_, at, with)| change(&mut bytes, *at, with));
    let mut manifest = world.manifest.clone();
    manifest.as_object_mut().expect("an object").remove("checksum");
    let name = path.file_name().expect("a file").to_string_lossy().into_owned();
    for table in manifest["parts"][0]["tables"].as_array_mut().expect("a list") {
        if table["file"].as_str().is_some_and(|file| file.ends_with(&name)) {
            table["bytes"] = bytes.len().into();
            table["checksum"] = format!("{:032x}", xxh3_128(&bytes)).into();
        }
    }
    let folder = world.folder();
    let manifest = serde_json::to_vec(&manifest).expect("plain data");
    world.with(path, &bytes, || {
        world.with(&folder.join("manifest.json"), &manifest, || {
            let corpus = Corpus::open(&folder).expect("a sound manifest");
            assert_eq!(corpus.verify(), []);
            let _ = corpus.read::<Blobs>(|_, _| {});
            let _ = corpus.read::<Fragments>(|_, _| {});
            let _ = corpus.read::<Texts>(|_, _| {});
            let _ = corpus.read::<Licenses>(|_, _| {});
            let _ = corpus.read::<LicenseTexts>(|_, _| {});
            let _ = corpus.read_latest::<Occurrences>(|_, _| {});
            let _ = corpus.read_latest::<LicenseFiles>(|_, _| {});
            let _ = corpus.read_latest::<Lineages>(|_, _| {});
            let _ = corpus.read_latest::<Projects>(|_, _| {});
            let _ = corpus.read_latest::<Skips>(|_, _| {});
        });
    });
});

/// What panics there is caught, but a fuzzer ends at any panic before that.
fn let_parquet_panic() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let is_theirs = |file: &str| file.contains("/parquet-") || file.contains("/arrow-");
        if !info.location().is_some_and(|place| is_theirs(place.file())) {
            hook(info);
        }
    }));
}
