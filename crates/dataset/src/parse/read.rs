//! One reply.

use familiar_source::{Language, language_called};
use familiar_syntax::{Parser, Want, guess};

use xxhash_rust::xxh3::Xxh3;

use super::check::{functions, parses};
use super::clean::clean;
use super::headings::is_prose;
use super::segments::{Segment, is_fenced, segments};
use super::split::split;
use crate::candidate::{Candidate, Cause, Dropped};
use crate::reply::Reply;
use crate::seed::Seed;

/// Most bytes of a text that is kept of what was dropped.
const KEPT: usize = 4096;

/// Languages whose grammars take little else than programs.
const STRICT: [Language; 8] = [
    Language::Python,
    Language::Java,
    Language::CSharp,
    Language::C,
    Language::Cpp,
    Language::JavaScript,
    Language::Go,
    Language::Rust,
];

/// Reads one reply after another, keeping its memory. One for each thread.
pub(crate) struct Reader {
    parser: Parser,
    most: usize,
}

/// What a seed is told by from its copies.
struct SeedTokens {
    language: Option<Language>,
    tokens: u128,
}

/// What came of one reply.
struct Found<'r> {
    reply: &'r Reply,
    seed_lang: &'r str,
    candidates: Vec<Candidate>,
    dropped: Vec<Dropped>,
}

impl Reader {
    pub(crate) fn new(most: usize) -> Self {
        Self { parser: Parser::default(), most }
    }

    /// The candidates of a reply, and what of it was not taken.
    pub(crate) fn read(&mut self, reply: &Reply, seed: Option<&Seed>) -> (Vec<Candidate>, Vec<Dropped>) {
        let seed_lang = seed.map_or("", |seed| seed.lang.as_str());
        let mut found = Found { reply, seed_lang, candidates: Vec::new(), dropped: Vec::new() };
        let Some(seed) = seed else {
            found.drop(Cause::UnknownSeed, String::new(), "");
            return (found.candidates, found.dropped);
        };
        if reply.reply.len() > self.most {
            let reason = format!("{} bytes", reply.reply.len());
            found.drop(Cause::TooLarge, reason, &reply.reply);
            return (found.candidates, found.dropped);
        }
        let asked = if reply.targets.is_empty() { std::slice::from_ref(&seed.lang) } else { &reply.targets };
        let targets: Vec<Language> = asked.iter().filter_map(|name| language_called(name)).collect();
        if targets.is_empty()
            || targets.iter().any(|it| familiar_syntax::languages::definition(*it).tree.is_none())
        {
            found.drop(Cause::UnknownLanguage, asked.join(", "), "");
            return (found.candidates, found.dropped);
        }
        let text = clean(&reply.reply);
        let all = if reply.is_code {
            let is_code = text.lines().any(|line| !line.trim().is_empty() && !is_prose(line));
            is_code.then(|| Segment { code: text.into_owned(), ..Segment::default() }).into_iter().collect()
        } else if let [target] = targets[..]
            && !is_fenced(&text)
            && parses(target, &text) == Some(true)
            && !functions(&mut self.parser, target, &text).is_empty()
        {
            // All of it is code, and lines that look like headings are comments.
            vec![Segment { code: text.into_owned(), ..Segment::default() }]
        } else {
            segments(&text)
        };
        if all.is_empty() {
            found.drop(Cause::NoCode, String::new(), &reply.reply);
        }
        let language = seed.language();
        let tokens = self.tokens(language.unwrap_or(Language::Other), &seed.code);
        let seed = SeedTokens { language, tokens };
        let last = all.len();
        for (at, segment) in (1..).zip(all) {
            let is_open = at == last && (segment.is_open || reply.cut);
            self.segment(&segment, &targets, is_open, &seed, &mut found);
        }
        (found.candidates, found.dropped)
    }

