//! Baselines are trained on a small benchmark whose problems are easy to tell apart.

mod data;
mod labels;

use std::path::Path;

use familiar_baselines::measure::{self, MeasureOptions, Measured};
use familiar_baselines::saved::Saved;
use familiar_baselines::settings::{Model, Settings, Size, Task};
use familiar_baselines::training::{self, Event, TrainingOptions};
use familiar_baselines::{BaselineError, aroma};

const MEMORY: usize = 1 << 30;

pub(crate) fn options(folder: &Path, model: Model, task: Task) -> TrainingOptions {
    let mut settings = Settings::new(model, task, Size::Small).expect("the model learns the task");
    settings.epochs = match (model, task) {
        (Model::Bag, Task::Classification) => 30,
        (Model::Bag, _) | (Model::Transformer, Task::Classification) => 8,
        (_, Task::Masked) => 5,
        (Model::Gcn | Model::GcnV | Model::Gin | Model::GinV, _) => 12,
        _ => 4,
    };
    settings.batch = 16;
    settings.pairs = 4;
    settings.rate = if model == Model::Bag { 1e-3 } else { 3e-3 };
    TrainingOptions {
        data: folder.join("data"),
        watch: None,
        settings,
        from: None,
        output: folder.join("model"),
        memory: MEMORY,
        threads: 2,
    }
}

pub(crate) fn measured(folder: &Path, data: &str) -> Result<Measured, BaselineError> {
    let (model, data) = (folder.join("model"), folder.join("data").join(data));
    measure::run(&MeasureOptions { model, data, memory: MEMORY, threads: 2 })
}

/// Trains with all that is said meanwhile.
pub(crate) fn train(options: &TrainingOptions) -> Result<(Saved, Vec<Event>), BaselineError> {
    let mut events = Vec::new();
    let saved = training::run(options, &mut |event| events.push(event.clone()))?;
    Ok((saved, events))
}

/// What a model comes to after a short training.
fn learnt(model: Model, task: Task) -> f64 {
    let folder = tempfile::tempdir().expect("a folder can be made");
    data::write(&folder.path().join("data"));
    train(&options(folder.path(), model, task)).expect("it is trained");
    measured(folder.path(), "test.jsonl").expect("it is measured").main()
}

#[test]
fn models_tell_problems_apart() {
    for model in [Model::Bag, Model::Cnn, Model::GcnV, Model::Gin, Model::Transformer] {
        let (name, accuracy) = (model.name(), learnt(model, Task::Classification));
        assert!(accuracy > 0.45, "{name} is right {accuracy} of the time, and guessing would be 0.25");
    }
}

#[test]
fn pairs_of_one_problem_are_told_from_others() {
    for model in [Model::Bag, Model::Cnn] {
        let accuracy = learnt(model, Task::Similarity);
        assert!(accuracy > 0.6, "{} is right {accuracy} of the time", model.name());
    }
}

#[test]
fn programs_of_one_problem_are_ranked_first() {
    let map_at_r = learnt(Model::Misim, Task::Retrieval);
    assert!(map_at_r > 0.6, "MAP@R is {map_at_r}");
}

#[test]
fn masked_words_are_inferred() {
    let accuracy = learnt(Model::Transformer, Task::Masked);
    assert!(accuracy > 0.4, "{accuracy} of the words are inferred");
}

/// Copies count as programs of the same problem, and say nothing else.
#[test]
fn rewritten_copies_are_trained_on_too() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    data::write(&folder.path().join("data"));
    let mut options = options(folder.path(), Model::CnnAll, Task::Classification);
    options.settings.epochs = 1;
    let started = |options: &TrainingOptions| match train(options).expect("it is trained").1[0] {
        Event::Start { programs, problems, .. } => (programs, problems),
        ref other => panic!("training starts with {other:?}"),
    };
    let (programs, problems) = started(&options);
    let accuracy = measured(folder.path(), "test.jsonl").expect("it is measured");
    assert!(accuracy.confused.iter().all(|it| it.classes[0] < it.classes[1] && it.programs > 0));
    options.settings.rewritten = Some(2);
    options.output = folder.path().join("rewritten");
    let (with_copies, same_problems) = started(&options);
    assert_eq!(problems, same_problems);
    assert!(with_copies > 2 * programs && with_copies <= 3 * programs, "{with_copies} of {programs}");
}

#[test]
fn aroma_is_measured_without_training() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    data::write(folder.path());
    let data = folder.path().join("test.jsonl");
    let options = MeasureOptions { model: "aroma".into(), data, memory: MEMORY, threads: 2 };
    let measured = aroma::run(&options).expect("it is measured");
    assert!(measured.map_at_r.expect("programs are ranked") > 0.9);
}

/// Training that was stopped after an epoch ends where training in one go does, to the byte.
#[test]
fn training_goes_on_where_it_was_stopped() {
    let (whole, parts) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    data::write(&whole.path().join("data"));
    data::write(&parts.path().join("data"));
    let settings = options(whole.path(), Model::Cnn, Task::Classification);
    train(&settings).expect("it is trained");
    let stopping = options(parts.path(), Model::Cnn, Task::Classification);
    let stopped = std::panic::catch_unwind(|| {
        training::run(&stopping, &mut |event| assert!(!matches!(event, Event::Epoch(it) if it.epoch == 2)))
    });
    assert!(stopped.is_err(), "it is stopped when its second epoch has ended");
    let (_, events) = train(&stopping).expect("it is trained");
    assert!(matches!(events[0], Event::Start { step, .. } if step > 0), "it begins anew: {:?}", events[0]);
    let weights = |folder: &Path| std::fs::read(folder.join("model/weights.safetensors")).expect("weights");
    assert!(weights(whole.path()) == weights(parts.path()), "the weights differ");
}

