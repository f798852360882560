//! Training end to end on a handful of problems, and the two networks against each other.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use candle_core::Device;
use familiar_model::network::{Sizes, layout};
use familiar_model::weights::Weights;
use familiar_model::{Blends, Builtin, Code, Encoder, SequenceReader, Stage, Unblended};
use familiar_source::Language;
use familiar_train::TrainError;
use familiar_train::bag::Kind;
use familiar_train::batch::{Batch, View, draw};
use familiar_train::gathering;
use familiar_train::network::{BeginError, Network};
use familiar_train::recipe::Recipe;
use familiar_train::run::{self, Event, Folders};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

const RECIPE: &str = r#"
name = "tiny"
seed = 7

[network]
token = 16
token_inner = 32
token_blocks = 1
statement = 32
statement_inner = 32
statement_layers = 1
heads = 2
pooling_heads = 4
output = 16
context = 64
statements = 16
bag = 8

[words]
steps = 100
scale = 0.3
times = 1
rate = 0.1
temperature = 0.1
augmentation = { blind = 0.0, rename = 0.3, hide = 0.05, drop_statements = 0.05 }

[forms]
steps = 100
scale = 0.3
times = 1
rate = 0.1
temperature = 0.1
augmentation = { blind = 0.0, rename = 0.0, hide = 0.05, drop_statements = 0.05 }

[training]
steps = STEPS
warmup = 2
rate = 0.01
weight_decay = 0.01
temperature = 0.1
clip = 1.0

[augmentation]
blind = 0.5
rename = 0.3
hide = 0.05
drop_statements = 0.05

[[source]]
file = "rows.jsonl"
only = [{ field = "split", values = ["train"] }]
groups_in_batch = 4
rows_of_group = 3
mix_languages = true

[[source]]
file = "rows.jsonl"
only = [{ field = "split", values = ["valid"] }]
groups_in_batch = 0
rows_of_group = 0
validation = true

[[source]]
packages = ["package"]
functions_of_package = 100
groups_in_batch = 1
rows_of_group = 2
"#;

/// Four problems, each solved with other names and numbers of steps, in Python and in C.
fn rows() -> String {
    let mut rows = String::new();
    for (problem, operator) in ["+", "*", "-", "/"].into_iter().enumerate() {
        for solution in 0..6 {
            let is_training = solution < 4;
            let split = if is_training { "train" } else { "valid" };
            // What reads like an example that is kept apart would not be trained on.
            let start = if is_training { "1" } else { "1 + 2" };
            let name = ["total", "acc", "out", "r", "result", "sum"][solution];
            let (lang, code) = if solution % 2 == 0 {
                (
                    "python",
                    format!(
                        "def f(items):\n    {name} = {start}\n    for x in items:\n        {name} = {name} {operator} x\n    return {name}\n"
                    ),
                )
            } else {
                (
                    "c",
                    format!(
                        "int f(int* items, int n) {{ int {name} = {start}; for (int i = 0; i < n; i++) {{ {name} = {name} {operator} items[i]; }} return {name}; }}"
                    ),
                )
            };
            let row = serde_json::json!({ "problem_id": format!("p{problem}"), "lang": lang, "code": code, "split": split });
            writeln!(rows, "{row}").expect("a string takes all");
        }
    }
    rows
}

fn prepare(folder: &Path) -> Folders {
    std::fs::write(folder.join("rows.jsonl"), rows()).expect("a temporary folder can be written");
    let package = folder.join("package");
    std::fs::create_dir(&package).expect("a temporary folder can be written");
    let code = "def one(a, b):\n    c = a + b\n    d = [c, a, b]\n    for x in d:\n        print(x, c)\n    if a > b:\n        return None\n    while c < 100:\n        c = c + a\n    return d[0] + d[1]\n\ndef two(s):\n    words = s.split(',')\n    out = {}\n    for i, w in enumerate(words):\n        out[w] = out.get(w, 0) + i\n    for k in sorted(out):\n        yield k, out[k]\n";
    std::fs::write(package.join("a.py"), code).expect("a temporary folder can be written");
    let data = Some(folder.to_owned());
    Folders { packages: data.clone(), data, examples: None, out: folder.join("out") }
}

