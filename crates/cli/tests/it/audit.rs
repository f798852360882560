//! `familiar audit`: what stands elsewhere, whether it may be here, and what policy makes of it.

use crate::common::{Run, Tree, familiar, function, other_function};
use serde_json::Value;

const FORMATS: [&str; 8] = ["text", "json", "ndjson", "csv", "markdown", "sarif", "spdx-json", "cyclonedx"];

/// A function of more than a hundred tokens, with names of its own.
fn long_function(name: &str) -> String {
    let body = function(name, "orders", 3);
    let step = |number: u32| format!("    stock_{number} = reserve_{number}(orders, shelf=name_{number})\n");
    let steps: String = (0..8).map(step).collect();
    body.replacen("    result = 3\n", &format!("    result = 3\n{steps}"), 1)
}

/// A file under a license.
fn file(license: &str, code: &str) -> String {
    format!("# SPDX-License-Identifier: {license}\n\n{code}")
}

/// `app`, under `here`, has a copy of what stands in `library` under `there`, which the corpus `c` holds.
fn copied(here: &str, there: &str) -> Tree {
    let tree = Tree::new(&[
        ("app/main.py", &file(here, &(long_function("total") + &other_function("read")))),
        ("library/orders.py", &file(there, &long_function("total"))),
    ]);
    tree.run("corpus add ./c dir:library --quiet").success();
    tree
}

fn json(tree: &Tree, arguments: &str) -> Value {
    let run = tree.run(&format!("audit {arguments} --format json"));
    assert!(run.code() < 2, "{}", run.stderr());
    run.json()
}

fn finding(result: &Value) -> &Value {
    let findings = result["findings"].as_array().expect("a list");
    assert_eq!(findings.len(), 1, "{result:#}");
    &findings[0]
}

/// Runs git in a folder on a day of January.
fn commit(tree: &Tree, folder: &str, arguments: &str, day: u32) {
    let date = format!("2020-01-{day:02}T00:00:00Z");
    let status = std::process::Command::new("git")
        .current_dir(tree.at(folder))
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"])
        .args(arguments.split_whitespace())
        .envs([("GIT_COMMITTER_DATE", &date), ("GIT_AUTHOR_DATE", &date)])
        .status();
    assert!(status.expect("git is installed").success());
}

fn snippet(tree: &Tree, arguments: &str, code: &str) -> Run {
    let mut command = familiar();
    command.current_dir(tree.path()).arg("audit").args(arguments.split_whitespace()).write_stdin(code);
    Run(command.output().expect("the command was built"))
}

/// Runs the program with `SOURCE_DATE_EPOCH` set.
fn at_time(tree: &Tree, arguments: &str, time: &str) -> Run {
    let mut command = familiar();
    command.current_dir(tree.path()).args(arguments.split_whitespace()).env("SOURCE_DATE_EPOCH", time);
    Run(command.output().expect("the command was built"))
}

