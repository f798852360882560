//! Whatever a text says of licenses stands in it, on lines that it has.
//!
//! The first byte of a piece chooses a rule, of whose words the piece takes some, so that whole and edited notices come up.
#![no_main]

use familiar_license::Detector;
use familiar_license::rules::Rules;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|pieces: Vec<(u16, u8, u8, String)>| {
    let rules = Rules::embedded();
    let mut text = String::new();
    for (rule, from, count, between) in pieces {
        let tokens = rules.tokens(u32::from(rule) % rules.rules.len() as u32);
        for token in tokens.iter().skip(usize::from(from)).take(usize::from(count)) {
            let word = rules.vocabulary.words.iter().find(|word| word.1 == *token);
            text.extend(word.map(|word| word.0.as_str()));
            text.push(' ');
        }
        text.push_str(&between);
    }
    let detected = Detector::embedded().detect(&text);
    let lines = text.split('\n').count() as u32;
    for found in detected.matches.iter().chain(&detected.mentions) {
        assert!(text.get(found.bytes.0..found.bytes.1).is_some());
        assert!(1 <= found.lines.0 && found.lines.0 <= found.lines.1 && found.lines.1 <= lines);
        assert!((0.0..=1.0).contains(&found.score));
    }
    if let Some(expression) = detected.expression() {
        assert!(expression.to_string().parse::<familiar_license::Expression>().is_ok());
    }
});
