//! ScanCode's licenses and rules as one artefact. The relevance and the thresholds that rules leave open are those of
//! ScanCode 32.5 (`licensedcode/models.py`).

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, ensure};
use familiar_license::Expression;
use familiar_license::rules::{Flags, KnownLicense, Rule, Rules, STOP_WORDS, Vocabulary, Word, Words};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::distinguishing;
use crate::front_matter::FrontMatter;
use crate::later;
use crate::wheel;

const DATA: &str = "licensedcode/data/";
/// Rules of fewer tokens are matched approximately only in part, or not at all.
const SMALL: usize = 15;
const TINY: usize = 6;

/// Reads the wheel and writes the artefact.
#[allow(clippy::print_stdout)]
pub(crate) fn make(wheel: &Path, output: &Path) -> anyhow::Result<()> {
    let mut maker = Maker::new(&legal_words(wheel)?);
    for (name, file) in wheel::files(wheel, &format!("{DATA}licenses/"), ".LICENSE")? {
        let license = FrontMatter::of(&file).with_context(|| format!("{name} has no fields"))?;
        maker.add_license(&name, &license);
    }
    for (name, file) in wheel::files(wheel, &format!("{DATA}rules/"), ".RULE")? {
        let rule = FrontMatter::of(&file).with_context(|| format!("{name} has no fields"))?;
        maker.add_rule(&name, &rule).with_context(|| format!("{name} is not understood"))?;
    }
    for rule in &maker.corrected {
        println!("{rule}");
    }
    println!("{} rules corrected by their own words", maker.corrected.len());
    let rules = maker.finish();
    let bytes = rules.encode()?;
    ensure!(Rules::decode(&bytes)? == rules, "the artefact does not read back");
    std::fs::write(output, &bytes).with_context(|| format!("cannot write {}", output.display()))?;
    let (count, tokens) = (rules.rules.len(), rules.tokens.len());
    println!("{count} rules, {tokens} tokens, {} bytes in {}", bytes.len(), output.display());
    Ok(())
}

/// Legal words with their numbers.
fn legal_words(wheel: &Path) -> anyhow::Result<Vec<(String, Word)>> {
    let files = wheel::files(wheel, "licensedcode/legalese", ".py")?;
    let (_, source) = files.first().context("the wheel has no legal words")?;
    let entry = |line: &str| {
        let (word, number) = line.strip_prefix('\'')?.strip_suffix(',')?.split_once("':")?;
        Some((word.to_owned(), number.trim().parse().ok()?))
    };
    // What stands after the first table is not used by ScanCode either.
    let table = source.lines().take_while(|line| *line != "}");
    Ok(table.filter_map(entry).collect())
}

struct Maker {
    words: FxHashMap<String, Word>,
    legal: Word,
    next: Word,
    license_words: [Word; 3],
    /// SPDX's name of each key, of deprecated ones too.
    spdx: FxHashMap<String, String>,
    /// The keys of exceptions.
    exceptions: FxHashSet<String>,
    expressions: BTreeMap<String, u32>,
    rules: Rules,
    /// For each rule the number of its expression as they were met.
    texts: Vec<String>,
    /// Rules whose own words say something else than their expression.
    corrected: Vec<String>,
}

impl Maker {
    fn new(legal: &[(String, Word)]) -> Self {
        let words: FxHashMap<String, Word> = legal.iter().cloned().collect();
        let next = words.values().max().map_or(0, |&most| most + 1);
        let legal = next;
        let mut maker = Self {
            words,
            legal,
            next,
            license_words: [0; 3],
            spdx: FxHashMap::default(),
            exceptions: FxHashSet::default(),
            expressions: BTreeMap::new(),
            rules: Rules { starts: vec![0], ..Rules::default() },
            texts: Vec::new(),
            corrected: Vec::new(),
        };
        maker.license_words = ["license", "licence", "licensed"].map(|word| maker.number(word));
        maker
    }

    fn number(&mut self, word: &str) -> Word {
        *self.words.entry(word.to_owned()).or_insert_with(|| {
            self.next += 1;
            self.next - 1
        })
    }

    /// A license with its text, which is a rule too.
    fn add_license(&mut self, name: &str, license: &FrontMatter) {
        let key = license.value("key").unwrap_or_else(|| name.trim_end_matches(".LICENSE").to_owned());
        let id = license.value("spdx_license_key").unwrap_or_else(|| format!("LicenseRef-scancode-{key}"));
        self.spdx.insert(key.clone(), id.clone());
        if license.is("is_exception") {
            self.exceptions.insert(key.clone());
        }
        if license.is("is_deprecated") {
            return;
        }
        let aliases = license.list("other_spdx_license_keys").into_iter().map(str::to_owned).collect();
        let category = license.value("category").unwrap_or_else(|| "Unstated License".to_owned());
        self.rules.licenses.push(KnownLicense { id: id.clone(), category, aliases });
        if license.text.trim().is_empty() {
            return;
        }
        let rule = Rule {
            name: name.to_owned(),
            flags: Flags::TEXT,
            relevance: 100,
            minimum_coverage: license.number("minimum_coverage").unwrap_or(0) as u8,
            ..Rule::default()
        };
        let unknown = key.contains("unknown");
        let id = self.id(&key, false).unwrap_or(id);
        self.push(rule, id, unknown, license.text, false);
    }

