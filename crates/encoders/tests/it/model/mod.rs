//! Tiny models in ONNX, written by hand, and their tokenizer.

use tempfile::TempDir;

/// Words without parts, and what stands around every text as in RoBERTa.
pub(crate) const TOKENIZER: &str = r#"{
  "version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null, "decoder": null,
  "pre_tokenizer": {"type": "Whitespace"},
  "post_processor": {"type": "RobertaProcessing", "sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets": true,
    "add_prefix_space": false},
  "model": {"type": "WordLevel", "unk_token": "<unk>",
    "vocab": {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3, "a": 4, "b": 5}}
}"#;

/// What a model is asked for and gives. All but the last look rows of [`TABLE`] up.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// A vector for each token, by its number; the mask is taken and not used.
    Tokens,
    /// The same with numbers of 32 bits.
    ShortNumbers,
    /// A vector for each token, by its position.
    Positions,
    /// The mean over all tokens, padding included.
    Texts,
    /// One number for each text.
    Flat,
    /// Wants an image.
    Image,
}

/// Nothing for the tokens around a text, much for padding, `a` and `b` at right angles.
const TABLE: [[f32; 2]; 6] = [[0.0, 0.0], [100.0, 50.0], [0.0, 0.0], [-1.0, 0.0], [1.0, 0.0], [0.0, 1.0]];

/// A folder with a model and its tokenizer.
pub(crate) fn folder(kind: Kind) -> TempDir {
    let dir = tempfile::tempdir().expect("the temporary folder can be written");
    write(&dir, "model.onnx", &model(kind));
    write(&dir, "tokenizer.json", TOKENIZER.as_bytes());
    dir
}

pub(crate) fn write(dir: &TempDir, name: &str, bytes: &[u8]) {
    let path = dir.path().join(name);
    std::fs::create_dir_all(path.parent().expect("below the folder")).expect("can be written");
    std::fs::write(path, bytes).expect("can be written");
}

fn model(kind: Kind) -> Vec<u8> {
    let (float, int32, int64) = (1, 6, 7);
    let ids = if matches!(kind, Kind::ShortNumbers) { int32 } else { int64 };
    let looked_up = if matches!(kind, Kind::Positions) { "position_ids" } else { "input_ids" };
    let mut inputs = vec![value("input_ids", ids, 2), value("attention_mask", ids, 2)];
    match kind {
        Kind::Positions => inputs.push(value("position_ids", ids, 2)),
        Kind::Image => inputs.push(value("pixel_values", float, 2)),
        _ => {}
    }
    let mut nodes = vec![node("Gather", &["table", looked_up], "last_hidden_state", &[])];
    let output = match kind {
        Kind::Texts => {
            nodes.push(node("ReduceMean", &["last_hidden_state"], "sentence_embedding", &[1]));
            value("sentence_embedding", float, 2)
        }
        Kind::Flat => {
            nodes.push(node("ReduceMean", &["last_hidden_state"], "score", &[1, 2]));
            value("score", float, 1)
        }
        _ => value("last_hidden_state", float, 3),
    };
    let numbers: Vec<u8> = TABLE.iter().flatten().flat_map(|x| x.to_le_bytes()).collect();
    let table = message(&[
        number(1, TABLE.len() as u64),
        number(1, 2),
        number(2, float),
        bytes(8, b"table"),
        bytes(9, &numbers),
    ]);
    let mut graph: Vec<Vec<u8>> = nodes.iter().map(|node| bytes(1, node)).collect();
    graph.extend([bytes(2, b"tiny"), bytes(5, &table)]);
    graph.extend(inputs.iter().map(|input| bytes(11, input)));
    graph.push(bytes(12, &output));
    let opset = message(&[bytes(1, b""), number(2, 13)]);
    message(&[number(1, 8), bytes(7, &message(&graph)), bytes(8, &opset)])
}

/// An operation; `axes` are those that it reduces.
fn node(operation: &str, inputs: &[&str], output: &str, axes: &[u64]) -> Vec<u8> {
    let mut fields: Vec<Vec<u8>> = inputs.iter().map(|input| bytes(1, input.as_bytes())).collect();
    fields.extend([bytes(2, output.as_bytes()), bytes(4, operation.as_bytes())]);
    if !axes.is_empty() {
        let mut attribute = vec![bytes(1, b"axes"), number(20, 7)];
        attribute.extend(axes.iter().map(|&axis| number(8, axis)));
        let keep = message(&[bytes(1, b"keepdims"), number(3, 0), number(20, 2)]);
        fields.extend([bytes(5, &message(&attribute)), bytes(5, &keep)]);
    }
    message(&fields)
}

/// An input or output with so many dimensions of any length.
fn value(name: &str, element: u64, rank: usize) -> Vec<u8> {
    let dimension = |at: usize| bytes(1, &bytes(2, format!("{name}{at}").as_bytes()));
    let shape: Vec<Vec<u8>> = (0..rank).map(dimension).collect();
    let tensor = message(&[number(1, element), bytes(2, &message(&shape))]);
    message(&[bytes(1, name.as_bytes()), bytes(2, &bytes(1, &tensor))])
}

fn message(fields: &[Vec<u8>]) -> Vec<u8> {
    fields.concat()
}

/// A field of Protocol Buffers that holds a number.
fn number(field: u64, value: u64) -> Vec<u8> {
    [varint(field << 3), varint(value)].concat()
}

/// A field that holds bytes, a text or a message.
fn bytes(field: u64, value: &[u8]) -> Vec<u8> {
    [varint(field << 3 | 2), varint(value.len() as u64), value.to_vec()].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}