#[test]
fn a_conflict_exits_with_1_and_says_what_to_do() {
    let tree = copied("MIT", "GPL-3.0-only");
    let run = tree.run("audit app --against ./c");
    assert_eq!(run.code(), 1);
    let text = run.stdout();
    for part in [
        "CONFLICT  app/main.py 3-19 (total)",
        "matches  lines 3-19 of library: orders.py (equal)",
        "your file: MIT",
        "the other file: GPL-3.0-only",
        "attribution  none",
        "to do  remove or rewrite",
        "1 finding",
        "not legal advice",
    ] {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
}

#[test]
#[ignore = "long"]
fn code_that_may_be_here_exits_with_0() {
    let tree = copied("GPL-3.0-only", "MIT");
    assert_eq!(tree.run("audit app --against ./c").code(), 0);
    let result = json(&tree, "app --against ./c");
    assert_eq!(finding(&result)["status"], "compatible");
    assert_eq!(finding(&result)["decision"], "open", "nothing says where it is from");
    let by = |name: &str| format!("# Copyright 2020 {name}\n{}", long_function("total"));
    tree.write("app/main.py", file("GPL-3.0-only", &by("Ann Author")));
    assert_eq!(finding(&json(&tree, "app --against ./c"))["decision"], "open", "nobody says it is Ann's");
    tree.write("other/orders.py", file("MIT", &by("Ann Author")));
    tree.run("corpus add ./d dir:other --quiet").success();
    assert_eq!(finding(&json(&tree, "app --against ./d"))["decision"], "allowed");
    // Where the files say nothing, license files do.
    for folder in ["app/vendor/x", "package"] {
        tree.write(
            &format!("{folder}/LICENSE"),
            "Copyright (c) 2021 Ben Other\nSPDX-License-Identifier: MIT\n",
        );
        tree.write(&format!("{folder}/orders.py"), long_function("total"));
    }
    tree.run("corpus add ./e dir:package --quiet").success();
    let result = json(&tree, "app/vendor --against ./e");
    assert_eq!(finding(&result)["decision"], "allowed", "{result:#}");
    assert_eq!(result["fragments"][1]["copyrights"][0], "Copyright (c) 2021 Ben Other");
}

#[test]
fn a_file_that_keeps_its_license_has_to_go_with_that_of_the_project() {
    let tree = copied("GPL-3.0-only", "GPL-3.0-only");
    tree.write("app/LICENSE", "SPDX-License-Identifier: MIT\n");
    let result = json(&tree, "app --against ./c");
    assert_eq!(
        (&finding(&result)["status"], &result["fragments"][0]["license"]),
        (&"conflict".into(), &"GPL-3.0-only".into())
    );
    assert!(
        finding(&result)["rules"][0]["text"].as_str().expect("text").contains("part of a work under MIT")
    );
    tree.write("app/familiar.toml", "[[audit.path]]\npaths = ['main.py']\nlicense = 'GPL-3.0-only'\n");
    assert_eq!(tree.run("audit app --against ./c").code(), 0);
}

#[test]
#[ignore = "long"]
fn places_of_one_file_under_other_terms_make_it_contested() {
    let tree = copied("Apache-2.0", "MIT");
    for (project, license) in [("one", "MIT"), ("two", "GPL-3.0-only")] {
        tree.write(&format!("{project}/a.py"), long_function("total"));
        tree.write(&format!("{project}/LICENSE"), format!("SPDX-License-Identifier: {license}\n"));
    }
    tree.run("corpus add ./d dir:one dir:two --quiet").success();
    let result = json(&tree, "app --against ./d");
    assert_eq!(finding(&result)["status"], "contested");
    let rule = finding(&result)["rules"][0]["text"].as_str().expect("text");
    assert!(rule.contains("under MIT and under GPL-3.0-only"), "{rule}");
    assert_eq!(result["table"][0]["verdict"], "contested");
}

#[test]
#[ignore = "long"]
fn policy_is_asked_of_every_place_that_may_be_the_first() {
    for (first, second) in [("a", "z"), ("z", "a")] {
        let tree = copied("GPL-3.0-only", "MIT");
        for (project, license) in [(first, "MIT"), (second, "LGPL-2.1-only")] {
            tree.write(&format!("{project}/a.py"), long_function("total"));
            tree.write(&format!("{project}/LICENSE"), format!("SPDX-License-Identifier: {license}\n"));
        }
        tree.run("corpus add ./d dir:a dir:z --quiet").success();
        let run = |policy: &str| {
            tree.write("familiar.toml", format!("[audit]\n{policy}\n"));
            json(&tree, "app --against ./d")
        };
        let open = run("denied = ['LGPL-*']");
        assert_eq!(finding(&open)["decision"], "open");
        assert!(
            finding(&open)["reason"]
                .as_str()
                .expect("text")
                .contains("the policy denies LGPL-2.1-only; the same")
        );
        assert_eq!(finding(&run("denied = ['LGPL-*']\nfail = ['contested']"))["decision"], "denied");
        assert_eq!(finding(&run("denied = ['LGPL-*', 'MIT']"))["decision"], "denied");
    }
}

#[test]
#[ignore = "long"]
fn a_place_under_other_terms_is_seen_among_very_many() {
    let tree = copied("MIT", "MIT");
    let projects: Vec<String> = (0..120).map(|number| format!("p{number:03}")).collect();
    for (project, number) in projects.iter().zip(0..) {
        let license = if number == 119 { "GPL-3.0-only" } else { "MIT" };
        tree.write(
            &format!("{project}/a.py"),
            file(license, &long_function("total")) + &format!("x = {number}\n"),
        );
    }
    tree.run(&format!("corpus add ./d {} --quiet", projects.join(" "))).success();
    let result = json(&tree, "app --against ./d --granularity function");
    assert_eq!(finding(&result)["status"], "contested");
    assert_eq!(finding(&result)["projects"], 120);
}

#[test]
#[ignore = "long"]
fn code_with_very_many_pairs_has_its_best() {
    let tree = copied("MIT", "GPL-3.0-only");
    let names = (0..130).map(|number| format!("total_{number}"));
    tree.write(
        "many/a.py",
        file("GPL-3.0-only", &names.map(|name| long_function(&name)).collect::<String>()),
    );
    tree.run("corpus add ./d dir:many --quiet").success();
    let result = json(&tree, "app --against ./d --granularity function");
    assert_eq!(finding(&result)["status"], "conflict");
    assert_eq!(result["pairs"].as_array().expect("a list").len(), 100);
    assert_eq!(result["summary"]["audit"]["left_out_pairs"], 30);
}

#[test]
fn a_pair_has_both_sides_the_direction_and_the_verdict() {
    let tree = copied("MIT", "GPL-3.0-only");
    let result = json(&tree, "app --against ./c");
    assert_eq!(result["schema"], "familiar.audit/1");
    let pair = &result["pairs"][0];
    assert_eq!((&pair["type"], &pair["own"], &pair["laundering"]), (&1.into(), &false.into(), &false.into()));
    assert_eq!(pair["direction"]["older"], "unknown");
    assert_eq!(pair["verdict"]["right_to_left"], "conflict");
    assert_eq!(pair["verdict"]["status"], finding(&result)["status"]);
    assert!(!pair["verdict"]["rules"].as_array().expect("a list").is_empty());
    let [left, right] = [0, 1].map(|id| &result["fragments"][id]);
    assert_eq!((&left["license"], &left["license_by"]), (&"MIT".into(), &"file-tag".into()));
    assert_eq!(right["occurrences"][0]["project"], "library");
    assert_eq!(result["table"][0]["verdict"], pair["verdict"]["status"]);
    assert_eq!(result["summary"]["audit"]["denied"], 1);
}

#[test]
fn all_formats_agree_on_the_direction_into_path() {
    let tree = copied("GPL-3.0-only", "MIT");
    let run = tree.run("audit app --against ./c --format json");
    let result = run.json();
    let pair = &result["pairs"][0];
    assert_eq!(
        (&pair["direction"]["older"], &pair["verdict"]["left_to_right"]),
        (&"unknown".into(), &"conflict".into())
    );
    for status in [&pair["verdict"]["status"], &result["table"][0]["verdict"], &finding(&result)["status"]] {
        assert_eq!(status, "compatible");
    }
    let csv = tree.run("audit app --against ./c --format csv");
    assert!(csv.stdout().contains(",unknown,compatible,") && !csv.stdout().contains("conflict"));
    let (header, row) =
        csv.stdout().split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).expect("rows");
    assert!(header.ends_with(",left_project") && row.trim_end().ends_with(",app"), "{header}\n{row}");
    let line = tree.run("audit app --against ./c --format ndjson").json();
    let project = |side: &str| line[side]["project"].clone();
    assert_eq!((project("left"), project("right")), ("app".into(), "library".into()));
    assert_eq!(line["decision"], finding(&result)["decision"]);
    assert_eq!((run.code(), csv.code()), (0, 0));
}

