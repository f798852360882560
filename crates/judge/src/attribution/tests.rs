//! Copies and what is found in them.

use super::*;

/// Jon Skeet's answer 2222 to question 1111 on Stack Overflow.
fn answer() -> Original {
    Original {
        links: vec!["https://stackoverflow.com/a/2222".to_owned()],
        post: Some(Post { site: "stackoverflow.com".to_owned(), question: Some(1111), answer: Some(2222) }),
        author: Some("Jon Skeet".to_owned()),
        licenses: vec!["CC-BY-SA-3.0".to_owned()],
        ..Original::default()
    }
}

fn repository() -> Original {
    Original {
        links: vec![
            "https://github.com/pallets/flask".to_owned(),
            "https://pypi.org/project/Flask/".to_owned(),
        ],
        holders: vec!["Pallets".to_owned()],
        licenses: vec!["BSD-3-Clause".to_owned()],
        ..Original::default()
    }
}

fn grade_of(text: &str, original: &Original) -> &'static str {
    let lines = text.lines().count() as u32;
    attribution(&Text::new(text), (1, lines), original).grade.name()
}

#[test]
fn every_form_of_a_link_to_the_answer_is_one() {
    for link in [
        "https://stackoverflow.com/a/2222",
        "http://stackoverflow.com/a/2222/9999",
        "stackoverflow.com/a/2222",
        "www.StackOverflow.com/a/2222.",
        "https://stackoverflow.com/questions/1111/how-to/2222#2222",
        "https://stackoverflow.com/questions/1111/how-to#2222",
        "https://stackoverflow.com/questions/1111/how-to#answer-2222",
        "https://stackoverflow.com/questions/1111/how-to?noredirect=1#comment77_2222",
        "https://stackoverflow.com/questions/2222",
        "https://stackoverflow.com/posts/2222/revisions",
        "[here](https://stackoverflow.com/a/2222)",
        "<https://stackoverflow.com/q/2222>",
        "see SO answer 2222",
        "Stack Overflow answer #2222",
    ] {
        assert_eq!(grade_of(&format!("# {link}\nx = 1"), &answer()), "answer-link", "{link}");
    }
}

#[test]
fn a_link_to_the_question_is_less() {
    for link in [
        "https://stackoverflow.com/questions/1111/how-to",
        "https://stackoverflow.com/q/1111/9999",
        "stackoverflow.com/questions/1111",
        "https://stackoverflow.com/questions/1111/how-to#3333",
        "StackOverflow question 1111",
    ] {
        assert_eq!(grade_of(&format!("// {link}"), &answer()), "question-link", "{link}");
    }
    let question =
        Original { post: Some(Post { answer: None, ..answer().post.expect("it has one") }), ..answer() };
    assert_eq!(grade_of("// https://stackoverflow.com/q/1111", &question), "answer-link");
}

#[test]
fn other_posts_and_sites_are_not_the_origin() {
    for link in [
        "https://stackoverflow.com/a/22222",
        "https://superuser.com/a/2222",
        "https://example.com/a/2222",
        "https://stackoverflow.com.evil.org/a/2222",
        "https://stackoverflow.com/users/2222/jon",
        "2222",
        "answer = 2222",
        "see answer 2222 of the quiz",
    ] {
        assert_eq!(grade_of(&format!("# {link}"), &answer()), "none", "{link}");
    }
}

#[test]
fn any_site_of_stack_exchange_is_known_by_name_or_host() {
    for site in ["codereview.stackexchange.com", "codereview", "https://codereview.stackexchange.com/"] {
        let post = Post { site: site.to_owned(), question: Some(1), answer: Some(2) };
        let original = Original { post: Some(post), ..Original::default() };
        assert_eq!(grade_of("# codereview.stackexchange.com/a/2", &original), "full", "{site}");
        assert_eq!(grade_of("# math.stackexchange.com/a/2", &original), "none", "{site}");
    }
}