fn recipe(steps: usize, folder: &Path) -> Recipe {
    let path = folder.join("recipe.toml");
    std::fs::write(&path, RECIPE.replace("STEPS", &steps.to_string()))
        .expect("a temporary folder can be written");
    Recipe::read(&path).expect("the recipe is one")
}

/// Tables in which nothing stands, and projections that change nothing.
fn no_bags(sizes: &Sizes) -> BTreeMap<String, Vec<f32>> {
    let zeros = |weight: &layout::Weight| vec![0.0; weight.rows * weight.columns];
    let identity = |weight: &layout::Weight| {
        let ones = |at: usize| f32::from(u8::from(at / weight.columns == at % weight.columns));
        (0..weight.rows * weight.columns).map(ones).collect()
    };
    let values = |weight: layout::Weight| match weight.name.as_str() {
        layout::BAG_WORDS | layout::BAG_FORMS | layout::RARITIES => {
            Some((weight.name.clone(), zeros(&weight)))
        }
        name if layout::PROJECTIONS.contains(&name) => Some((weight.name.clone(), identity(&weight))),
        _ => None,
    };
    layout::weights(sizes).into_iter().filter_map(values).collect()
}

#[test]
fn training_lowers_the_loss_and_writes_weights_that_encode() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folders = prepare(folder.path());
    let (mut losses, mut by_forms) = (Vec::new(), 0.0);
    run::run(&recipe(200, folder.path()), &folders, &mut |event| match event {
        Event::Loss { loss, .. } => losses.push(loss),
        Event::BagMapAtR { kind: Kind::Forms, map_at_r, .. } => by_forms = map_at_r,
        _ => {}
    })
    .expect("training works");
    assert!(losses.len() == 4 && losses[3] < losses[0] * 0.95, "{losses:?}");
    let encoder = Builtin::open(&folders.out.join("weights.bin")).expect("weights were written");
    assert_eq!((encoder.name(), encoder.dimensions()), ("tiny", 16 + 8 + 128 + 8));
    let fast = encoder.at_stage(Stage::Static);
    assert_eq!((fast.name(), fast.dimensions()), ("tiny static", 8 + 128 + 8));
    assert!(by_forms > 0.6, "{by_forms}");
}

/// Stopped and gone on with, training ends where it would have ended.
#[test]
fn training_goes_on_from_its_checkpoint_and_refuses_that_of_another_recipe() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folders = prepare(folder.path());
    run::run(&recipe(6, folder.path()), &folders, &mut |_| {}).expect("training works");
    let mut steps = Vec::new();
    run::run(&recipe(6, folder.path()), &folders, &mut |event| {
        if let Event::Start { step, .. } = event {
            steps.push(step);
        }
    })
    .expect("nothing is left to do");
    assert_eq!(steps, [6]);
    let other = run::run(&recipe(7, folder.path()), &folders, &mut |_| {});
    assert!(matches!(other, Err(TrainError::OtherRecipe { .. })), "{other:?}");
}

