//! Packages from registries that a thread of the test plays.

mod server;

use std::time::Duration;

use familiar_source::Evidence;
use server::{Reply, Server};
use sha2::{Digest, Sha256};

use super::environment::Environment;
use super::http::{Client, Settings};
use super::*;
use crate::compressed::tests::gzip;
use crate::tree::tests::{all, summaries};
use crate::{Found, Item};

/// A client that does not wait long.
fn client() -> Client {
    let settings = Settings { timeout: Some(Duration::from_secs(5)), ..Settings::default() };
    let mut client = Client::new(settings, &Environment::default()).expect("no files are needed");
    client.retries.pause = Duration::from_millis(1);
    client
}

fn pypi(server: &Server) -> PyPi {
    PyPi { client: client(), indexes: vec![server.url("/simple")], times: Some(server.url("/pypi")) }
}

/// A compressed tar archive.
fn tar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (path, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mtime(1_600_000_000);
        archive.append_data(&mut header, path, text.as_bytes()).expect("memory");
    }
    gzip(&archive.into_inner().expect("memory"))
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}

fn six() -> Vec<u8> {
    tar(&[("six-1.0/six.py", "a"), ("six-1.0/lib/b.py", "b")])
}

/// The page of a project with one sdist.
fn page(file: &str, sha: &str) -> String {
    format!(
        "{{\"files\":[{{\"filename\":\"{file}\",\"url\":\"/files/{file}\",\"hashes\":{{\"sha256\":\"{sha}\"}},\
         \"upload-time\":\"2015-01-27T20:09:32.720Z\"}}]}}"
    )
}

fn fetch(index: &dyn Index, registry: Registry, text: &str) -> Result<Fetched, String> {
    let package = Package::parse(registry, text).expect("a package");
    package.fetch_from(index, &|_| false, &Limits::default()).map_err(|error| error.to_string())
}

fn fetched(index: &dyn Index, registry: Registry, text: &str) -> (String, Vec<Found>) {
    let Fetched { name, source } = fetch(index, registry, text).expect("it is there");
    (name, all(&*source.expect("nothing is held"), &Limits::default()))
}

fn refused(index: &dyn Index, registry: Registry, text: &str) -> String {
    fetch(index, registry, text).err().expect("it cannot be had")
}