    fn add_rule(&mut self, name: &str, fields: &FrontMatter) -> anyhow::Result<()> {
        if fields.is("is_deprecated") {
            return Ok(());
        }
        let false_positive = fields.is("is_false_positive");
        let expression = fields.value("license_expression").unwrap_or_default();
        ensure!(false_positive || !expression.is_empty(), "it names no license");
        let mut flags = Flags::default();
        for (field, flag) in [
            ("is_license_text", Flags::TEXT),
            ("is_license_notice", Flags::NOTICE),
            ("is_license_reference", Flags::REFERENCE),
            ("is_license_tag", Flags::TAG),
            ("is_license_intro", Flags::INTRO),
            ("is_license_clue", Flags::CLUE),
            ("is_false_positive", Flags::FALSE_POSITIVE),
            ("is_required_phrase", Flags::REQUIRED_PHRASE),
            ("is_continuous", Flags::CONTINUOUS),
        ] {
            flags = if fields.is(field) { flags.with(flag) } else { flags };
        }
        if !fields.list("referenced_filenames").is_empty() {
            flags = flags.with(Flags::NAMES_FILE);
        }
        let text = fields.text.trim_start();
        let is_address = ["http://", "https://", "ftp://"].iter().any(|scheme| text.starts_with(scheme));
        let minimum = if is_address && !text.contains('\n') { 100 } else { 0 };
        let rule = Rule {
            name: name.to_owned(),
            flags,
            // 0 stands for what its length says.
            relevance: if false_positive { 100 } else { fields.number("relevance").unwrap_or(0) as u8 },
            minimum_coverage: fields.number("minimum_coverage").unwrap_or(minimum).max(minimum) as u8,
            ..Rule::default()
        };
        let unknown = expression.contains("unknown");
        let known = self.in_spdx(&expression)?;
        let expression = later::as_said(known.clone(), rule.flags, text);
        if expression != known {
            self.corrected.push(format!("{name}: {expression}, not {known}"));
        }
        self.push(rule, expression, unknown, text, true);
        Ok(())
    }

    /// An expression of ScanCode's keys in SPDX's names.
    fn in_spdx(&self, expression: &str) -> anyhow::Result<String> {
        let mut result = String::new();
        let spaced = expression.replace('(', " ( ").replace(')', " ) ");
        for part in spaced.split_whitespace() {
            let part = match part.to_ascii_lowercase().as_str() {
                "(" | ")" => part.to_owned(),
                "and" | "or" | "with" => part.to_ascii_uppercase(),
                key => self.id(key, result.ends_with(" WITH"))?,
            };
            if !result.is_empty() && !result.ends_with('(') && part != ")" {
                result.push(' ');
            }
            result.push_str(&part);
        }
        if result.is_empty() || Expression::parse(&result).is_ok() {
            return Ok(result);
        }
        // What is an exception to ScanCode may be a license of its own to SPDX (CAL-1.0-Combined-Work-Exception).
        let (_, license) = result.split_once(" WITH ").context("no valid expression")?;
        Expression::parse(license).with_context(|| format!("{result} is no valid expression"))?;
        Ok(license.to_owned())
    }

    /// SPDX's name of a key. An exception that stands for itself is no license to SPDX, and gets a name that is allowed there.
    fn id(&self, key: &str, is_after_with: bool) -> anyhow::Result<String> {
        let id = self.spdx.get(key).with_context(|| format!("no license {key}"))?;
        let alone = self.exceptions.contains(key) && !is_after_with && !id.starts_with("LicenseRef-");
        Ok(if alone { format!("LicenseRef-scancode-{id}") } else { id.clone() })
    }

