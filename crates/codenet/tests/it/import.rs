//! Submissions from anywhere become a clean set.

use std::fs;

use familiar_codenet::import::{self, ImportError, ImportOptions, PathPattern};
use familiar_codenet::select::Condition;
use familiar_codenet::set::{Set, SetError};
use familiar_codenet::stats;
use familiar_source::Silent;

use crate::sets::{ROW, codenet, files, import, options, skips, write};

#[test]
fn codenets_own_layout_is_cleaned_and_checked() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, output) = (folder.path().join("codenet"), folder.path().join("set"));
    codenet(&source);
    let summary = import(&options(source, output.clone()));
    assert_eq!((summary.submissions, summary.problems, summary.users, summary.skipped), (3, 2, 2, 6));
    let files = files(&output);
    assert_eq!(files["data/p00001/C++/s000000001.cpp"], b"int main(){}\n");
    assert_eq!(files["data/p00001/Python/s000000002.py"], b"print(1)\n");
    assert_eq!(files["problem_descriptions/p00001.html"], b"<p>Add.</p>");
    assert_eq!(files["derived/input_output/data/p00001/output.txt"], b"3\n");
    let table = String::from_utf8_lossy(&files["metadata/p00001.csv"]).into_owned();
    assert_eq!(
        table.lines().collect::<Vec<_>>(),
        [
            ROW,
            "s000000001,p00001,u000000001,1500000000,C++,C++14,cpp,Accepted,10,3000,17,4/4",
            "s000000002,p00001,u000000002,1500000100,Python,Python3,py,Wrong Answer,20,7000,9,1/4",
            "s000000007,p00001,,,Python,Python,py,,,,9,",
        ]
    );
    assert!(
        String::from_utf8_lossy(&files["metadata/problem_list.csv"]).contains("p00001,\"Sum, twice\",AIZU")
    );
    let skips = skips(&output).join("\n");
    for expected in [
        "its cpu_time is -1",
        "there is no text of s000000004",
        "its language is Java, but its text lies in data/p00001/Python",
        "a submission with the id s000000001 before",
        "its accuracy is 5/4",
        "s000000008.py\",\"reason\":\"empty\"",
    ] {
        assert!(skips.contains(expected), "{expected}:\n{skips}");
    }
    assert!(!output.join(".import").exists());
}

#[test]
fn a_set_is_its_own_source() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [source, one, two] = ["codenet", "one", "two"].map(|name| folder.path().join(name));
    codenet(&source);
    import(&options(source, one.clone()));
    import(&options(one.clone(), two.clone()));
    let (mut one, mut two) = (files(&one), files(&two));
    // What was left out, and the texts before they were cleaned.
    for differs in ["metadata/skipped.jsonl", "metadata/submissions.parquet", "set.json"] {
        assert!(one.remove(differs).is_some() && two.remove(differs).is_some());
    }
    assert_eq!(one, two);
}

#[test]
fn rows_of_a_table_get_ids_and_statuses() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (table, output) = (folder.path().join("runs.csv"), folder.path().join("set"));
    write(
        &table,
        "run,problem_id,handle,verdict,lang,source,when\n\
         7,two-sum,ann,OK,cpp,\"int main(){\n}\",2020-01-01T00:00:00Z\n\
         8,two-sum,bob,Half Right,Python3,print(1),1577836800000\n\
         9,other,ann,Nonsense,Python3,print(1),\n\
         10,other,ann,WRONG_ANSWER,Brainfuck,+++,\n",
    );
    let mut options = options(table, output.clone());
    let named =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
    options.columns =
        named(&[("submission_id", "run"), ("user_id", "handle"), ("code", "source"), ("date", "when")]);
    options.statuses = named(&[("Half Right", "Wrong Answer")]);
    let summary = import(&options);
    assert_eq!((summary.submissions, summary.problems, summary.users, summary.skipped), (3, 2, 2, 1));
    let set = Set::open(&output).expect("it was just made");
    let rows: Vec<_> = set
        .problems
        .iter()
        .flat_map(|it| set.submissions(it).expect("it was just made").submissions)
        .collect();
    let row = |at: usize| rows[at].record().join(",");
    assert_eq!(row(0), "s000000001,p00001,u000000001,1577836800,C++,cpp,cpp,Accepted,,,13,");
    assert_eq!(row(1), "s000000002,p00001,u000000002,1577836800,Python,Python3,py,Wrong Answer,,,8,");
    assert_eq!(row(2), "s000000003,p00002,u000000001,,Brainfuck,Brainfuck,txt,Wrong Answer,,,3,");
    assert!(skips(&output)[0].contains("the status Nonsense is not known"));
    let users = fs::read_to_string(output.join("metadata/users.csv")).expect("users have new ids");
    assert_eq!(users, "user_id,source_id\nu000000001,ann\nu000000002,bob\n");
    let only: Condition = "user_id = 'u000000001' and date is null".parse().expect("a condition");
    assert_eq!(rows.iter().filter(|row| only.takes(row)).count(), 1);
}