    fn segment(
        &mut self,
        segment: &Segment,
        targets: &[Language],
        is_open: bool,
        seed: &SeedTokens,
        found: &mut Found<'_>,
    ) {
        let code = segment.code.as_str();
        let language = match language_of(&mut self.parser, segment, targets, is_open) {
            Ok(language) => language,
            Err((cause, reason)) => {
                let cause = if is_open && cause == Cause::DoesNotParse { Cause::Truncated } else { cause };
                return found.drop(cause, reason, code);
            }
        };
        let parts = split(&mut self.parser, language, code);
        if parts.is_empty() {
            return found.drop(Cause::NoFunction, String::new(), code);
        }
        for part in parts {
            if self.tokens(language, &part) == seed.tokens && Some(language) == seed.language {
                found.drop(Cause::RepeatsTheSeed, String::new(), &part);
            } else {
                found.take(language, part);
            }
        }
    }

    /// A hash of the tokens of a text: two texts with the same tokens differ in comments and layout alone.
    fn tokens(&mut self, language: Language, code: &str) -> u128 {
        let mut hash = Xxh3::new();
        for token in self.parser.parse(language, code.as_bytes(), Want::default()).tokens {
            hash.update(token.text(code.as_bytes()));
            hash.update(&[0]);
        }
        hash.digest128()
    }
}

/// The language of a segment: of those that were asked for, the one that it names, or else the first one whose grammar reads it.
fn language_of(
    parser: &mut Parser,
    segment: &Segment,
    targets: &[Language],
    is_open: bool,
) -> Result<Language, (Cause, String)> {
    let code = segment.code.as_str();
    let reads = |language: Language| parses(language, code) == Some(true);
    if let Some(named) = segment.language.filter(|named| targets.contains(named)) {
        return if reads(named) { Ok(named) } else { Err((Cause::DoesNotParse, named.name().to_owned())) };
    }
    // C reads as C++ and JavaScript as TypeScript, so they may be named for each other. For others, who wrote it knows better.
    if let Some(named) = segment.language
        && targets.iter().all(|target| target.family() != named.family())
        && reads(named)
    {
        return Err((Cause::WrongLanguage, named.name().to_owned()));
    }
    // What many grammars read is decided by how it looks.
    let guessed = if targets.len() > 1 { guess::language(code.as_bytes(), None) } else { None };
    let guessed = guessed.filter(|it| targets.contains(it));
    if let Some(language) = guessed.into_iter().chain(targets.iter().copied()).find(|it| reads(*it)) {
        return Ok(language);
    }
    if is_open {
        return Err((Cause::Truncated, String::new()));
    }
    let likely = guess::language(code.as_bytes(), None);
    // The quick front ends tell which other languages are worth a tree.
    let mut is_likely = |language: Language| {
        let found = functions(parser, language, code);
        let bytes: usize = found.iter().map(|it| (it.bytes.end - it.bytes.start) as usize).sum();
        5 * bytes >= 4 * code.trim().len()
    };
    let others = segment.language.into_iter().chain(likely).chain(STRICT);
    let other = others
        .filter(|it| !targets.contains(it))
        .find(|it| is_likely(*it) && parses(*it, code) == Some(true));
    match other {
        Some(other) => Err((Cause::WrongLanguage, other.name().to_owned())),
        None => Err((Cause::DoesNotParse, String::new())),
    }
}

