//! One reply.

use familiar_source::{Language, language_called};
use familiar_syntax::{Parser, guess};

use super::check::{Code, Program};
use super::clean::{clean, dedented};
use super::headings::{begins_as_words, is_prose};
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
    hash: u128,
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
        // Rows of code stay as they are where blanks mean nothing: a text of several lines may be in them.
        let text = match (reply.is_code, &targets[..]) {
            (false, _) | (true, [Language::Python]) => dedented(text.into_owned()),
            _ => text.into_owned(),
        };
        let language = seed.language();
        let seed_code = Code::read(&mut self.parser, language.unwrap_or(Language::Other), &seed.code);
        let seed = SeedTokens { language, hash: seed_code.hash(&seed_code.tokens) };
        let all = if reply.is_code {
            let is_code = text.lines().any(|line| !line.trim().is_empty() && !is_prose(line));
            let code = || Segment { code: text.clone(), ..Segment::default() };
            is_code.then(code).into_iter().collect()
        } else if let [target] = targets[..]
            && !is_fenced(&text)
            && !begins_as_words(&text)
        {
            let code = Code::read(&mut self.parser, target, &text);
            if !code.functions.is_empty()
                && let Some(program) = code.program()
            {
                // All of it is code, and lines that look like headings are comments.
                found.take_all(&program, &seed);
                return (found.candidates, found.dropped);
            }
            segments(&text)
        } else {
            segments(&text)
        };
        if all.is_empty() {
            found.drop(Cause::NoCode, String::new(), &reply.reply);
        }
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
        match program_of(&mut self.parser, segment, targets, is_open) {
            Ok(program) => found.take_all(&program, seed),
            Err((cause, reason)) => {
                let cause = if is_open && cause == Cause::DoesNotParse { Cause::Truncated } else { cause };
                found.drop(cause, reason, &segment.code);
            }
        }
    }
}

/// A segment as a program in its language: of those that were asked for, the one that it names, or else the first one whose grammar reads it.
fn program_of<'s>(
    parser: &mut Parser,
    segment: &'s Segment,
    targets: &[Language],
    is_open: bool,
) -> Result<Program<'s>, (Cause, String)> {
    let text = segment.code.as_str();
    let mut read = |language: Language| Code::read(parser, language, text);
    let mut program = |language: Language| read(language).program();
    if let Some(named) = segment.language.filter(|named| targets.contains(named)) {
        return program(named).ok_or_else(|| (Cause::DoesNotParse, named.name().to_owned()));
    }
    // C reads as C++ and JavaScript as TypeScript, so they may be named for each other. For others, who wrote it knows better.
    if let Some(named) = segment.language
        && targets.iter().all(|target| target.family() != named.family())
        && program(named).is_some()
    {
        return Err((Cause::WrongLanguage, named.name().to_owned()));
    }
    // What many grammars read is decided by how it looks.
    let guessed = if targets.len() > 1 { guess::language(text.as_bytes(), None) } else { None };
    let guessed = guessed.filter(|it| targets.contains(it));
    if let Some(found) = guessed.into_iter().chain(targets.iter().copied()).find_map(program) {
        return Ok(found);
    }
    if is_open {
        return Err((Cause::Truncated, String::new()));
    }
    let likely = guess::language(text.as_bytes(), None);
    // The quick front ends tell which other languages are worth a tree.
    let mut is_other = |language: &Language| {
        let code = read(*language);
        let bytes: usize = code.functions.iter().map(|it| it.bytes.range().len()).sum();
        5 * bytes >= 4 * text.trim().len() && code.program().is_some()
    };
    let others = segment.language.into_iter().chain(likely).chain(STRICT);
    match others.filter(|it| !targets.contains(it)).find(|it| is_other(it)) {
        Some(other) => Err((Cause::WrongLanguage, other.name().to_owned())),
        None => Err((Cause::DoesNotParse, String::new())),
    }
}

impl Found<'_> {
    /// Takes the implementations in a program, except for copies of the seed.
    fn take_all(&mut self, program: &Program<'_>, seed: &SeedTokens) {
        let (parts, code) = (split(program), &program.code);
        if parts.is_empty() {
            self.drop(Cause::NoFunction, String::new(), code.text);
        }
        for part in parts {
            if part.hash == seed.hash && Some(code.language) == seed.language {
                self.drop(Cause::RepeatsTheSeed, String::new(), &part.code);
            } else {
                self.take(code.language, part.code);
            }
        }
    }

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
