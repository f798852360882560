//! Every verb has the common flags with the same meaning, or stands in a table with the reason why it has not.

use clap::{Arg, Command, CommandFactory};

use crate::Familiar;

const ALL: &[&str] = &["format", "output", "quiet", "progress", "threads", "memory", "color"];

/// Verbs, the common flags that they lack, and why.
const WITHOUT: &[(&str, &[&str], &str)] = &[
    ("completions", ALL, "prints a script for a shell"),
    ("man", ALL, "prints a page for man"),
    ("train", ALL, "writes weights for developers of the program, and has an output folder of its own"),
    ("benchmark new", ALL, "makes a folder, and writes no other result"),
    ("benchmark inject", ALL, "fills a folder of its own, and says what it put in"),
    ("benchmark test", &["threads", "memory"], "each program has a limit of its own, and few run at a time"),
    ("benchmark release", ALL, "fills a folder of its own, and prints one line"),
    ("benchmark import", &["progress", "threads", "memory"], "reads row after row, and holds the seeds"),
    ("benchmark parse", &["progress", "memory"], "holds a few megabytes of replies, and takes a minute"),
    ("benchmark sample", &["progress", "threads", "memory"], "reads one result, and the code of a few pairs"),
    ("benchmark judge", ALL, "answers judges until it is stopped"),
    ("benchmark agree", &["progress", "threads", "memory"], "counts the rows of a folder"),
    ("benchmark status", &["progress", "threads", "memory"], "counts the rows of a folder"),
    ("codenet train", ALL, "fills a folder of its own, and says how training goes"),
    ("codenet evaluate", &["progress"], "takes seconds"),
    ("codenet import", ALL, "fills a folder of its own, and writes no other result"),
    ("codenet benchmark", ALL, "fills a folder of its own, and prints a short table"),
    ("codenet translations", ALL, "fills a folder of its own, and prints a short table"),
    ("codenet run", &["memory"], "each program has a limit of its own, and few run at a time"),
    ("codenet select", &["threads", "memory"], "copies rows, and holds those of one problem"),
    ("transform design", ALL, "fills a folder of its own, and prints a short table"),
    ("serve", &["format", "output", "progress", "color"], "answers requests until it is stopped"),
    ("lsp", ALL, "speaks with an editor until that ends it"),
    ("serve token create", ALL, "prints one token"),
    ("serve token list", ALL, "prints a few lines"),
    ("serve token revoke", ALL, "writes no result"),
    ("report", &["threads"], "reads one result and writes it, one step after another"),
    ("decisions add", ALL, "changes a small file, and writes no result"),
    (
        "decisions import",
        &["format", "output", "progress", "threads", "memory", "color"],
        "changes a small file, and writes no result",
    ),
    ("decisions list", &["progress", "threads", "memory"], "reads one small file"),
    ("decisions export", &["progress", "threads", "memory"], "reads one small file"),
    ("corpus list", &["progress", "threads", "memory"], "reads the names in a folder"),
    ("corpus info", &["progress", "threads", "memory"], "counts the rows of tables, one after another"),
    ("corpus remove", &["progress", "threads"], "reads tables once, one after another"),
    ("corpus verify", &["threads", "memory"], "reads file after file, and holds one block"),
    ("corpus export", &["threads", "memory"], "copies tables, and holds one group of rows"),
    ("corpus rebuild", &["format", "output", "color"], "changes a corpus, and writes no result"),
    ("corpus merge", &["format", "output", "color"], "changes a corpus, and writes no result"),
    ("evaluate pairs", &["memory"], "compares rows that all stay in memory"),
    ("evaluate retrieval", &["memory"], "compares each row with each, and all stay in memory"),
];

/// What a flag means to those who read its help.
fn meaning(argument: &Arg) -> impl PartialEq + std::fmt::Debug {
    let text = |text: Option<&clap::builder::StyledStr>| text.map(ToString::to_string);
    (
        text(argument.get_help()),
        text(argument.get_long_help()),
        argument.get_value_names().map(|names| names.iter().map(ToString::to_string).collect::<Vec<_>>()),
        argument.get_short(),
        argument.get_help_heading().map(ToOwned::to_owned),
        format!("{:?}", argument.get_action()),
    )
}

fn flag<'c>(verb: &'c Command, name: &str) -> Option<&'c Arg> {
    verb.get_arguments().find(|argument| argument.get_long() == Some(name))
}

/// Calls `each` with every verb that is shown, and its name behind those of the verbs that it belongs to.
fn each_verb(command: &Command, path: &str, each: &mut dyn FnMut(&str, &Command)) {
    let shown = |verb: &&Command| !verb.is_hide_set() && verb.get_name() != "help";
    for verb in command.get_subcommands().filter(shown) {
        let path = format!("{path} {}", verb.get_name());
        // A verb of verbs does nothing by itself, unless it need not have one.
        if !verb.is_subcommand_required_set() {
            each(path.trim_start(), verb);
        }
        each_verb(verb, &path, each);
    }
}

#[test]
fn common_flags_mean_the_same_everywhere() {
    let mut command = Familiar::command();
    command.build();
    let clones = command.find_subcommand("clones").expect("there is one").clone();
    let mut verbs = Vec::new();
    each_verb(&command, "", &mut |path, verb| {
        verbs.push(path.to_owned());
        let excepted = WITHOUT.iter().find(|(verb, _, _)| *verb == path);
        if excepted.is_some_and(|(_, without, _)| without.len() == ALL.len()) {
            // It writes no result; what it may have is of its own.
            return;
        }
        for name in ALL {
            let is_excepted = excepted.is_some_and(|(_, without, _)| without.contains(name));
            match flag(verb, name) {
                Some(found) => {
                    assert!(!is_excepted, "familiar {path} has --{name}: take it out of the table");
                    let expected = flag(&clones, name).expect("clones has all");
                    assert_eq!(meaning(found), meaning(expected), "familiar {path} --{name}");
                }
                None => assert!(is_excepted, "familiar {path} lacks --{name}"),
            }
        }
    });
    // These are part of some builds only.
    let may_lack = |verb: &str| matches!(verb, "train" | "codenet train" | "codenet evaluate");
    let unknown =
        WITHOUT.iter().find(|(verb, _, _)| !may_lack(verb) && !verbs.iter().any(|known| known == verb));
    assert_eq!(unknown, None, "a verb of the table is gone");
    assert!(WITHOUT.iter().all(|(_, flags, reason)| !flags.is_empty() && !reason.is_empty()));
    assert!(verbs.len() > 25, "{verbs:?}");
}

#[test]
fn every_verb_explains_itself() {
    let mut command = Familiar::command();
    command.build();
    let mut faults = Vec::new();
    each_verb(&command, "", &mut |path, verb| {
        let about = verb.get_long_about().or(verb.get_about()).map(ToString::to_string).unwrap_or_default();
        // The first paragraph is the line in the list of verbs.
        let first = about.split("\n\n").next().unwrap_or_default();
        if first.is_empty() || about.contains("  ") {
            faults.push(format!("{path}: {about:?}"));
        }
        let examples = verb.get_after_long_help().or(verb.get_after_help()).map(ToString::to_string);
        if !path.contains(' ') && !examples.unwrap_or_default().contains("Examples:") {
            faults.push(format!("{path}: no examples"));
        }
        for argument in verb.get_arguments() {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            if help.is_empty() {
                faults.push(format!("{path}: {} is not explained", argument.get_id()));
            }
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