impl Found<'_> {
    fn take(&mut self, language: Language, code: String) {
        let Reply { seed_id, prompt, sample, .. } = self.reply;
        let variant = self.candidates.len();
        // Replies in several languages are counted apart.
        let mark =
            if self.seed_lang == language.name() { String::new() } else { format!(".{}", language.name()) };
        self.candidates.push(Candidate {
            id: format!("{seed_id}.{prompt}{mark}.{sample}.{variant}"),
            seed_id: seed_id.clone(),
            prompt: prompt.clone(),
            sample: *sample,
            variant,
            lang: language.name().to_owned(),
            code,
        });
    }

    fn drop(&mut self, cause: Cause, reason: String, text: &str) {
        let Reply { seed_id, prompt, sample, .. } = self.reply;
        let text: String =
            if text.len() > KEPT { text.chars().take(KEPT / 4).collect() } else { text.to_owned() };
        self.dropped.push(Dropped {
            seed_id: seed_id.clone(),
            prompt: prompt.clone(),
            sample: *sample,
            cause,
            reason,
            text,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEED: &str = "def total(xs):\n    s = 0\n    for x in xs:\n        s += x\n    return s\n";

    fn read(reply: &str, targets: &[&str]) -> (Vec<Candidate>, Vec<Cause>) {
        let seed = Seed::of_code("python", SEED);
        let targets = targets.iter().map(|&it| it.to_owned()).collect();
        let reply = Reply {
            seed_id: seed.seed_id.clone(),
            targets,
            reply: reply.to_owned(),
            prompt: "p".into(),
            ..Reply::default()
        };
        let (candidates, dropped) = Reader::new(1 << 20).read(&reply, Some(&seed));
        (candidates, dropped.into_iter().map(|it| it.cause).collect())
    }

    #[test]
    fn causes_are_told_apart() {
        let fenced = |code: &str| format!("```\n{code}\n```\n");
        for (reply, cause) in [
            ("I would write it with a loop that adds up all numbers.".to_owned(), Cause::NoCode),
            (fenced("def total(xs):\n    return sum(xs"), Cause::DoesNotParse),
            ("```python\ndef total(xs):\n    s = 0\n    for x in (".to_owned(), Cause::Truncated),
            (
                fenced("int total(int[] xs) { int s = 0; for (int x : xs) { s += x; } return s; }"),
                Cause::WrongLanguage,
            ),
            (fenced("print('hello')"), Cause::NoFunction),
            (fenced(SEED), Cause::RepeatsTheSeed),
            (
                fenced("# other comments\ndef total( xs ):\n  s = 0\n  for x in xs:\n    s += x\n  return s"),
                Cause::RepeatsTheSeed,
            ),
            ("x".repeat(2 << 20), Cause::TooLarge),
        ] {
            assert_eq!(read(&reply, &[]), (vec![], vec![cause]), "{}", &reply[..reply.len().min(80)]);
        }
        assert_eq!(read("```\nx\n```", &["klingon"]).1, [Cause::UnknownLanguage]);
    }

    #[test]
    fn what_a_fence_names_counts() {
        let java = "Sorry, here it is in Java:\n```java\nint total(int[] xs) { int s = 0; for (int i = 0; i < xs.length; i++) s += xs[i]; return s; }\n```\n";
        assert_eq!(read(java, &["csharp"]), (vec![], vec![Cause::WrongLanguage]));
        let c = "```c\nint total(int *xs, int n) { int s = 0; while (n--) s += *xs++; return s; }\n```\n";
        assert_eq!(read(c, &["cpp"]).0.len(), 1);
    }

    #[test]
    fn a_text_that_is_code_has_no_headings() {
        let code =
            "def total(xs):\n    return sum(xs)\n\n# 1. It adds up what it is given:\nprint(total([1]))\n";
        let (candidates, dropped) = read(code, &[]);
        assert_eq!((candidates.len(), dropped), (1, vec![]));
    }

    #[test]
    fn translations_get_their_languages() {
        let reply = "Python:\n```\ndef total(xs):\n    return sum(xs)\n```\nC:\n```c\nint total(int *xs, int n) { int s = 0; while (n--) s += *xs++; \
                     return s; }\n```\n";
        let (candidates, dropped) = read(reply, &["python", "c"]);
        assert_eq!(candidates.iter().map(|it| it.lang.as_str()).collect::<Vec<_>>(), ["python", "c"]);
        assert_eq!(dropped, []);
        assert!(candidates[1].id.ends_with(".p.c.0.1"), "{}", candidates[1].id);
    }
}
