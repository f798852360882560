//! What blobs say of their own license: read out of their text, and kept where the text is not.

use familiar_license::{Detector, Expression, Layer, LayerKind, infer};
use familiar_source::BlobId;
use familiar_store::tables::LicenseRow;
use serde::{Deserialize, Serialize};

/// What a text says of its own license, the word that counts most first.
pub(crate) fn of_text(text: &[u8]) -> Vec<Layer> {
    let text = String::from_utf8_lossy(text);
    infer::file_layers(&text, &Detector::embedded().detect(&text))
}

/// The rows that tables keep of a blob's layers.
pub(crate) fn rows(blob: BlobId, layers: &[Layer]) -> impl Iterator<Item = LicenseRow> {
    layers.iter().map(move |layer| LicenseRow {
        blob,
        layer: layer.kind.name().to_owned(),
        expression: layer.expression.as_ref().map(ToString::to_string),
        evidence: layer.evidence.clone(),
        lines: layer.lines,
        score: layer.score.map(rounded),
        rule: layer.rule.clone(),
    })
}

/// A share with as many digits as it is worth.
pub(crate) fn rounded(share: f32) -> f64 {
    (f64::from(share) * 10_000.0).round() / 10_000.0
}

/// A layer in a segment.
#[derive(Serialize, Deserialize)]
struct Kept(String, Option<String>, String, Option<(u32, u32)>, Option<f32>, Option<String>);

/// What a segment keeps of a blob's layers, also where there are none.
pub(crate) fn encode(layers: &[Layer]) -> Vec<u8> {
    let kept = |layer: &Layer| {
        let expression = layer.expression.as_ref().map(ToString::to_string);
        let (name, evidence) = (layer.kind.name().to_owned(), layer.evidence.clone());
        Kept(name, expression, evidence, layer.lines, layer.score, layer.rule.clone())
    };
    let kept: Vec<Kept> = layers.iter().map(kept).collect();
    serde_json::to_vec(&kept).expect("plain data is written to memory")
}

/// The layers that [`encode`] was given; none where the bytes are not what it gives.
pub(crate) fn decode(bytes: &[u8]) -> Option<Vec<Layer>> {
    let of_file = [LayerKind::SnippetTag, LayerKind::FileTag, LayerKind::Sidecar, LayerKind::FileNotice];
    let layer = |Kept(name, expression, evidence, lines, score, rule): Kept| {
        Some(Layer {
            kind: of_file.into_iter().find(|kind| kind.name() == name)?,
            expression: expression.and_then(|text| Expression::parse(&text).ok()),
            evidence,
            path: None,
            lines,
            score,
            rule,
        })
    };
    serde_json::from_slice::<Vec<Kept>>(bytes).ok()?.into_iter().map(layer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_expression_comes_back_from_its_text() {
        for text in &familiar_license::rules::Rules::embedded().expressions {
            let Ok(expression) = Expression::parse(text) else { continue };
            assert_eq!(Expression::parse(&expression.to_string()).as_ref(), Ok(&expression), "{text}");
        }
    }

    #[test]
    fn layers_come_back_from_a_segment() {
        let layer = Layer {
            kind: LayerKind::FileNotice,
            expression: Expression::parse("MIT OR Apache-2.0").ok(),
            evidence: "a notice".to_owned(),
            path: None,
            lines: Some((2, 9)),
            score: Some(0.875),
            rule: Some("mit_12".to_owned()),
        };
        let bare = Layer { kind: LayerKind::FileTag, expression: None, lines: None, ..layer.clone() };
        for layers in [vec![], vec![layer, bare]] {
            let bytes = encode(&layers);
            assert!(!bytes.is_empty(), "that nothing was found is known too");
            assert_eq!(decode(&bytes), Some(layers));
        }
        assert_eq!(decode(b"[[\"license-file\",null,\"\",null,null,null]]"), None);
        assert_eq!(decode(b"["), None);
    }
}