#[test]
#[ignore = "long"]
fn histories_tell_who_was_first_and_who_hides_it() {
    let tree = copied("MIT", "GPL-3.0-only");
    for (folder, day) in [("library", 1), ("app", 5)] {
        commit(&tree, folder, "init -q", day);
        commit(&tree, folder, "add .", day);
        commit(&tree, folder, "commit -q -m x", day);
    }
    tree.run("corpus add ./history git:library --quiet").success();
    let result = json(&tree, "app --against ./history");
    let pair = &result["pairs"][0];
    assert_eq!(
        (&pair["direction"]["older"], &pair["verdict"]["status"]),
        (&"right".into(), &"conflict".into())
    );
    assert_eq!(pair["verdict"]["left_to_right"], Value::Null);
    assert_eq!((&finding(&result)["origin_known"], &pair["laundering"]), (&true.into(), &true.into()));
    assert!(
        tree.run("audit app --against ./history")
            .stdout()
            .contains("direction  Copied from library (2020-01-01). Your file is newer (2020-01-05).")
    );
}

#[test]
fn code_that_may_be_from_here_is_no_copy_of_what_came_later() {
    let tree = copied("GPL-3.0-only", "MIT");
    for (folder, day) in [("library", 3), ("app", 1)] {
        commit(&tree, folder, "init -q", day);
        commit(&tree, folder, "add .", day);
        commit(&tree, folder, "commit -q -m x", day);
    }
    tree.run("corpus add ./history git:library --quiet").success();
    let text = tree.run("audit app --against ./history").stdout();
    assert!(text.contains("your file is older (2020-01-01)"), "{text}");
    assert!(!text.contains("No earlier place") && text.contains("if the code was written here"), "{text}");
    let spdx = |run: Run| {
        let document = run.json();
        let files = document["files"].as_array().expect("a list").clone();
        let file = files.into_iter().find(|file| file["fileName"] == "./app/main.py").expect("the file");
        assert_eq!(file["checksums"][0]["checksumValue"].as_str().map(str::len), Some(40));
        assert_eq!(file["licenseConcluded"], "GPL-3.0-only");
        assert_eq!(document["snippets"][0]["licenseConcluded"], "NOASSERTION");
        assert!(!document.to_string().contains("COPY_OF"), "{document:#}");
    };
    spdx(tree.run("audit app --against ./history --format spdx-json"));
    tree.run("audit app --against ./history --format json --output a.json").success();
    spdx(tree.run("report a.json --format spdx-json").success());
    // What older versions wrote has no checksums.
    let old = std::fs::read_to_string(tree.at("a.json")).expect("written").replace("\"sha1\"", "\"sha0\"");
    tree.write("old.json", old);
    tree.run("report old.json --format spdx-json").fails_with(&["checksums", "audit --format json"]);
}

#[test]
fn several_paths_that_hold_one_file_have_its_findings_once() {
    let tree = copied("MIT", "GPL-3.0-only");
    for paths in ["app app", "app app/main.py", "app ./app/../app"] {
        assert_eq!(finding(&json(&tree, &format!("{paths} --against ./c")))["status"], "conflict");
    }
}

#[test]
#[ignore = "long"]
fn a_file_that_was_moved_is_no_younger_than_it_was() {
    let tree = copied("MIT", "GPL-3.0-only");
    for (folder, day) in [("library", 3), ("app", 1)] {
        commit(&tree, folder, "init -q", day);
        commit(&tree, folder, "add .", day);
        commit(&tree, folder, "commit -q -m x", day);
    }
    tree.run("corpus add ./history git:library --quiet").success();
    let older = || json(&tree, "app --against ./history")["pairs"][0]["direction"]["older"].clone();
    assert_eq!(older(), "unknown");
    commit(&tree, "app", "mv main.py moved.py", 5);
    commit(&tree, "app", "commit -q -m x", 5);
    assert_eq!(older(), "unknown", "it is here since the first day");
}

#[test]
fn what_stands_above_path_in_its_work_tree_speaks_for_it() {
    let tree = Tree::new(&[
        (".reuse/dep5", "Format: https://dep.debian.net/deps/dep5\n\nFiles: app/*\nLicense: Apache-2.0\n"),
        ("app/main.py", &long_function("total")),
        ("library/orders.py", &file("GPL-3.0-only", &long_function("total"))),
    ]);
    tree.git("init -q .");
    tree.run("corpus add ./c dir:library --quiet").success();
    let result = json(&tree, "app --against ./c");
    let fragment = &result["fragments"][0];
    assert_eq!((&fragment["license"], &fragment["license_by"]), (&"Apache-2.0".into(), &"dep5".into()));
    assert_eq!(fragment["licenses"][0]["path"], "../.reuse/dep5");
}

#[test]
fn metadata_that_cannot_be_read_are_told() {
    let tree = copied("MIT", "GPL-3.0-only");
    tree.git("init -q .");
    tree.write("pyproject.toml", "[project");
    tree.write("app/package.json", "{");
    let result = json(&tree, "app --against ./c");
    let skipped = result["summary"]["skipped"].as_array().expect("a list");
    let paths: Vec<&str> = skipped
        .iter()
        .filter(|skip| {
            skip["reason"].as_str().is_some_and(|reason| reason.contains("metadata cannot be read"))
        })
        .filter_map(|skip| skip["path"].as_str())
        .collect();
    assert_eq!(paths, ["../pyproject.toml", "package.json"]);
}