    fn push(&mut self, mut rule: Rule, expression: String, unknown: bool, text: &str, phrases: bool) {
        let Cut { tokens, stops, required } = self.cut(text, phrases);
        let length = tokens.len();
        if length == 0 {
            return;
        }
        rule.legal = tokens.iter().filter(|&&token| token < self.legal).count() as u32;
        rule.required = required;
        if unknown {
            rule.flags = rule.flags.with(Flags::UNKNOWN);
        }
        if rule.required.len() == 1 && rule.required[0].len() == length {
            rule.flags = rule.flags.with(Flags::CONTINUOUS);
        }
        if rule.flags.has(Flags::CONTINUOUS.with(Flags::REQUIRED_PHRASE)) || !rule.required.is_empty() {
            rule.stops = stops;
        }
        if rule.relevance == 0 {
            rule.relevance = relevance(length, rule.flags);
        }
        let short = rule.flags.has(Flags::REFERENCE.with(Flags::TAG));
        let never = Flags::FALSE_POSITIVE.with(Flags::REQUIRED_PHRASE).with(Flags::CONTINUOUS);
        let approximate = !rule.flags.has(never) && length >= TINY && !(length < SMALL && short);
        if approximate && rule.legal > 0 {
            rule.flags = rule.flags.with(Flags::APPROXIMATE);
        }
        for (token, flag) in
            [(tokens[0], Flags::STARTS_WITH_LICENSE), (tokens[length - 1], Flags::ENDS_WITH_LICENSE)]
        {
            if self.license_words.contains(&token) {
                rule.flags = rule.flags.with(flag);
            }
        }
        if rule.minimum_coverage == 0 {
            rule.minimum_coverage = match length {
                ..3 => 100,
                3..10 => 80,
                10..30 => 50,
                _ => 0,
            };
        }
        let next = self.expressions.len() as u32;
        rule.expression = *self.expressions.entry(expression.clone()).or_insert(next);
        if rule.expression == next {
            self.texts.push(expression);
        }
        self.rules.rules.push(rule);
        self.rules.tokens.extend_from_slice(&tokens);
        self.rules.starts.push(self.rules.tokens.len() as u32);
    }

    /// The tokens of a rule's text, with the stretches in double braces.
    fn cut(&mut self, text: &str, phrases: bool) -> Cut {
        let mut cut = Cut::default();
        let (mut words, mut word) = (Words::new(text), String::new());
        let mut open: Option<u32> = None;
        let mut from = 0;
        while let Some((_, span)) = words.next_into(&mut word) {
            if phrases {
                cut.braces(&text[from..span.start], &mut open);
            }
            from = span.end;
            if STOP_WORDS.contains(&word.as_str()) {
                if let Some(last) = cut.tokens.len().checked_sub(1) {
                    match cut.stops.last_mut().filter(|stop| stop.0 == last as u32) {
                        Some(stop) => stop.1 += 1,
                        None => cut.stops.push((last as u32, 1)),
                    }
                }
            } else {
                let number = self.number(&word);
                cut.tokens.push(number);
            }
        }
        if phrases {
            cut.braces(&text[from..], &mut open);
        }
        cut
    }

    fn finish(mut self) -> Rules {
        let mut words: Vec<(String, Word)> = self.words.into_iter().collect();
        words.sort();
        self.rules.vocabulary = Vocabulary { words, legal: self.legal };
        self.rules.expressions = self.texts;
        let anchors = anchors(&self.rules);
        for (rule, anchor) in self.rules.rules.iter_mut().zip(anchors) {
            rule.anchor = anchor;
        }
        self.rules.distinguishing = distinguishing::derive(&self.rules);
        self.rules
    }
}

/// For each rule where its rarest four tokens start.
fn anchors(rules: &Rules) -> Vec<u32> {
    let all = || (0..rules.rules.len() as u32).map(|rule| grams(rules.tokens(rule)));
    let mut common: FxHashMap<&[Word], u32> = FxHashMap::default();
    for gram in all().flatten() {
        *common.entry(gram).or_default() += 1;
    }
    let rarest = |grams| std::iter::zip(grams, 0u32..).min_by_key(|(gram, _)| common.get(gram).copied());
    all().map(|grams| rarest(grams).map_or(0, |(_, at)| at)).collect()
}

fn grams(tokens: &[Word]) -> impl Iterator<Item = &[Word]> {
    tokens.windows(4)
}

/// How sure a rule is by its length alone.
fn relevance(length: usize, flags: Flags) -> u8 {
    const BY_LENGTH: [u8; 18] = [0, 5, 11, 16, 22, 27, 33, 38, 44, 50, 55, 61, 66, 72, 77, 83, 88, 94];
    if flags.has(Flags::REQUIRED_PHRASE) {
        return 90;
    }
    BY_LENGTH.get(length).copied().unwrap_or(100)
}

#[derive(Default)]
struct Cut {
    tokens: Vec<Word>,
    stops: Vec<(u32, u32)>,
    required: Vec<Range<u32>>,
}

impl Cut {
    /// Opens and closes phrases at the braces of what stands between two words.
    fn braces(&mut self, between: &str, open: &mut Option<u32>) {
        let at = self.tokens.len() as u32;
        let mut rest = between;
        while let Some(next) = rest.find("{{").into_iter().chain(rest.find("}}")).min() {
            if rest[next..].starts_with("{{") {
                *open = Some(at);
            } else if let Some(start) = open.take().filter(|&start| start < at) {
                self.required.push(start..at);
            }
            rest = &rest[next + 2..];
        }
    }
}
