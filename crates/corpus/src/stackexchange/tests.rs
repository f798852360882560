//! Small dumps in the real format and with its quirks, and hostile ones.

use familiar_source::Language;

use super::*;
use crate::compressed::tests::zstd;
use crate::tree::tests::{all, summaries};

const POSTS: &str = "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<posts>\n  \
    <row Id=\"7\" PostTypeId=\"1\" CreationDate=\"2015-01-27T20:09:32.720\" OwnerUserId=\"4\" \
    Tags=\"&lt;python&gt;&lt;sorting&gt;\" Body=\"&lt;p&gt;&lt;code&gt;no&lt;/code&gt;&lt;/p&gt;&#xA;\
    &lt;pre&gt;&lt;code&gt;if a &amp;lt; b:&#xA;    f()&#xA;&lt;/code&gt;&lt;/pre&gt;\" />\n  \
    <row Id=\"8\" PostTypeId=\"2\" ParentId=\"7\" CreationDate=\"2015-01-28T00:00:00.000\" \
    LastEditDate=\"2015-01-29T00:00:00.000\" OwnerDisplayName=\"ann\" \
    Body=\"&lt;pre&gt;&lt;code&gt;one&lt;/code&gt;&lt;/pre&gt; \
    &lt;pre class=&quot;lang-java&quot;&gt;&lt;code&gt;two&lt;/code&gt;&lt;/pre&gt;\" ></row>\n</posts>\n";

fn found(name: &str, bytes: &[u8], limits: &Limits) -> Vec<Found> {
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    let path = dir.path().join(name);
    std::fs::create_dir_all(path.parent().expect("below the folder")).expect("just made");
    std::fs::write(&path, bytes).expect("just made");
    let is_in_folder = name.ends_with("/Posts.xml");
    let path = if is_in_folder { path.parent().expect("a folder").to_owned() } else { path };
    all(&StackExchange { path }, limits)
}

fn items(found: &[Found]) -> Vec<&Item> {
    found
        .iter()
        .map(|found| match found {
            Found::Item(item) => item,
            other => panic!("{other:?}"),
        })
        .collect()
}

fn seven_z(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = sevenz_rust2::ArchiveWriter::new(std::io::Cursor::new(Vec::new())).expect("memory");
    for (name, content) in files {
        let entry = sevenz_rust2::ArchiveEntry::new_file(name);
        writer.push_archive_entry(entry, Some(content.as_bytes())).expect("memory");
    }
    writer.finish().expect("memory").into_inner()
}

#[test]
fn code_blocks_are_items_with_all_that_the_post_says() {
    let found = found("coffee.Posts.xml.zst", &zstd(POSTS.as_bytes()), &Limits::default());
    let expected = [
        "questions/7#1=if a < b:\n    f()\n",
        "questions/7/answers/8#1=one\n",
        "questions/7/answers/8#2=two\n",
    ];
    assert_eq!(summaries(&found), expected);
    let items = items(&found);
    let languages: Vec<_> = items.iter().map(|item| item.language).collect();
    let expected = [Language::Python, Language::Python, Language::Java].map(LanguageHint::Language);
    assert_eq!(languages, expected);
    let question = &items[0].occurrence;
    assert_eq!((question.project.as_str(), question.author.as_deref()), ("coffee", Some("4")));
    assert_eq!((question.first_seen, question.last_seen), (Some(1_422_389_372), None));
    let link = Some("https://coffee.stackexchange.com/q/7");
    assert_eq!((question.evidence, question.link.as_deref()), (Evidence::PostTime, link));
    let answer = &items[1].occurrence;
    assert_eq!((answer.author.as_deref(), answer.last_seen), (Some("ann"), Some(1_422_489_600)));
}