fn first(found: &[Found]) -> &Item {
    match &found[0] {
        Found::Item(item) => item,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_release_says_where_it_is_from_and_since_when() {
    let server = Server::start();
    server.on("/simple/six/", [Reply::json(&page("six-1.0.tar.gz", &hex(&six())))]);
    server.on("/files/six-1.0.tar.gz", [Reply::bytes(six())]);
    let (name, found) = fetched(&pypi(&server), Registry::PyPi, "Six");
    assert_eq!(name, "pypi:six==1.0");
    assert_eq!(summaries(&found), ["six.py=a", "lib/b.py=b"]);
    let occurrence = &first(&found).occurrence;
    assert_eq!((occurrence.first_seen, occurrence.evidence), (Some(1_422_389_372), Evidence::UploadTime));
    assert_eq!(occurrence.project, "pypi/six");
    assert_eq!(occurrence.purl.as_deref(), Some("pkg:pypi/six@1.0"));
    assert_eq!(occurrence.introduced_by.as_deref(), Some("1.0"));
    assert_eq!(occurrence.link.as_deref(), Some("https://pypi.org/project/six/1.0/"));
}

#[test]
fn an_index_of_html_redirects_and_an_older_interface_will_do() {
    let server = Server::start();
    let html = format!("<a href='../files/six-1.0.tar.gz#sha256={}'>six-1.0.tar.gz</a>", hex(&six()));
    server.on("/simple/six/", [Reply::redirect("/mirror/six/")]);
    server.on("/mirror/six/", [Reply::html(&html)]);
    server.on("/mirror/files/six-1.0.tar.gz", [Reply::redirect("/files/1")]);
    server.on("/files/1", [Reply::bytes(six())]);
    let times =
        "{\"urls\":[{\"filename\":\"six-1.0.tar.gz\",\"upload_time_iso_8601\":\"2015-01-27T20:09:32.7Z\"}]}";
    server.on("/pypi/six/1.0/json", [Reply::json(times)]);
    let (_, found) = fetched(&pypi(&server), Registry::PyPi, "six");
    assert_eq!(first(&found).occurrence.first_seen, Some(1_422_389_372));
    // Without that interface the archive's own times are all that is known.
    let (_, found) = fetched(&PyPi { times: None, ..pypi(&server) }, Registry::PyPi, "six");
    let occurrence = &first(&found).occurrence;
    assert_eq!((occurrence.first_seen, occurrence.evidence), (Some(1_600_000_000), Evidence::FileTime));
}

#[test]
fn what_cannot_be_had_is_refused_with_the_reason() {
    let server = Server::start();
    let index = pypi(&server);
    let error = refused(&index, Registry::PyPi, "none");
    assert!(
        error.starts_with("pypi:none: http://") && error.ends_with("does not exist (HTTP 404)"),
        "{error}"
    );
    server.on("/simple/six/", [Reply::json(&page("six-1.0.tar.gz", &hex(b"other")))]);
    server.on("/files/six-1.0.tar.gz", [Reply::bytes(six())]);
    assert!(refused(&index, Registry::PyPi, "six").contains("its checksum differs"));
    assert!(refused(&index, Registry::PyPi, "six==2").contains("no readable file of version 2"));
    server.on("/simple/odd/", [Reply::json("{\"files\":3}")]);
    assert!(refused(&index, Registry::PyPi, "odd").contains("not as expected"));
    server.on("/simple/shut/", [Reply::status(403)]);
    assert!(refused(&index, Registry::PyPi, "shut").contains("HTTP 403"));
    let package = Package::parse(Registry::PyPi, "six").expect("a package");
    let limits = Limits { download_bytes: 3, ..Limits::default() };
    let error = package.fetch_from(&index, &|_| false, &limits).err().expect("too large").to_string();
    assert!(error.contains("larger than 3 bytes, the limit for one download"), "{error}");
}

#[test]
fn what_is_no_archive_is_an_error_when_it_is_read() {
    let server = Server::start();
    server.on("/simple/six/", [Reply::json(&page("six-1.0.tar.gz", &hex(b"text")))]);
    server.on("/files/six-1.0.tar.gz", [Reply::bytes(b"text".to_vec())]);
    let source = fetch(&pypi(&server), Registry::PyPi, "six").expect("it is there").source.expect("not held");
    let error = source.read(&Limits::default(), &mut |_| std::ops::ControlFlow::Continue(()));
    assert!(error.expect_err("text").to_string().starts_with("pypi:six==1.0: it is not an archive"));
}

#[test]
fn busy_servers_and_broken_transfers_are_asked_again_but_not_for_ever() {
    let server = Server::start();
    let index = pypi(&server);
    let good = Reply::json(&page("six-1.0.tar.gz", &hex(&six())));
    server.on("/simple/six/", [Reply::status(503), Reply::status(429), good.clone().cut(9), good]);
    server.on("/files/six-1.0.tar.gz", [Reply::bytes(six()).cut(20), Reply::bytes(six())]);
    let (name, found) = fetched(&index, Registry::PyPi, "six");
    assert_eq!((name.as_str(), found.len()), ("pypi:six==1.0", 2));
    server.on("/simple/down/", [Reply::status(500)]);
    assert!(refused(&index, Registry::PyPi, "down").ends_with("HTTP 500 (5 tries)"));
    assert_eq!(server.asked("/simple/down/"), 5);
}

#[test]
fn what_is_held_is_not_fetched() {
    let server = Server::start();
    server.on("/simple/six/", [Reply::json(&page("six-1.0.tar.gz", &hex(&six())))]);
    let held = |name: &str| name == "pypi:six==1.0";
    for text in ["six", "six==1.0.0"] {
        let package = Package::parse(Registry::PyPi, text).expect("a package");
        let fetched = package.fetch_from(&pypi(&server), &held, &Limits::default()).expect("known");
        assert!(fetched.name == "pypi:six==1.0" && fetched.source.is_none());
    }
    let exact = Package::parse(Registry::PyPi, "six==1.0").expect("a package");
    assert!(exact.fetch(&held, &Limits::default()).expect("no server is asked").source.is_none());
    assert_eq!(server.asked("/files/six-1.0.tar.gz"), 0);
}

#[test]
fn further_indexes_are_asked_too() {
    let server = Server::start();
    let file = tar(&[("mine-2.0/a.py", "a")]);
    server.on("/extra/mine/", [Reply::json(&page("mine-2.0.tar.gz", &hex(&file)))]);
    server.on("/files/mine-2.0.tar.gz", [Reply::bytes(file)]);
    let mut index = pypi(&server);
    index.indexes.push(server.url("/extra"));
    assert_eq!(summaries(&fetched(&index, Registry::PyPi, "mine").1), ["a.py=a"]);
}

#[test]
fn npm_packages_lose_the_folder_around_them() {
    let server = Server::start();
    let file = tar(&[("package/index.js", "a"), ("package/lib/b.js", "b")]);
    let packument = format!(
        "{{\"dist-tags\":{{\"latest\":\"1.0.0\"}},\"time\":{{\"1.0.0\":\"2015-01-27T20:09:32.720Z\"}},\
         \"versions\":{{\"1.0.0\":{{\"dist\":{{\"tarball\":\"{}\",\"integrity\":\"sha256-{}\"}}}}}}}}",
        server.url("/@me/x/-/x-1.0.0.tgz"),
        base64::Engine::encode(&base64::engine::general_purpose::STANDARD, Sha256::digest(&file)),
    );
    server.on("/npm/@me%2fx", [Reply::json(&packument)]);
    server.on("/@me/x/-/x-1.0.0.tgz", [Reply::bytes(file.clone()), Reply::bytes(file[1..].to_vec())]);
    let mut config = npm_config::NpmConfig::default();
    config.take(&format!("registry={}", server.url("/npm/")), &Environment::default());
    let npm = Npm { client: client(), config };
    let (name, found) = fetched(&npm, Registry::Npm, "@me/x");
    assert_eq!(
        (name.as_str(), summaries(&found)),
        ("npm:@me/x@1.0.0", vec!["index.js=a".into(), "lib/b.js=b".into()])
    );
    let occurrence = &first(&found).occurrence;
    assert_eq!((occurrence.project.as_str(), occurrence.first_seen), ("npm/@me/x", Some(1_422_389_372)));
    assert_eq!(occurrence.purl.as_deref(), Some("pkg:npm/%40me/x@1.0.0"));
    assert_eq!(occurrence.link.as_deref(), Some("https://www.npmjs.com/package/@me/x/v/1.0.0"));
    assert!(refused(&npm, Registry::Npm, "@me/x").contains("checksum"));
}

#[test]
fn crates_come_from_where_the_index_says() {
    let server = Server::start();
    let file = tar(&[("serde-1.0.1/src/lib.rs", "a")]);
    let line = |version: &str, pubtime: &str| {
        format!(
            "{{\"name\":\"serde\",\"vers\":\"{version}\",\"cksum\":\"{}\",\"yanked\":false{pubtime}}}\n",
            hex(&file)
        )
    };
    let lines = line("1.0.0", "") + &line("1.0.1", ",\"pubtime\":\"2015-01-27T20:09:32Z\"");
    server.on("/index/se/rd/serde", [Reply::bytes(lines.into_bytes())]);
    let config = format!("{{\"dl\":\"{}\",\"api\":\"{}\"}}", server.url("/dl"), server.url(""));
    server.on("/index/config.json", [Reply::json(&config)]);
    server.on("/dl/serde/1.0.1/download", [Reply::redirect("/dl/serde/1.0.0/download")]);
    server.on("/dl/serde/1.0.0/download", [Reply::bytes(file)]);
    let published = "{\"version\":{\"created_at\":\"2015-01-27T20:09:33.1Z\"}}";
    server.on("/api/v1/crates/serde/1.0.0", [Reply::json(published)]);
    let crates = CratesIo::at(&server.url("/index"), client());
    let (name, found) = fetched(&crates, Registry::CratesIo, "serde");
    assert_eq!((name.as_str(), summaries(&found)), ("crate:serde@1.0.1", vec!["src/lib.rs=a".to_owned()]));
    let occurrence = &first(&found).occurrence;
    assert_eq!(
        (occurrence.project.as_str(), occurrence.first_seen),
        ("crates.io/serde", Some(1_422_389_372))
    );
    assert_eq!(occurrence.purl.as_deref(), Some("pkg:cargo/serde@1.0.1"));
    let (_, found) = fetched(&crates, Registry::CratesIo, "serde@1.0.0");
    assert_eq!(summaries(&found), ["serde-1.0.1/src/lib.rs=a"]);
    assert_eq!(first(&found).occurrence.first_seen, Some(1_422_389_373));
    assert!(refused(&crates, Registry::CratesIo, "none").contains("HTTP 404"));
}

#[test]
fn a_token_is_sent_where_it_belongs_and_nowhere_else() {
    let server = Server::start();
    server.on("/npm/a", [Reply::redirect("/npm/b")]);
    server.on("/npm/b", [Reply::status(404)]);
    server.on("/other/a", [Reply::status(404)]);
    let host = server.url("").replace("http://", "");
    let settings =
        Settings { tokens: vec![(format!("{host}/npm/"), "secret".to_owned())], ..Settings::default() };
    let client = Client::new(settings, &Environment::default()).expect("sound");
    for path in ["/npm/a", "/other/a"] {
        client.json::<serde_json::Value>(&server.url(path)).expect_err("not there");
    }
    let with_token: Vec<String> = server.requests("authorization: bearer secret");
    assert_eq!(with_token, ["/npm/a"]);
}

#[test]
fn a_wrong_file_of_certificates_is_told() {
    let settings = Settings { certificates: Some("no/such.pem".to_owned()), ..Settings::default() };
    let error = Client::new(settings, &Environment::default()).expect_err("it is not there");
    assert!(error.to_string().contains("no/such.pem"), "{error}");
}