#[test]
fn paths_of_a_folder_say_everything() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (class, output) = (folder.path().join("class"), folder.path().join("set"));
    write(&class.join("sum/ann/Accepted/main.py"), "print(1)\n");
    write(&class.join("sum/bob/Wrong Answer/main.py"), "print(2)\n");
    write(&class.join("README.md"), "A class.\n");
    write(&class.join("sum/ann/README.md"), "How it works.\n");
    write(&class.join("sum/bob/data.json"), "{}\n");
    let summary = import(&options(class.clone(), output));
    assert_eq!((summary.submissions, summary.problems, summary.users, summary.skipped), (2, 1, 2, 3));
    assert_eq!(summary.statuses["Accepted"], 1);

    let mut by_user = options(class, folder.path().join("by-user"));
    by_user.paths = Some("*/{problem}/{status}".parse::<PathPattern>().expect("a pattern"));
    assert_eq!(import(&by_user).problems, 2);
    assert!("{who}".parse::<PathPattern>().is_err());
}

#[test]
fn an_import_that_was_ended_goes_on() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (table, whole, parts) =
        (folder.path().join("rows.jsonl"), folder.path().join("whole"), folder.path().join("parts"));
    let line = |at: u32| {
        let (problem, user) = (at % 150, at % 7);
        format!(
            "{{\"id\":\"r{at}\",\"problem_id\":\"q{problem}\",\"user\":\"x{user}\",\"lang\":\"c\",\"code\":\"int x{at};\\r\\n\"}}\n"
        )
    };
    let rows: String = (0..400).map(line).collect();
    fs::write(&table, rows.split_inclusive('\n').take(300).collect::<String>()).expect("a file");
    // The metadata cannot be written, so the import ends with all that it has.
    fs::create_dir_all(parts.join(".import")).expect("a folder");
    fs::write(parts.join("metadata"), "in the way").expect("a file");
    let options = options(table.clone(), parts.clone());
    assert!(matches!(import::run(&options, &Silent), Err(ImportError::Write { .. })));
    fs::remove_file(parts.join("metadata")).expect("it is there");
    assert!(matches!(Set::open(&parts), Err(SetError::Unfinished(_))));
    // What was written after the last checkpoint does not count.
    let spooled = parts.join(".import/rows-0000000");
    let mut text = fs::read(&spooled).expect("rows wait there");
    text.extend_from_slice(b"{\"submission_id\":");
    fs::write(&spooled, text).expect("a file");

    let other = ImportOptions { columns: vec![("user_id".to_owned(), "user".to_owned())], ..options.clone() };
    assert!(matches!(import::run(&other, &Silent), Err(ImportError::Other(_))));
    // What is done already has to be what the table begins with.
    for changed in [rows.replace("int x7;", "int y7;"), rows.split_inclusive('\n').take(299).collect()] {
        fs::write(&table, changed).expect("a file");
        let error = import::run(&options, &Silent).expect_err("it has changed");
        assert!(matches!(error, ImportError::Changed(_)), "{error}");
    }
    fs::write(&table, &rows).expect("a file");
    assert_eq!(import(&options).submissions, 400);
    assert_eq!(import(&ImportOptions { output: whole.clone(), ..options.clone() }).submissions, 400);
    assert!(files(&whole) == files(&parts), "an import in two parts makes another set");
    // An import that was ended at its very end leaves a whole set, and what it kept.
    write(&parts.join(".import/rows-0000000"), "");
    assert!(matches!(import::run(&options, &Silent), Err(ImportError::There(_))));
    assert!(Set::open(&parts).is_ok());
}

#[test]
fn statistics_count_chains_of_users() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (table, output) = (folder.path().join("runs.jsonl"), folder.path().join("set"));
    let rows = [
        ("a", "WA", "1"),
        ("a", "AC", "2"),
        ("a", "AC", "3"),
        ("b", "AC", "1"),
        ("c", "TLE", "5"),
        ("c", "WA", "4"),
        // What was not judged says nothing, and what has no date follows nothing.
        ("a", "WJ", "1"),
        ("d", "IE", "1"),
        ("d", "", "2"),
        ("b", "WA", ""),
    ];
    let text: String = rows
        .iter()
        .enumerate()
        .map(|(at, (user, status, date))| {
            format!("{{\"id\":\"r{at}\",\"problem_id\":\"q\",\"user\":\"{user}\",\"status\":\"{status}\",\"date\":\"{date}\",\"lang\":\"c\",\"code\":\"int x{at};\"}}\n")
        })
        .collect();
    fs::write(&table, text).expect("a file");
    import(&options(table, output.clone()));
    let stats = stats::run(&output, None, &Silent).expect("a set");
    let evolution = &stats.evolution;
    assert_eq!((evolution.chains, evolution.chains_of_several), (3, 2));
    assert_eq!(evolution.from_rejected_to_accepted, 1);
    assert_eq!(evolution.accepted_with[..3], [1, 1, 0]);
    assert_eq!(evolution.never_accepted, 1);
    assert_eq!(stats.languages["C"].accepted, 3);
    let first = &stats.problems_with_at_least[0];
    assert_eq!((first.submissions, first.rejected), (1, 1));
    let size = stats.code_size.expect("there are texts");
    assert_eq!((size.least, size.median, size.most), (7, 7, 7));
    let mut page = Vec::new();
    stats.write_html(&mut page).expect("memory");
    assert!(String::from_utf8_lossy(&page).contains("<td>Wrong Answer<td class=number>3"));
}
