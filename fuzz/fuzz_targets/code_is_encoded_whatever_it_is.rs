//! Whatever bytes are read as whatever language: a sequence without gaps, and a vector of length 1 or 0.
#![no_main]

use familiar_model::{Builtin, Code, Encoder, SequenceReader};
use familiar_source::Language;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, &[u8])| {
    let (choice, bytes) = input;
    let languages: Vec<Language> = Language::all().collect();
    let language = languages[usize::from(choice) % languages.len()];
    let Ok(decoded) = familiar_syntax::decode::decode(bytes) else { return };
    let sequence = SequenceReader::default().read(language, &decoded.text);
    let count = sequence.len();
    assert!(
        [sequence.depths.len(), sequence.statements.len(), sequence.names.len(), sequence.word_ends.len()]
            .iter()
            .all(|&length| length == count)
    );
    assert!(sequence.statements.first().is_none_or(|&first| first == 0));
    assert!(sequence.statements.windows(2).all(|pair| pair[1] - pair[0] <= 1));
    assert_eq!(sequence.word_ends.last().map_or(0, |&end| end as usize), sequence.words.len());
    let encoder = Builtin::shipped();
    assert!(encoder.unblended(&sequence).iter().all(|x| x.is_finite()));
    let vectors = encoder.encode(&[Code { language, text: &decoded.text }]).expect("it does not fail");
    let length = vectors.cosine(0, 0);
    assert!((-1.01..1.01).contains(&encoder.crowding(vectors.row(0), language)));
    assert!(if count == 0 { length == 0.0 } else { (length - 1.0).abs() < 1e-3 }, "{length}");
});