/// A network that tells problems apart has an easier time with pairs. Weights of another model are refused.
#[test]
fn training_starts_with_the_weights_of_another_task() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    data::write(&folder.path().join("data"));
    let first = options(folder.path(), Model::Cnn, Task::Classification);
    let (before, _) = train(&first).expect("it is trained");
    let mut second = options(folder.path(), Model::Cnn, Task::Similarity);
    second.settings.epochs = 3;
    second.from = Some(first.output);
    second.output = folder.path().join("pairs");
    let (after, events) = train(&second).expect("it is trained");
    assert!(matches!(events[0], Event::Start { taken, weights, .. } if taken > 0 && taken < weights));
    assert_eq!(after.symbols, before.symbols);
    assert!(after.epochs[2].valid > 0.7, "{} of the pairs after three epochs", after.epochs[2].valid);

    second.settings = options(folder.path(), Model::Transformer, Task::Similarity).settings;
    assert!(matches!(train(&second), Err(BaselineError::OtherModel { .. })));
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let data = folder.path().join("data");
    data::write(&data);
    let refused = Settings::new(Model::Bag, Task::Masked, Size::Small).expect_err("it is refused");
    assert!(matches!(refused, BaselineError::NotForTask { .. }));
    // Another model stands in the folder.
    let first = options(folder.path(), Model::Bag, Task::Classification);
    train(&first).expect("it is trained");
    let other = options(folder.path(), Model::Cnn, Task::Classification);
    assert!(matches!(train(&other), Err(BaselineError::OtherSettings { .. })));
    // Every weight becomes infinite in the first step.
    let mut wild = options(folder.path(), Model::Bag, Task::Classification);
    wild.settings.rate = f64::MAX;
    wild.output = folder.path().join("wild");
    assert!(matches!(train(&wild), Err(BaselineError::NotANumber { .. })));
    // A file is no benchmark: it would be validated on what it is trained on.
    let mut table = options(folder.path(), Model::Bag, Task::Classification);
    table.data = data.join("train.jsonl");
    assert!(matches!(train(&table), Err(BaselineError::NoBenchmark { .. })));
    // One problem alone.
    let line = std::fs::read_to_string(data.join("train.jsonl")).expect("it is text");
    let line = line.lines().next().expect("there is a line");
    std::fs::write(data.join("train.jsonl"), format!("{line}\n{line}\n")).expect("it can be written");
    let mut lonely = options(folder.path(), Model::Bag, Task::Classification);
    lonely.output = folder.path().join("lonely");
    assert!(matches!(train(&lonely), Err(BaselineError::TooFew { .. })));
}

/// Asserts that a document follows a schema of the documentation.
pub(crate) fn follows(document: &serde_json::Value, schema: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats").join(schema);
    let text = std::fs::read(path).expect("the schema can be read");
    let schema = serde_json::from_slice(&text).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let errors: Vec<String> = validator.iter_errors(document).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
}

#[test]
fn what_is_written_follows_its_schemas() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    data::write(&folder.path().join("data"));
    let mut options = options(folder.path(), Model::Bag, Task::Classification);
    // The folder of a benchmark stands for its test.
    options.watch = Some(folder.path().join("data"));
    train(&options).expect("it is trained");
    let text = std::fs::read(folder.path().join("model/model.json")).expect("it is written");
    follows(&serde_json::from_slice(&text).expect("it is JSON"), "codenet-model-1.schema.json");
    let mut text = Vec::new();
    let measured = measured(folder.path(), "test.jsonl").expect("it is measured");
    measured.write_json(&mut text).expect("a list takes all");
    follows(&serde_json::from_slice(&text).expect("it is JSON"), "codenet-evaluate-1.schema.json");
}

#[test]
fn rows_that_cannot_be_used_are_counted() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    data::write(&folder.path().join("data"));
    train(&options(folder.path(), Model::Bag, Task::Classification)).expect("it is trained");
    let path = folder.path().join("data/test.jsonl");
    let mut text = std::fs::read_to_string(&path).expect("it is text");
    // No problem, no code, an unknown language, a problem that the model does not know, and an empty program.
    text.push_str("{\"id\":\"a\",\"lang\":\"c\",\"code\":\"int a;\"}\n{\"id\":\"b\",\"lang\":\"c\",\"problem_id\":\"sum\"}\n");
    text.push_str("{\"id\":\"c\",\"lang\":\"klingon\",\"problem_id\":\"sum\",\"code\":\"int a;\"}\n");
    text.push_str("{\"id\":\"d\",\"lang\":\"c\",\"problem_id\":\"other\",\"code\":\"int a;\"}\n");
    text.push_str("{\"id\":\"e\",\"lang\":\"c\",\"problem_id\":\"sum\",\"code\":\"\"}\n");
    std::fs::write(&path, text).expect("it can be written");
    assert_eq!(measured(folder.path(), "test.jsonl").expect("it is measured").left_out, 5);
    let nowhere = MeasureOptions { model: "nowhere".into(), data: path, memory: MEMORY, threads: 1 };
    let error = measure::run(&nowhere).expect_err("there is no model").to_string();
    assert!(error.contains("nowhere") && error.contains("codenet train"), "{error}");
    let half = folder.path().join("model/weights.safetensors");
    std::fs::write(&half, "half").expect("it can be written");
    assert!(matches!(measured(folder.path(), "test.jsonl"), Err(BaselineError::NoModel { .. })));
}