/// Functions of one name in packages of two languages are a group; what a benchmark holds, under other names, is none.
#[test]
fn families_are_learnt_from_and_benchmarks_are_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    prepare(folder.path());
    let write = |path: &str, text: &str| {
        std::fs::write(folder.path().join(path), text).expect("a temporary folder can be written");
    };
    std::fs::create_dir(folder.path().join("other")).expect("a temporary folder can be written");
    let one = "function one(a, b) {\n  let c = a + b;\n  const d = [c, a, b];\n  for (const x of d) { console.log(x, c); }\n  if (a > b) { return null; }\n  while (c < 100) { c = c + a; }\n  return d[0] + d[1];\n}\n";
    write("other/a.js", one);
    let solution =
        "def g(values):\n    whole = 1\n    for v in values:\n        whole = whole + v\n    return whole\n";
    let pair =
        serde_json::json!({ "lang1": "python", "code1": solution, "lang2": "javascript", "code2": "" });
    write("apart.jsonl", &pair.to_string());
    let families = "[[source]]\nfamilies = [[\"package\", \"other\"]]\nfunctions_of_package = 9\ngroups_in_batch = 1\nrows_of_group = 2\n";
    let apart =
        "[[apart]]\nfile = \"apart.jsonl\"\ncode = [[\"lang1\", \"code1\"], [\"lang2\", \"code2\"]]\n";
    write("more.toml", &format!("{RECIPE}\n{families}\n{apart}").replace("STEPS", "1"));
    let recipe = Recipe::read(&folder.path().join("more.toml")).expect("the recipe is one");
    let data = gathering::data(&recipe, folder.path(), folder.path()).expect("the data can be read");
    assert_eq!(data.overlaps, 2, "the two solutions in Python of the problem that adds");
    assert_eq!(data.training[3].groups.iter().map(Vec::len).collect::<Vec<_>>(), [2]);
}

/// A network that begins with the weights of a smaller one computes what that one does.
#[test]
fn what_begins_with_weights_computes_what_they_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sizes = recipe(1, folder.path()).sizes().expect("the sizes are good");
    let random = &mut ChaCha8Rng::seed_from_u64(3);
    let small = Network::new(sizes, &Device::Cpu, random).expect("a network can be made");
    let larger = Sizes { statement_layers: 2, ..sizes };
    let large = Network::new(larger, &Device::Cpu, random).expect("a network can be made");
    let weights = small
        .export("tiny", &Blends::UNKNOWN, &Unblended::default(), &no_bags(&sizes))
        .expect("a network can be written");
    let values = || Weights::values(&weights).expect("what is written can be read").1;
    large.begin_with(values()).expect("the weights fit");
    let code = b"int f(int a, int b) { while (a > 3) { a = g(a, \"x y\"); b += a; } return a + b; }";
    let sequence = SequenceReader::default().read(Language::C, code);
    let vector = |network: &Network| {
        let batch = Batch::new(&[View::plain(&sequence, &sizes)]);
        network
            .forward(&batch)
            .expect("it computes")
            .flatten_all()
            .expect("one row")
            .to_vec1::<f32>()
            .expect("numbers")
    };
    let cosine: f32 = vector(&small).iter().zip(vector(&large)).map(|(a, b)| a * b).sum();
    assert!(cosine > 0.999, "{cosine}");
    let other =
        Network::new(Sizes { token: 8, ..sizes }, &Device::Cpu, random).expect("a network can be made");
    assert!(other.begin_with(values()).is_err_and(|error| matches!(error, BeginError::Size(_))));
}

/// Groups are drawn that one author has solved in one language, and each begins with that author's row.
#[test]
fn groups_of_one_author_are_drawn_together() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut rows = String::new();
    for problem in 0..40 {
        for (author, lang) in [("ann", "python"), ("bob", "java"), ("eve", "c")] {
            // Ann has solved five of them, the others one each.
            let author = if author == "ann" && problem % 8 == 0 {
                "ann".to_owned()
            } else {
                format!("{author}{problem}")
            };
            let code =
                format!("total{problem} = first + {problem} * second ; print ( total{problem} , {problem} )");
            let row = serde_json::json!({ "problem_id": format!("p{problem}"), "lang": lang, "code": code, "author": author });
            writeln!(rows, "{row}").expect("a string takes all");
        }
    }
    prepare(folder.path());
    std::fs::write(folder.path().join("rows.jsonl"), rows).expect("a temporary folder can be written");
    let mut recipe = recipe(1, folder.path());
    recipe.source.truncate(1);
    recipe.source[0].only.clear();
    recipe.source[0].groups_of_author = 3;
    let data = gathering::data(&recipe, folder.path(), folder.path()).expect("the rows can be read");
    assert_eq!(data.training[0].authors.len(), 1);
    let of_ann: Vec<u32> = data.training[0].authors[0].iter().map(|(_, example)| *example).collect();
    assert_eq!(of_ann.len(), 5);
    for seed in 0..20 {
        let drawn = draw(&data, &recipe, &mut ChaCha8Rng::seed_from_u64(seed));
        let groups: Vec<&[u32]> = drawn.chunks(3).collect();
        assert!((3..=4).contains(&groups.len()));
        assert!(groups.iter().filter(|group| of_ann.contains(&group[0])).count() >= 3);
        let mut distinct: Vec<u32> =
            drawn.iter().map(|&number| data.examples[number as usize].group).collect();
        distinct.dedup();
        assert_eq!(distinct.len(), groups.len(), "no group twice");
    }
}