#[test]
#[ignore = "long"]
fn many_places_of_the_same_code_are_one_finding() {
    let tree = copied("MIT", "GPL-3.0-only");
    for project in ["one", "two", "three"] {
        tree.write(&format!("{project}/a.py"), file("GPL-3.0-only", &long_function("total")) + "x = 1\n");
        tree.run(&format!("corpus add ./c dir:{project} --quiet")).success();
    }
    let result = json(&tree, "app --against ./c");
    assert_eq!(finding(&result)["projects"], 4);
    assert_eq!(finding(&result)["others"].as_array().expect("a list").len(), 1, "equal files are one blob");
    assert!(
        tree.run("audit app --against ./c").stdout().contains("also in  3 more places, 4 projects in all")
    );
}

#[test]
#[ignore = "long"]
fn places_under_other_terms_make_a_conflict_contested() {
    let tree = copied("MIT", "GPL-3.0-only");
    tree.write("free/a.py", file("BSD-3-Clause", &long_function("total")));
    tree.run("corpus add ./c dir:free --quiet").success();
    let result = json(&tree, "app --against ./c");
    assert_eq!(
        (&finding(&result)["status"], &finding(&result)["decision"]),
        (&"contested".into(), &"open".into())
    );
    assert!(finding(&result)["reason"].as_str().expect("text").contains("BSD-3-Clause in free"));
}

#[test]
#[ignore = "long"]
fn policy_allows_denies_and_sets_the_license() {
    let tree = copied("MIT", "BSD-3-Clause");
    let code = |policy: &str| {
        tree.write("app/familiar.toml", policy);
        tree.run("audit app --against ./c").code()
    };
    assert_eq!(code(""), 0);
    assert_eq!(code("[audit]\ndenied = ['BSD-*']"), 1);
    assert_eq!(code("[audit]\nallowed = ['MIT']"), 1);
    assert_eq!(code("[audit]\nallowed = ['MIT', 'bsd-3-clause']"), 0);
    assert_eq!(
        code("[audit]\nallowed = ['MIT']\n[[audit.path]]\npaths = ['**/main.py']\nallowed = ['*']"),
        0
    );
    let tree = copied("GPL-3.0-only", "GPL-3.0-only");
    assert_eq!(tree.run("audit app --against ./c").code(), 0);
    tree.write("familiar.toml", "[audit]\nlicense = 'MIT'");
    assert_eq!(tree.run("audit app --against ./c").code(), 1);
    assert_eq!(json(&tree, "app --against ./c")["fragments"][0]["license_by"], "concluded");
}

#[test]
fn globs_leave_out_code_of_the_audited_side_alone() {
    let code = file("MIT", &long_function("total"));
    let tree = Tree::new(&[("app/main.py", &code), ("app/vendor/b.py", &code), ("old/vendor/a.py", &code)]);
    let result = json(&tree, "app --exclude vendor/ --against dir:old");
    assert_eq!(result["summary"]["files"], 1);
    finding(&result);
}

#[test]
#[ignore = "long"]
fn each_path_has_its_own_policy_whose_paths_begin_where_it_stands() {
    let tree = copied("MIT", "BSD-3-Clause");
    tree.write("strict/b.py", file("MIT", &long_function("total")));
    tree.write("strict/familiar.toml", "[audit]\ndenied = ['BSD-*']\n");
    let denied = |arguments: &str| {
        json(&tree, &format!("{arguments} --against ./c"))["summary"]["audit"]["denied"].clone()
    };
    assert_eq!((denied("app"), denied("app strict"), denied("strict app")), (0.into(), 1.into(), 1.into()));
    let rules = |paths: &str| {
        format!("[audit]\ndenied = ['BSD-*']\n[[audit.path]]\npaths = ['{paths}']\ndenied = []\n")
    };
    tree.write("familiar.toml", rules("app/**"));
    assert_eq!(
        (denied(". --exclude library"), denied("app"), denied("app/main.py")),
        (1.into(), 0.into(), 0.into())
    );
    tree.write("familiar.toml", rules("main.py"));
    assert_eq!(denied("app"), 1);
}

#[test]
#[ignore = "long"]
fn what_fails_beside_conflicts_is_said_by_the_policy() {
    let check = |here: &str, there: &str, what: &str| {
        let tree = copied(here, there);
        assert_eq!(tree.run("audit app --against ./c").code(), 0, "{what}");
        tree.write("familiar.toml", format!("[audit]\nfail = ['{what}']\n"));
        let run = tree.run("audit app --against ./c");
        assert_eq!(run.code(), 1, "{what}: {}", run.stdout());
    };
    check("GPL-3.0-only", "MIT", "attribution");
    check("AGPL-3.0-only", "LicenseRef-scancode-unknown-license-reference", "unknown");
    check("MIT AND LGPL-2.1-only", "LGPL-2.1-only", "attribution");
    let tree = copied("MIT", "GPL-3.0-only");
    tree.write("free/a.py", file("BSD-3-Clause", &long_function("total")));
    tree.run("corpus add ./c dir:free --quiet").success();
    tree.write("familiar.toml", "[audit]\nfail = ['attribution']\n");
    assert_eq!(tree.run("audit app --against ./c").code(), 0);
    tree.write("familiar.toml", "[audit]\nfail = ['contested']\n");
    assert_eq!(tree.run("audit app --against ./c").code(), 1);
}

#[test]
#[ignore = "long"]
fn settings_stand_beside_the_policy_and_those_of_clones_do_not_count() {
    let tree = copied("MIT", "GPL-3.0-only");
    tree.write("familiar.toml", "min-tokens = 5000\n[audit]\nagainst = ['c']\n");
    assert_eq!(tree.run("audit app").code(), 1);
    tree.write("familiar.toml", "[audit]\nagainst = ['c']\nmin-tokens = 5000\n");
    assert_eq!(tree.run("audit app").code(), 0);
    assert_eq!(tree.run("clones app").code(), 0);
    tree.write("familiar.toml", "[audit]\nagaints = ['c']\n");
    tree.run("audit app --against ./c").fails_with(&["familiar.toml", "line 2: againts"]);
}

