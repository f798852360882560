//! The comments of `forms.txt`, in which people say where code is from.

use familiar_license::copyrights;

use super::*;

/// An origin by the name that the cases have for it.
fn origin(name: &str) -> Original {
    let text = |text: &str| text.to_owned();
    let (project, links, holder, license): (_, &[&str], _, _) = match name {
        "lodash" => (
            "npm/lodash",
            &["https://www.npmjs.com/package/lodash", "https://github.com/lodash/lodash"],
            "OpenJS Foundation and other contributors",
            "MIT",
        ),
        "requests" => {
            ("pypi/requests", &["https://pypi.org/project/requests"], "Kenneth Reitz", "Apache-2.0")
        }
        "queue" => ("npm/queue", &["https://www.npmjs.com/package/queue"], "Jesse Tane", "MIT"),
        "list" => ("npm/list", &[], "Somebody Else", "MIT"),
        "six" => ("pypi/six", &["https://pypi.org/project/six"], "Benjamin Peterson", "MIT"),
        "dateutil" => {
            ("pypi/python-dateutil", &["https://pypi.org/project/python-dateutil"], "", "Apache-2.0")
        }
        "flask" => {
            ("github.com/pallets/flask", &["https://github.com/pallets/flask"], "Pallets", "BSD-3-Clause")
        }
        "zlib" => ("github.com/madler/zlib", &["https://github.com/madler/zlib"], "Mark Adler", "Zlib"),
        "linux" => (
            "git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux",
            &["https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux"],
            "Linus Torvalds",
            "GPL-2.0-only",
        ),
        "guava" => (
            "maven/com.google.guava/guava",
            &["https://central.sonatype.com/artifact/com.google.guava/guava"],
            "The Guava Authors",
            "Apache-2.0",
        ),
        "errors" => (
            "github.com/pkg/errors",
            &["https://github.com/pkg/errors", "https://pkg.go.dev/github.com/pkg/errors"],
            "Dave Cheney",
            "BSD-2-Clause",
        ),
        "serde" => ("cargo/serde", &["https://crates.io/crates/serde"], "", "MIT OR Apache-2.0"),
        "rails" => ("gem/rails", &["https://rubygems.org/gems/rails"], "David Heinemeier Hansson", "MIT"),
        "console" => (
            "composer/symfony/console",
            &["https://packagist.org/packages/symfony/console"],
            "Fabien Potencier",
            "MIT",
        ),
        "json" => (
            "nuget/Newtonsoft.Json",
            &["https://www.nuget.org/packages/Newtonsoft.Json"],
            "James Newton-King",
            "MIT",
        ),
        "cgit" => ("codeberg.org/ann/lua-tricks", &["https://codeberg.org/ann/lua-tricks"], "Ann", "MIT"),
        "srht" => ("git.sr.ht/~ann/tricks", &["https://git.sr.ht/~ann/tricks"], "Ann", "MIT"),
        "gitlab" => ("gitlab.com/group/sub/tricks", &["https://gitlab.com/group/sub/tricks"], "Ann", "MIT"),
        "bitbucket" => ("bitbucket.org/ann/tricks", &["https://bitbucket.org/ann/tricks"], "Ann", "MIT"),
        "post" | "anonymous" => {
            let post = Post { site: text("stackoverflow.com"), question: Some(1111), answer: Some(2222) };
            return Original {
                links: vec![text("https://stackoverflow.com/a/2222")],
                post: Some(post),
                author: (name == "post").then(|| text("Jon Skeet")),
                author_page: Some(22656),
                projects: vec![text("Stack Overflow")],
                licenses: vec![text("CC-BY-SA-3.0")],
                ..Original::default()
            };
        }
        other => panic!("no origin is called {other}"),
    };
    Original {
        links: links.iter().map(|link| text(link)).collect(),
        projects: vec![text(project)],
        holders: Some(text(holder)).filter(|holder| !holder.is_empty()).into_iter().collect(),
        licenses: license.split(" OR ").map(text).collect(),
        ..Original::default()
    }
}

#[test]
fn every_form_names_what_it_names() {
    check(include_str!("forms.txt"), 100);
}

#[test]
fn forms_that_were_written_unseen_name_what_they_name() {
    check(include_str!("unseen.txt"), 75);
}

fn check(forms: &str, least: usize) {
    let cases: Vec<&str> = forms.split("\n=== ").skip(1).collect();
    assert!(cases.len() >= least, "{}", cases.len());
    let mut wrong = Vec::new();
    for case in cases {
        let (head, text) = case.split_once('\n').expect("a head");
        let (name, grade) = head.split_once(": ").expect("an origin and a grade");
        let copied = |line: &str| line.contains("copied") && !is_comment_about_copying(line);
        let first = text.lines().position(copied).expect("copied lines") as u32 + 1;
        let claims = copyrights(text);
        let lines = (first, text.trim_end().lines().count() as u32);
        let found = attribution(&Text::claimed(text, &claims), lines, &origin(name));
        if found.grade.name() != grade {
            wrong.push(format!("{grade}, not {found:?}:\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `copied from` is no code.
fn is_comment_about_copying(line: &str) -> bool {
    line.to_lowercase().contains("copied from")
}