#[test]
fn every_form_of_a_link_to_the_repository_or_package_is_one() {
    for (link, grade) in [
        ("https://github.com/pallets/flask", "repository-link"),
        ("github.com/Pallets/Flask.git", "repository-link"),
        ("git@github.com:pallets/flask.git", "repository-link"),
        ("git+https://github.com/pallets/flask@main", "repository-link"),
        ("ssh://git@github.com/pallets/flask.git", "repository-link"),
        ("https://github.com/pallets/flask/blob/main/src/flask/app.py#L12", "repository-link"),
        ("https://raw.githubusercontent.com/pallets/flask/main/src/flask/app.py", "repository-link"),
        ("https://pypi.org/project/flask/3.0.0/", "package-link"),
        ("https://pypi.python.org/pypi/Flask", "package-link"),
    ] {
        assert_eq!(grade_of(&format!("# from {link}"), &repository()), grade, "{link}");
    }
    assert_eq!(grade_of("# https://github.com/pallets/werkzeug", &repository()), "none");
    assert_eq!(grade_of("# https://github.com/pallets", &repository()), "none");
    assert_eq!(grade_of("# https://pypi.org/project/flask-login/", &repository()), "none");
}

#[test]
fn full_is_link_and_name_and_license() {
    let full = "# Jon Skeet, https://stackoverflow.com/a/2222, CC BY-SA 3.0\ndef f(): pass";
    let found = attribution(&Text::new(full), (2, 2), &answer());
    assert_eq!(found.grade, Grade::Full);
    let evidence: Vec<_> = found.evidence.iter().map(ToString::to_string).collect();
    assert_eq!(
        evidence,
        [
            "link to the post, line 1: https://stackoverflow.com/a/2222",
            "name of the author or copyright holder, line 1: Jon Skeet",
            "name of the license, line 1: CC-BY-SA-3.0"
        ]
    );
    assert_eq!(grade_of("# Jon Skeet https://stackoverflow.com/a/2222", &answer()), "answer-link");
    assert_eq!(grade_of("# https://stackoverflow.com/a/2222 (CC BY-SA)", &answer()), "answer-link");
    assert_eq!(
        grade_of("# from https://github.com/pallets/flask by Pallets,\n# BSD license", &repository()),
        "full"
    );
}

#[test]
fn names_are_whole_words_in_comments() {
    for (text, grade) in [
        ("# taken from Jon Skeet", "name"),
        ("/* JON  SKEET */", "name"),
        ("x = 1  # Jon Skeet's way", "name"),
        ("int x; // by Jon Skeet", "name"),
        ("\"\"\"\nJon Skeet\n\"\"\"", "name"),
        ("# https://stackoverflow.com/users/22656/jon-skeet", "name"),
        ("jon_skeet = 1", "none"),
        ("Jon = Skeet", "none"),
        ("call('Jon Skeet')", "none"),
        ("f(*arguments), Jon Skeet", "none"),
        ("(* Jon Skeet *)", "name"),
        ("x = 1 /* Jon */ + Skeet", "none"),
        ("/* a */ x /* Jon Skeet */ y", "name"),
        ("# JonSkeet", "none"),
        ("# Jon Skeeter", "none"),
        ("# CC BY-SA 3.0", "none"),
    ] {
        assert_eq!(grade_of(text, &answer()), grade, "{text}");
    }
}

#[test]
fn a_name_of_one_word_needs_credit_and_a_short_one_a_link() {
    let by = |author: &str| Original { author: Some(author.to_owned()), ..answer() };
    assert_eq!(grade_of("# list of things", &by("list")), "none");
    assert_eq!(grade_of("# by unutbu", &by("unutbu")), "name");
    assert_eq!(grade_of("# unutbu", &by("unutbu")), "none");
    assert_eq!(grade_of("# by jfs", &by("jfs")), "none");
    assert_eq!(grade_of("# by jfs, CC BY-SA\n# stackoverflow.com/a/2222", &by("jfs")), "full");
    assert_eq!(grade_of("# for a user, CC BY-SA\n# stackoverflow.com/a/2222", &by("user")), "answer-link");
    assert_eq!(grade_of("# from https://example.com/unutbu/x", &by("unutbu")), "none");
    assert_eq!(grade_of("# jfs, CC BY-SA: stackoverflow.com/a/2222", &by("jfs")), "full");
    assert_eq!(grade_of("# by ?", &by("?")), "none");
}