#[test]
#[ignore = "long"]
fn an_accepted_finding_needs_a_reason_and_a_day() {
    let tree = copied("MIT", "GPL-3.0-only");
    let fingerprint = finding(&json(&tree, "app --against ./c"))["fingerprint"].clone();
    let accepted = format!("[[audit.accepted]]\nfingerprint = {fingerprint}\n");
    tree.write("familiar.toml", &accepted);
    tree.run("audit app --against ./c").fails_with(&["familiar.toml", "accepted 1", "date"]);
    tree.write("familiar.toml", accepted + "reason = 'its author agreed'\ndate = 2026-01-31\n");
    let run = tree.run("audit app --against ./c").success();
    assert!(!run.stdout().contains("its author agreed") && run.stdout().contains("1 accepted"));
    let shown = tree.run("audit app --against ./c --show-accepted").success().stdout();
    assert!(shown.contains("accepted on 2026-01-31: its author agreed"), "{shown}");
    tree.write("app/main.py", "x = 1\n");
    assert!(tree.run("audit app --against ./c").success().stdout().contains("no longer found"));
}

#[test]
fn an_acceptance_may_be_for_one_license_and_some_files() {
    let tree = copied("MIT", "GPL-2.0-only");
    tree.write("app/other.py", file("MIT", &long_function("total")));
    let fingerprint = json(&tree, "app --against ./c")["findings"][0]["fingerprint"].clone();
    let accepted =
        format!("[[audit.accepted]]\nfingerprint = {fingerprint}\nreason = 'asked'\ndate = 2026-01-31\n");
    let denied = |more: &str, corpus: &str| {
        tree.write("familiar.toml", format!("{accepted}{more}\n"));
        json(&tree, &format!("app --against {corpus}"))["summary"]["audit"]["denied"].clone()
    };
    tree.write("agpl/orders.py", file("AGPL-3.0-only", &long_function("total")));
    tree.run("corpus add ./agpl-c dir:agpl --quiet").success();
    assert_eq!((denied("", "./c"), denied("", "./agpl-c")), (0.into(), 0.into()));
    let text = tree.run("audit app --against ./c").stdout();
    assert!(text.contains("one acceptance holds for 2 findings, of code under GPL-2.0-only"), "{text}");
    let text = tree.run("audit app --against ./c --format markdown").stdout();
    assert!(
        text.contains("\n\n2 conflict.\n\n2 accepted (`--show-accepted` lists them).\n\nVerdicts"),
        "{text}"
    );
    let license = "license = 'GPL-2.0-only'";
    assert_eq!((denied(license, "./c"), denied(license, "./agpl-c")), (0.into(), 2.into()));
    assert_eq!(denied("paths = ['app/main.py']", "./c"), 1);
    denied("license = 'MIT'", "./c");
    tree.run("audit app --against ./c --notices N --quiet");
    let notices = std::fs::read_to_string(tree.at("N")).expect("it was written");
    assert!(notices.contains("The code of 2 findings is left out, because it is denied."), "{notices}");
    // A decision has no room for that.
    let import = tree.run("decisions import d.json familiar.toml --author ada").success();
    assert!(import.stderr().contains("1 accepted finding in familiar.toml left out"), "{}", import.stderr());
    assert!(tree.run("audit app --against ./c --decisions d.json").code() == 1);
}