#[test]
fn a_site_is_named_by_its_file_folder_or_archive() {
    let packed = seven_z(&[("Badges.xml", "<badges/>"), ("Posts.xml", POSTS)]);
    for (name, bytes) in [
        ("tea.stackexchange.com/Posts.xml", POSTS.as_bytes()),
        ("tea.stackexchange.com.7z", &packed),
        ("tea.stackexchange.com-Posts.7z", &packed),
        ("tea.stackexchange.com.Posts.xml", POSTS.as_bytes()),
    ] {
        let found = found(name, bytes, &Limits::default());
        let links: Vec<_> = items(&found).iter().map(|item| item.occurrence.link.as_deref()).collect();
        let (question, answer) = ("https://tea.stackexchange.com/q/7", "https://tea.stackexchange.com/a/8");
        assert_eq!(links, [Some(question), Some(answer), Some(answer)], "{name}");
        assert_eq!(items(&found)[0].occurrence.project, "tea.stackexchange.com");
    }
}

#[test]
fn entities_do_not_expand() {
    let bomb = "<?xml version=\"1.0\"?><!DOCTYPE posts [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><posts>\
        <row Id=\"1\" PostTypeId=\"1\" Body=\"&lt;pre&gt;&b;&lt;/pre&gt;\"/>\
        <row Id=\"2\" PostTypeId=\"1\" Body=\"&lt;pre&gt;x&lt;/pre&gt;\"/></posts>";
    let found = summaries(&found("Posts.xml", bomb.as_bytes(), &Limits::default()));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("Posts.xml!"), "{found:?}");
    assert_eq!(found[1], "questions/2#1=x\n");
}

#[test]
fn broken_dumps_give_what_can_be_read() {
    let cut = &POSTS[..POSTS.len() - 120];
    let of_cut = summaries(&found("x.Posts.xml", cut.as_bytes(), &Limits::default()));
    assert_eq!(of_cut.len(), 2, "{of_cut:?}");
    assert!(of_cut[0].starts_with("questions/7#1=") && of_cut[1].starts_with("x.Posts.xml!"));
    let bad_row = POSTS.replace("<row Id=\"7\"", "<row Id=\"seven\"");
    let of_bad = summaries(&found("x.Posts.xml", bad_row.as_bytes(), &Limits::default()));
    assert!(of_bad[0].starts_with("x.Posts.xml!`seven` is not a number"), "{of_bad:?}");
    assert_eq!(of_bad.len(), 3);
}

#[test]
fn a_row_without_end_does_not_fill_the_memory() {
    let limits = Limits { item_bytes: 10, ..Limits::default() };
    let long = format!("<posts><row Id=\"1\" Body=\"{}\"/></posts>", "x".repeat(3 << 20));
    let found = summaries(&found("x.Posts.xml", long.as_bytes(), &limits));
    assert!(found.len() == 1 && found[0].contains("a row is larger than"), "{found:?}");
}

const HISTORY: &str = "<posthistory>\n\
    <row Id=\"1\" PostHistoryTypeId=\"2\" PostId=\"8\" CreationDate=\"2015-01-28T00:00:00.000\" Text=\"no code\" />\n\
    <row Id=\"2\" PostHistoryTypeId=\"2\" PostId=\"7\" CreationDate=\"2015-01-27T20:09:32.720\" \
    Text=\"So:&#xA;&#xA;    if a &lt; b:&#xA;        f()&#xA;\" />\n\
    <row Id=\"3\" PostHistoryTypeId=\"4\" PostId=\"8\" CreationDate=\"2015-01-28T01:00:00.000\" Text=\"    one\" />\n\
    <row Id=\"4\" PostHistoryTypeId=\"5\" PostId=\"8\" CreationDate=\"2015-01-28T12:00:00.000\" Text=\"    one&#xA;\" />\n\
    <row Id=\"5\" PostHistoryTypeId=\"5\" PostId=\"8\" CreationDate=\"2015-01-28T18:00:00.000\" Text=\"    one&#xA;\" />\n\
    </posthistory>";

/// When each block of a dump in a folder was first there.
fn times(files: &[(&str, &[u8])], path: &str) -> Vec<Option<i64>> {
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    for (name, bytes) in files {
        std::fs::write(dir.path().join(name), bytes).expect("just made");
    }
    let found = all(&StackExchange { path: dir.path().join(path) }, &Limits::default());
    items(&found).iter().map(|item| item.occurrence.first_seen).collect()
}