/// What begins with several files begins with their mean.
#[test]
fn training_begins_with_the_mean_of_what_it_is_given() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folders = prepare(folder.path());
    let path = |seed: u64| folder.path().join(seed.to_string()).join("weights.bin");
    let trained = |seed: u64, start: &[u64]| {
        let start = start.iter().map(|&seed| path(seed)).collect();
        let recipe = Recipe { seed, start, ..recipe(0, folder.path()) };
        let out = folder.path().join(seed.to_string());
        run::run(&recipe, &Folders { out, ..folders.clone() }, &mut |_| {})?;
        let bytes = std::fs::read(path(seed)).expect("weights are written");
        Ok::<_, TrainError>(Weights::values(&bytes).expect("they can be read").1["output.weight"].clone())
    };
    let [first, second] = [1, 2].map(|seed| trained(seed, &[]).expect("it runs"));
    let mean = trained(3, &[1, 2]).expect("it runs");
    let greatest = mean.iter().fold(0.0f32, |greatest, x| greatest.max(x.abs()));
    for ((first, second), mean) in first.iter().zip(second).zip(mean) {
        assert!((f32::midpoint(*first, second) - mean).abs() < greatest / 50.0);
    }
    std::fs::write(path(1), "nothing").expect("a temporary folder can be written");
    assert!(matches!(trained(4, &[2, 1]), Err(TrainError::Start { path: of, .. }) if of == path(1)));
}

/// The network that is trained and the one that is used give the same vectors, but for the rounding to eight bits.
#[test]
fn both_networks_agree() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sizes = recipe(1, folder.path()).sizes().expect("the sizes are good");
    let network =
        Network::new(sizes, &Device::Cpu, &mut ChaCha8Rng::seed_from_u64(3)).expect("a network can be made");
    let weights = network
        .export("tiny", &Blends::UNKNOWN, &Unblended::default(), &no_bags(&sizes))
        .expect("a network can be written");
    let encoder = Builtin::new(Weights::read(&weights).expect("what is written can be read"));
    let codes = [
        "int f(int a, int b) { while (a > 3) { a = g(a, \"x y\"); b += a; } return a + b; }",
        "void g() { puts(\"hello\"); }",
    ];
    let mut reader = SequenceReader::default();
    let sequences: Vec<_> = codes.iter().map(|code| reader.read(Language::C, code.as_bytes())).collect();
    let views: Vec<View<'_>> = sequences.iter().map(|sequence| View::plain(sequence, &sizes)).collect();
    let trained = network.forward(&Batch::new(&views)).expect("it computes").to_vec2::<f32>().expect("rows");
    let codes = codes.map(|code| Code { language: Language::C, text: code.as_bytes() });
    let used = encoder.encode(&codes).expect("it does not fail");
    for (trained, used) in trained.iter().zip(used.rows()) {
        // The bags' parts are zero.
        let cosine: f32 = trained.iter().zip(used).map(|(a, b)| a * b).sum();
        assert!(cosine > 0.995, "{cosine}");
    }
}