#[test]
fn what_is_not_known_of_the_original_is_not_asked_for() {
    let bare = Original { author: None, licenses: Vec::new(), ..answer() };
    assert_eq!(grade_of("# stackoverflow.com/a/2222", &bare), "full");
    assert_eq!(grade_of("# stackoverflow.com/q/1111", &bare), "question-link");
    assert_eq!(grade_of("# nothing", &Original::default()), "none");
    assert_eq!(grade_of("# stackoverflow #1111", &answer()), "question-link");
    assert_eq!(grade_of("# stackoverflow 1111 times", &answer()), "none");
}

fn above_line(text: &str, line: u32) -> u32 {
    comments::comment_above(&Text::new(text).lines, line)
}

#[test]
fn the_comment_above_belongs_to_the_code() {
    for (above, first) in [
        ("x = 1\n# one\n# two\n", 2),
        ("int x;\n\n/* one\n * two\n */\n\n", 3),
        ("// one\n", 1),
        ("#include <a.h>\n", 2),
        ("#include <a.h>\n// one\n", 2),
        ("# one\n@decorator\n", 1),
        ("/// one\n#[inline]\n", 1),
        ("\"\"\"one\ntwo\"\"\"\n", 1),
        ("'''one'''\n", 1),
        ("x = '''one\ntwo'''\n", 3),
        ("<!-- one\ntwo -->\n", 1),
        ("-- one\n", 1),
        ("; one\n", 1),
        ("x = 1; /* one\ntwo */\n", 3),
        ("# header\n\n# one\n", 1),
        ("x\n# one\n@decorator(\n    1,\n)\n", 2),
        ("// one\ntemplate <class T>\nstatic inline\n", 1),
        ("# one\n\n\n", 4),
        ("x\n", 2),
        ("", 1),
    ] {
        let line = above.lines().count() as u32 + 1;
        assert_eq!(above_line(&format!("{above}code();\n"), line), first, "{above:?}");
    }
}

#[test]
fn code_within_a_block_has_what_stands_above_its_head() {
    let text = "# https://stackoverflow.com/q/1111\nclass A:\n    def f(self):\n        for x in y:\n            g(x)\n\ndef h():\n    pass\n";
    let grade = |line| attribution(&Text::new(text), (line, line), &answer()).grade.name();
    let other =
        "class A:\n    # by Jon Skeet\n    def f(self):\n        pass\n\n    def g(self):\n        pass\n";
    assert_eq!(attribution(&Text::new(other), (6, 7), &answer()).grade, Grade::None);
    assert_eq!((grade(5), grade(2), grade(8), grade(7)), ("question-link", "question-link", "none", "none"));
}

#[test]
fn lines_of_markers_are_read_once() {
    for marker in ["/**/", "\"\"\"", "#", "(*", "a.b/", "<!---->", "stackoverflow.com/a/2222 "] {
        let text = marker.repeat(1 << 15);
        let found = attribution(&Text::new(&text), (1, 1), &answer());
        assert!(found.evidence.len() <= MAX_EVIDENCE, "{marker}");
    }
}

#[test]
fn lines_that_are_not_there_are_no_lines() {
    assert_eq!(above_line("", 0), 0);
    assert_eq!(above_line("# one\n", 100), 100);
    assert_eq!(attribution(&Text::new("x = 1\n# by Jon Skeet"), (5, 2), &answer()).grade, Grade::None);
    assert_eq!(attribution(&Text::new(""), (0, u32::MAX), &answer()).grade, Grade::None);
}

proptest::proptest! {
    #[test]
    fn any_text_is_looked_through(text in "(?s).{0,200}", first in 0_u32..20, last in 0_u32..20) {
        let found = attribution(&Text::new(&text), (first, last), &answer());
        proptest::prop_assert!(found.evidence.iter().all(|one| one.line <= last.max(1)));
    }

    #[test]
    fn any_markers_are_looked_through(parts in proptest::collection::vec(proptest::sample::select(vec![
        "/*", "*/", "\"\"\"", "'''", "//", "#", "--", "-->", "<!--", "\n", "é", "stackoverflow.com/a/2222", "@", "[", "]", " ", ":",
    ]), 0..60)) {
        let text = parts.concat();
        let _ = attribution(&Text::new(&text), (3, 9), &answer());
    }
}