#[test]
fn a_block_is_as_old_as_the_first_revision_that_has_it() {
    // The block that no revision has is as old as the last edit.
    let expected = [Some(1_422_389_372), Some(1_422_446_400), Some(1_422_489_600)];
    let (posts, history) = (POSTS.as_bytes(), HISTORY.as_bytes());
    assert_eq!(times(&[("Posts.xml", posts), ("PostHistory.xml", history)], "."), expected);
    let compressed = [("tea.Posts.xml.zst", &*zstd(posts)), ("tea.PostHistory.xml", history)];
    assert_eq!(times(&compressed, "tea.Posts.xml.zst"), expected);
    let whole = seven_z(&[("PostHistory.xml", HISTORY), ("Posts.xml", POSTS)]);
    assert_eq!(times(&[("tea.stackexchange.com.7z", &whole)], "tea.stackexchange.com.7z"), expected);
    let apart = [
        ("tea-Posts.7z", &*seven_z(&[("Posts.xml", POSTS)])),
        ("tea-PostHistory.7z", &*seven_z(&[("PostHistory.xml", HISTORY)])),
        ("coffee-PostHistory.7z", b"of another site"),
    ];
    assert_eq!(times(&apart, "."), expected);
}

#[test]
fn an_author_has_the_name_that_the_post_or_the_users_say() {
    let users = "<users><row Id=\"4\" DisplayName=\"Jon &amp; Skeet\" /><row Id=\"-1\" DisplayName=\"Community\" /></users>";
    let authors = |posts: &str, users: Option<&str>| {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        std::fs::write(dir.path().join("Posts.xml"), posts).expect("just made");
        if let Some(users) = users {
            std::fs::write(dir.path().join("Users.xml"), users).expect("just made");
        }
        let found = all(&StackExchange { path: dir.path().to_owned() }, &Limits::default());
        items(&found).iter().filter_map(|item| item.occurrence.author.clone()).collect::<Vec<_>>()
    };
    assert_eq!(authors(POSTS, Some(users)), ["Jon & Skeet", "ann", "ann"]);
    assert_eq!(authors(POSTS, None), ["4", "ann", "ann"]);
    let both = POSTS.replace("OwnerUserId=\"4\"", "OwnerUserId=\"4\" OwnerDisplayName=\"Jon\"");
    assert_eq!(authors(&both, Some(users)), ["Jon", "ann", "ann"]);
}

#[test]
fn a_broken_history_is_a_skip() {
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    std::fs::write(dir.path().join("Posts.xml"), POSTS).expect("just made");
    std::fs::write(dir.path().join("PostHistory.xml"), &HISTORY[..HISTORY.len() - 40]).expect("just made");
    let summaries = summaries(&all(&StackExchange { path: dir.path().to_owned() }, &Limits::default()));
    assert_eq!(summaries.len(), 4);
    assert!(summaries[0].starts_with("PostHistory.xml!"), "{summaries:?}");
}

#[test]
fn a_post_says_its_license() {
    let licensed = POSTS.replace("<row Id=\"7\"", "<row ContentLicense=\"CC BY-SA 3.0\" Id=\"7\"");
    let found = found("x.Posts.xml", licensed.as_bytes(), &Limits::default());
    let licenses: Vec<_> = items(&found).iter().map(|item| item.occurrence.license.as_deref()).collect();
    assert_eq!(licenses, [Some("CC BY-SA 3.0"), None, None]);
}

#[test]
fn a_file_that_is_cut_off_between_rows_says_so() {
    let (whole, _) = POSTS.split_once("  <row Id=\"8\"").expect("it has two");
    let found = found("tea.Posts.xml", whole.as_bytes(), &Limits::default());
    let last = summaries(&found).pop().expect("a row and a skip");
    assert!(last.contains("the file ends early"), "{last}");
}
