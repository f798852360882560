//! What is learnt of a program beside its problem: what the judge said, and numbers. All rows are made up.

use std::path::Path;

use familiar_baselines::BaselineError;
use familiar_baselines::settings::{Label, Model, Settings, Size, Task};

use crate::{data, follows, measured, options, train};

/// Adds fields to each row of a benchmark, by its number and its text.
fn write(path: &Path, fields: impl Fn(usize, &str) -> String) {
    data::write(path);
    for file in ["train.jsonl", "valid.jsonl", "test.jsonl"] {
        let text = std::fs::read_to_string(path.join(file)).expect("it is text");
        let row =
            |(at, line): (usize, &str)| line.replacen('{', &format!("{{{},", fields(at, line)), 1) + "\n";
        std::fs::write(path.join(file), text.lines().enumerate().map(row).collect::<String>())
            .expect("it can be written");
    }
}

fn judged(line: &str) -> &'static str {
    if line.contains("while") { "Wrong Answer" } else { "Accepted" }
}

/// Whether a program was accepted, or the next one, follows from what it does.
#[test]
fn acceptance_is_learnt() {
    for (label, name) in [(Label::Acceptance, "status"), (Label::Next, "to_status")] {
        let folder = tempfile::tempdir().expect("a folder can be made");
        write(&folder.path().join("data"), |_, line| format!("\"{name}\":\"{}\"", judged(line)));
        let mut options = options(folder.path(), Model::Cnn, Task::Classification);
        options.settings = options.settings.labelled(label).expect("it is a class");
        let (saved, _) = train(&options).expect("it is trained");
        assert_eq!(saved.problems, ["accepted", "rejected"]);
        let accuracy = measured(folder.path(), "test.jsonl").expect("it is measured").main();
        assert!(accuracy > 0.8, "{accuracy} of the answers are right");
    }
}

/// Programs with two loops take long, those with one less, and a little is by chance.
fn time(at: usize, line: &str) -> usize {
    let loops = line.matches("for (").count() + line.matches("while").count();
    10_usize.pow(loops as u32) + at % 5
}

#[test]
fn run_time_and_memory_are_learnt() {
    for (label, unit) in [(Label::CpuTime, "ms"), (Label::Memory, "kB")] {
        let folder = tempfile::tempdir().expect("a folder can be made");
        write(&folder.path().join("data"), |at, line| {
            format!("\"cpu_time\":{},\"memory\":{}", time(at, line), 1000 * time(at, line))
        });
        let mut options = options(folder.path(), Model::Cnn, Task::Regression);
        options.settings = options.settings.labelled(label).expect("it is a number");
        options.settings.epochs = 10;
        let (saved, _) = train(&options).expect("it is trained");
        let scale = saved.scale.expect("numbers are learnt");
        assert!(scale.deviation > 0.5, "{scale:?}");
        let measured = measured(folder.path(), "test.jsonl").expect("it is measured");
        let errors = measured.errors.clone().expect("numbers are guessed");
        assert!(errors.r2 > 0.6 && errors.spearman > 0.3 && errors.unit == unit, "{errors:?}");
        let mut text = Vec::new();
        measured.write_json(&mut text).expect("a list takes all");
        follows(&serde_json::from_slice(&text).expect("it is JSON"), "codenet-evaluate-1.schema.json");
        let text = std::fs::read(folder.path().join("model/model.json")).expect("it is written");
        follows(&serde_json::from_slice(&text).expect("it is JSON"), "codenet-model-1.schema.json");
    }
}

#[test]
fn numbers_that_are_not_there_are_told() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    data::write(&folder.path().join("data"));
    let options = options(folder.path(), Model::Bag, Task::Regression);
    let error = train(&options).expect_err("there are no numbers");
    assert!(matches!(error, BaselineError::NoNumbers { programs: 0, what: "cpu_time", .. }), "{error}");
    for (task, label) in [(Task::Regression, Label::Problem), (Task::Classification, Label::Memory)] {
        let settings = Settings::new(Model::Bag, task, Size::Small).expect("a bag learns it");
        assert!(matches!(settings.labelled(label), Err(BaselineError::NotForLabel { .. })));
    }
}

#[test]
fn programs_of_a_problem_can_be_few() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    data::write(&folder.path().join("data"));
    let mut trained_on = Vec::new();
    for most in [1, 3, 1000] {
        let mut options = options(folder.path(), Model::Bag, Task::Classification);
        options.settings.most_per_problem = Some(most);
        options.output = folder.path().join(format!("model-{most}"));
        let (saved, _) = train(&options).expect("it is trained");
        trained_on.push((saved.trained_on, saved.problems.len()));
        let text = std::fs::read(options.output.join("model.json")).expect("it is written");
        follows(&serde_json::from_slice(&text).expect("it is JSON"), "codenet-model-1.schema.json");
    }
    assert_eq!(trained_on, [(4, 4), (12, 4), (96, 4)]);
}