#[test]
fn sarif_names_the_rule_that_was_broken() {
    let result = |here: &str, there: &str, policy: &str| {
        let tree = copied(here, there);
        tree.write("familiar.toml", format!("[audit]\n{policy}\n"));
        let document = tree.run("audit app --against ./c --format sarif").json();
        let result = &document["runs"][0]["results"][0];
        let rule = &document["runs"][0]["tool"]["driver"]["rules"]
            [result["ruleIndex"].as_u64().expect("a number") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        let id = result["ruleId"].as_str().expect("text").trim_start_matches("familiar/").to_owned();
        (id, result["level"].as_str().expect("text").to_owned())
    };
    let expect = |id: &str, level: &str| (id.to_owned(), level.to_owned());
    assert_eq!(result("MIT", "MIT", ""), expect("attribution-missing", "warning"));
    assert_eq!(result("MIT", "MIT", "fail = ['attribution']"), expect("attribution-missing", "error"));
    assert_eq!(result("MIT", "MIT", "denied = ['MIT']"), expect("license-denied", "error"));
    assert_eq!(result("MIT", "GPL-3.0-only", ""), expect("license-conflict", "error"));
    let unknown = "LicenseRef-scancode-unknown-license-reference";
    assert_eq!(result("AGPL-3.0-only", unknown, "fail = ['unknown']"), expect("license-unknown", "error"));
}

#[test]
#[ignore = "long"]
fn what_was_decided_is_accepted() {
    let tree = copied("MIT", "GPL-3.0-only");
    let fingerprint = finding(&json(&tree, "app --against ./c"))["fingerprint"].clone();
    let accepted = format!(
        "[[audit.accepted]]\nfingerprint = {fingerprint}\nreason = 'its author agreed'\ndate = 2026-01-31\n"
    );
    tree.write("policy/familiar.toml", accepted);
    tree.run("decisions import d.json policy/familiar.toml --author ada").success();
    assert_eq!(tree.run("audit app --against ./c").code(), 1);
    let run = tree.run("audit app --against ./c --decisions d.json --show-accepted").success();
    assert!(run.stdout().contains("accepted on 2026-01-31: its author agreed (ada)"), "{}", run.stdout());
}

#[test]
#[ignore = "long"]
fn a_snippet_on_standard_input_is_judged_as_part_of_the_folder() {
    let tree = copied("MIT", "GPL-3.0-only");
    tree.write("familiar.toml", "[audit]\nlicense = 'MIT'\n");
    let run = snippet(&tree, "- --lang python --against ./c", &long_function("total"));
    assert_eq!(run.code(), 1, "{}", run.stderr());
    assert!(run.stdout().contains("CONFLICT  - 1-17 (total)"), "{}", run.stdout());
    assert!(run.stdout().lines().count() < 24);
    // What it says itself is not what it goes out under.
    let code = file("GPL-3.0-only", &long_function("total"));
    assert_eq!(snippet(&tree, "- --lang python --against ./c", &code).code(), 1);
    tree.write("familiar.toml", "");
    tree.write("LICENSE", "SPDX-License-Identifier: MIT\n");
    assert_eq!(snippet(&tree, "- --lang python --against ./c", &code).code(), 1);
    tree.write("familiar.toml", "[[audit.path]]\npaths = ['app']\nlicense = 'GPL-3.0-only'\n");
    let mut command = familiar();
    command.current_dir(tree.at("app")).args(["audit", "-", "--lang", "python", "--against", "../c"]);
    let run = Run(command.write_stdin(code.as_str()).output().expect("the command was built"));
    assert_eq!(run.code(), 0, "{}", run.stdout());
    tree.write("familiar.toml", "");
    // Shorter than what is looked for in trees.
    tree.write(
        "short/s.py",
        file("GPL-3.0-only", "def area(width, height):\n    return abs(width * height) + MARGIN\n"),
    );
    tree.run("corpus add ./c dir:short --quiet").success();
    let code = "def area(width, height):\n    return abs(width * height) + MARGIN\n";
    assert_eq!(snippet(&tree, "- --lang python --against ./c", code).code(), 1);
    assert_eq!(snippet(&tree, "- --lang python --against ./c", "print(1)\n").code(), 0);
    snippet(&tree, "- --lang python --against ./c", "").fails_with(&["no code"]);
}

#[test]
fn the_projects_own_code_is_no_conflict() {
    let tree = copied("MIT", "GPL-3.0-only");
    assert_eq!(tree.run("audit library --against ./c").code(), 0);
    let result = json(&tree, "library --against ./c");
    assert_eq!(
        (&finding(&result)["decision"], &result["summary"]["audit"]["own"]),
        (&"own".into(), &1.into())
    );
}

#[test]
#[ignore = "long"]
fn a_folder_below_what_was_added_is_the_projects_own() {
    let tree = Tree::new(&[
        ("all/LICENSE", "SPDX-License-Identifier: MIT\n"),
        ("all/library/orders.py", &file("GPL-3.0-only", &long_function("total"))),
    ]);
    tree.run("corpus add ./c dir:all --quiet").success();
    for named in ["all", "all/", "./all/library", "all/library/../library/", "all/library/orders.py"] {
        let result = json(&tree, &format!("{named} --against ./c"));
        assert_eq!(finding(&result)["decision"], "own", "{named}");
    }
}

#[test]
#[ignore = "long"]
fn code_of_others_that_was_released_with_ones_own_is_not_ones_own() {
    let code = long_function("total");
    let tree = Tree::new(&[
        ("app/LICENSE", "SPDX-License-Identifier: Apache-2.0\n"),
        ("app/a.py", &code),
        ("library/LICENSE", "SPDX-License-Identifier: GPL-3.0-only\n"),
        ("library/a.py", &code),
    ]);
    tree.run("corpus add ./c dir:library dir:app --quiet").success();
    assert_eq!(tree.run("audit app --against ./c").code(), 1);
    tree.run("corpus add ./own dir:app --quiet").success();
    assert_eq!(tree.run("audit app --against ./own").code(), 0);
    // Other folders may have the same name.
    tree.write("other/app/a.py", file("GPL-3.0-only", &code));
    tree.run("corpus add ./own dir:other/app --quiet").success();
    assert_eq!(tree.run("audit app --against ./own").code(), 1);
}

#[test]
fn what_is_trivial_is_left_out_and_counted() {
    let short = |name: &str| {
        format!(
            "def {name}(self, a, b):\n    self.a = a\n    self.b = b\n    self.c = [a, b]\n    \
                                      self.d = dict(a=a, b=b)\n    self.e = {{'a': a, 'b': b}}\n    return self\n"
        )
    };
    let renamed = short("set_up").replace('a', "left").replace("self.b", "self.right");
    let tree = Tree::new(&[
        ("app/a.py", &file("MIT", &short("start"))),
        ("library/b.py", &file("GPL-3.0-only", &renamed)),
    ]);
    tree.run("corpus add ./c dir:library --quiet").success();
    let result = json(&tree, "app --against ./c");
    assert!(result["findings"].as_array().expect("a list").is_empty(), "{result:#}");
    let left_out = result["summary"]["audit"]["left_out"].as_object().expect("a table");
    assert_eq!(left_out.values().filter_map(Value::as_u64).sum::<u64>(), 1);
    assert_eq!(tree.run("audit app --against ./c").code(), 0);
    assert_eq!(tree.run("audit app --against ./c --include-trivial").code(), 1);
}

#[test]
fn what_was_handed_out_is_nobodys() {
    let tree = copied("MIT", "GPL-3.0-only");
    tree.run("corpus add ./c --base library --quiet").success();
    let result = json(&tree, "app --against ./c");
    assert_eq!(result["summary"]["audit"]["left_out"]["handed-out"], 1);
}

#[test]
#[ignore = "long"]
fn sources_stand_on_both_sides_and_leave_nothing_behind() {
    let tree = copied("MIT", "GPL-3.0-only");
    let bare = json(&tree, "app --against library");
    assert_eq!(finding(&bare)["status"], "conflict");
    assert_eq!(finding(&json(&tree, "dir:app --against dir:library ./c"))["status"], "conflict");
    // A corpus is audited as a source is.
    tree.run("corpus add ./mine dir:app --quiet").success();
    assert_eq!(finding(&json(&tree, "./mine --against ./c"))["status"], "conflict");
    let rows = Tree::new(&[("t/.keep", "")]);
    let code = format!("{{\"text\": {}, \"lang\": \"python\"}}\n", Value::from(long_function("total")));
    tree.write("rows.jsonl", code);
    let mut command = familiar();
    command.current_dir(tree.path()).env("TMPDIR", rows.at("t"));
    let run =
        Run(command.args(["audit", "rows.jsonl", "--against", "library"]).output().expect("it was built"));
    assert!(run.code() < 2, "{}", run.stderr());
    assert_eq!(std::fs::read_dir(rows.at("t")).expect("a folder").count(), 1, "only what was there");
}

#[test]
#[ignore = "long"]
fn wrong_words_are_answered_with_what_to_do() {
    let tree = copied("MIT", "GPL-3.0-only");
    tree.run("audit app").fails_with(&["--against"]);
    tree.run("audit app --against no/such").fails_with(&["no/such", "neither a corpus nor a source"]);
    tree.run("audit no/such --against ./c").fails_with(&["no/such"]);
    tree.run("audit app --against ./c --measure lines").fails_with(&["--measure lines"]);
    tree.run("audit app - --against ./c").fails_with(&["standard input"]);
    tree.run("audit app --against ./c --notices no/folder/N").fails_with(&["no/folder"]);
    tree.run("corpus add ./bare dir:library --no-text --quiet").success();
    tree.run("audit app --against ./bare").fails_with(&["does not keep its source text"]);
}

#[test]
#[ignore = "long"]
fn notices_name_license_holder_place_and_change() {
    let tree = copied("GPL-3.0-only", "MIT");
    let holder = format!("# Copyright (c) 2020 Ann Author\n\n{}", long_function("total"));
    tree.write("library/orders.py", file("MIT", &holder));
    tree.run("corpus add ./d dir:library --quiet").success();
    tree.run("audit app --against ./d --notices NOTICE").success();
    let text = std::fs::read_to_string(tree.at("NOTICE")).expect("it was written");
    for part in
        ["library\n", "Copyright (c) 2020 Ann Author", "License: MIT", "app/main.py lines 3-19 (unchanged)"]
    {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    tree.run("audit app --against ./c --lang java --notices NOTICE").success();
    let text = std::fs::read_to_string(tree.at("NOTICE")).expect("it was written");
    assert!(text.starts_with("No code from elsewhere"));
}

#[test]
#[ignore = "long"]
fn the_number_of_threads_changes_no_byte() {
    let tree = copied("MIT", "GPL-3.0-only");
    for number in 0..12 {
        tree.write(
            &format!("app/m{number}.py"),
            long_function(&format!("f{number}")) + &other_function("read"),
        );
        tree.write(
            &format!("library/l{number}.py"),
            file("ISC", &(long_function("g") + &format!("x = {number}\n"))),
        );
    }
    tree.run("corpus add ./c dir:library --quiet").success();
    for format in FORMATS {
        let of = |threads: u32, time: &str| {
            let flags =
                format!("audit app --against ./c --include-trivial --format {format} --threads {threads}");
            at_time(&tree, &flags, time).stdout()
        };
        let (once, later) = (of(1, "86400"), of(3, "172800"));
        let differing = once.lines().zip(later.lines()).filter(|(a, b)| a != b).collect::<Vec<_>>();
        let names_a_time = matches!(format, "spdx-json" | "cyclonedx");
        assert!(!once.is_empty() && differing.len() == usize::from(names_a_time), "{format}: {differing:?}");
        assert!(!names_a_time || differing[0].0.contains("1970-01-02T00:00:00Z"), "{differing:?}");
    }
}

#[test]
#[ignore = "long"]
fn what_has_a_schema_is_valid_for_it() {
    let tree = copied("MIT", "GPL-3.0-only WITH Classpath-exception-2.0");
    tree.write("library/b.py", file("LicenseRef-scancode-unknown", &other_function("read_all")));
    tree.write("odd名/[x].py", file("MIT OR Apache-2.0", &other_function("read")));
    tree.run("corpus add ./c dir:odd名 --quiet").success();
    tree.run("corpus add ./c dir:library --quiet").success();
    let flags = "app --against ./c --include-trivial";
    let output = |format: &str| tree.run(&format!("audit {flags} --format {format}")).json();
    let check = |schema: &str, part: Option<&str>, value: &Value| {
        crate::common::assert_valid(&crate::common::schema(schema, part), value);
    };
    let audit = "docs/formats/audit-1.schema.json";
    check(audit, None, &output("json"));
    let lines = tree.run(&format!("audit {flags} --format ndjson")).stdout();
    assert!(lines.lines().count() > 1, "{lines}");
    for line in lines.lines() {
        check(audit, Some("line"), &serde_json::from_str(line).expect("JSON"));
    }
    check("crates/cli/tests/schemas/spdx-2.3.schema.json", None, &output("spdx-json"));
    let cyclonedx = output("cyclonedx");
    check("crates/cli/tests/schemas/bom-1.6.schema.json", None, &cyclonedx);
    let serial = cyclonedx["serialNumber"].as_str().expect("text");
    assert!(serial.starts_with("urn:uuid:") && serial.as_bytes()[23] == b'8', "{serial}");
    check("docs/formats/sarif-2.1.0-subset.schema.json", None, &output("sarif"));
}

#[test]
#[ignore = "long"]
fn a_file_with_code_under_other_terms_has_no_conclusion_and_its_snippet_has_one() {
    let spdx = |here: &str, there: &str| {
        let tree = copied(here, there);
        tree.run("audit app --against ./c --format spdx-json").json()
    };
    let file = |document: &Value| {
        let files = document["files"].as_array().expect("a list").clone();
        files.into_iter().find(|file| file["fileName"] == "./app/main.py").expect("the audited file")
    };
    let document = spdx("MIT", "GPL-3.0-only");
    assert_eq!(file(&document)["licenseConcluded"], "NOASSERTION");
    assert_eq!(file(&document)["licenseInfoInFiles"][0], "MIT");
    let comment = file(&document)["licenseComments"].as_str().expect("text").to_owned();
    assert!(comment.contains("lines 3-19: GPL-3.0-only"), "{comment}");
    let copy = &document["snippets"][0];
    assert_eq!(
        (&copy["snippetFromFile"], &copy["licenseConcluded"]),
        (&file(&document)["SPDXID"], &"GPL-3.0-only".into())
    );
    assert_eq!(copy["ranges"][1]["startPointer"]["lineNumber"], 3);
    assert_eq!(file(&spdx("MIT", "MIT"))["licenseConcluded"], "MIT");
}

#[test]
#[ignore = "long"]
fn the_notice_that_is_missing_is_printed_and_counts_once_it_is_added() {
    let tree = copied("GPL-3.0-only", "MIT");
    let holder = format!("# Copyright (c) 2020 Ann Author\n\n{}", long_function("total"));
    tree.write("library/orders.py", file("MIT", &holder));
    tree.run("corpus add ./d dir:library --quiet").success();
    let result = json(&tree, "app --against ./d");
    let notice: Vec<&str> =
        finding(&result)["notice"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(notice[0], "Copyright (c) 2020 Ann Author");
    assert!(notice[1].starts_with("License: MIT (https://spdx.org/"), "{notice:?}");
    let text = tree.run("audit app --against ./d").stdout();
    assert!(text.contains("add this notice above the code:\n"), "{text}");
    let lines: String = notice.iter().flat_map(|line| ["# ", line, "\n"]).collect();
    tree.write("app/main.py", file("GPL-3.0-only", &(lines + &long_function("total"))));
    let result = json(&tree, "app --against ./d");
    assert_eq!(
        (&finding(&result)["decision"], &result["pairs"][0]["attribution"]["grade"]),
        (&"allowed".into(), &"copyright-notice".into())
    );
    let evidence = &result["pairs"][0]["attribution"]["evidence"][0];
    assert_eq!(evidence, "copyright notice kept, line 3: Copyright (c) 2020 Ann Author");
}

#[test]
#[ignore = "long"]
fn a_tag_is_no_attribution_and_a_name_with_credit_is_one() {
    let tree = copied("MIT", "MIT");
    let grade = |comment: &str| {
        tree.write("app/main.py", file("MIT", &format!("# {comment}\n{}", long_function("total"))));
        json(&tree, "app --against ./x")["pairs"][0]["attribution"]["grade"]
            .as_str()
            .expect("text")
            .to_owned()
    };
    tree.write("lodash/orders.py", file("MIT", &long_function("total")));
    tree.run("corpus add ./x dir:lodash --quiet").success();
    assert_eq!(grade("sums up"), "none");
    assert_eq!(grade("from lodash"), "name");
    assert_eq!(grade("see the docs of lodash"), "none");
}

#[test]
#[ignore = "long"]
fn code_of_a_post_is_told_by_author_day_and_link() {
    let code = long_function("total").replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&#39;");
    let post = format!(
        "<posts><row Id=\"8\" PostTypeId=\"2\" ParentId=\"7\" CreationDate=\"2015-01-28T00:00:00.000\" OwnerDisplayName=\"Ann Other\" \
         Body=\"&lt;pre&gt;&lt;code&gt;{}&lt;/code&gt;&lt;/pre&gt;\" /></posts>",
        code.replace('\n', "&#xA;").replace('"', "&quot;")
    );
    let tree = Tree::new(&[
        ("app/main.py", &file("MIT", &long_function("total"))),
        ("dump/coffee.Posts.xml", &post),
    ]);
    tree.run("corpus add ./c stackexchange:dump/coffee.Posts.xml --quiet").success();
    let (title, link) =
        ("answer 8 to question 7 on coffee.stackexchange.com", "https://coffee.stackexchange.com/a/8");
    let told = ["Ann Other", "2015-01-28", link];
    for format in ["text", "markdown"] {
        let text = tree.run(&format!("audit app --against ./c --format {format}")).stdout();
        for part in told.iter().chain([&title]) {
            assert!(text.contains(part), "{format}: {part} is missing in:\n{text}");
        }
        assert!(!text.contains("questions/7"), "{format}: {text}");
    }
    let text = tree.run("find app/main.py --in ./c").stdout();
    for part in told.iter().chain([&title]) {
        assert!(text.contains(part), "{part} is missing in:\n{text}");
    }
    assert!(!text.contains("questions/7"), "{text}");
    let result = json(&tree, "app --against ./c");
    let place = &result["fragments"][1]["occurrences"][0];
    assert_eq!(
        (&place["title"], &place["author"], &place["link"]),
        (&title.into(), &"Ann Other".into(), &link.into())
    );
    let csv = tree.run("audit app --against ./c --format csv").stdout();
    assert!(csv.contains(&format!("{title},Ann Other,2015-01-28T00:00:00Z,{link}")), "{csv}");
    for format in ["spdx-json", "cyclonedx", "sarif"] {
        let text = tree.run(&format!("audit app --against ./c --format {format}")).stdout();
        assert!(text.contains(link), "{format}: {text}");
    }
}
