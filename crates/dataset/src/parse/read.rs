//! One reply.

use std::collections::BTreeSet;

use familiar_endpoint::without_thoughts;
use familiar_source::{Language, language_called};
use familiar_syntax::{Parser, guess};

use super::check::{Code, Program, has_grammar, reads};
use super::clean::{clean, dedented};
use super::headings::{begins_as_words, is_prose};
use super::join::{Block, Fate, fates};
use super::segments::{Segment, is_fenced, segments};
use super::split::{Part, split};
use crate::candidate::{Candidate, Cause, Dropped};
use crate::reply::Reply;
use crate::seed::Seed;

/// Most bytes of a text that is kept of what was dropped.
const KEPT: usize = 4096;

/// Why an implementation is taken without what it needs of other blocks.
const APART: &str = "together with what other blocks have for it";

/// Why a program is no implementation.
const CALLS: &str = "it calls others";

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

/// What the replies to a question about a seed need to know of it.
pub(crate) struct Asked {
    lang: String,
    language: Option<Language>,
    /// By which copies are told.
    hash: u128,
    /// Its functions.
    names: BTreeSet<String>,
    /// Whether the grammar of its language reads it.
    parses: bool,
}

impl Asked {
    pub(crate) fn of(seed: &Seed) -> Self {
        let language = seed.language();
        let code = Code::read(&mut Parser::default(), language.unwrap_or(Language::Other), &seed.code);
        let functions = code.functions.iter().map(|it| code.text[it.name.range()].to_owned());
        let names = functions.chain([seed.name.clone()]).filter(|it| !it.is_empty()).collect();
        let hash = code.hash(&code.tokens);
        let parses = language.is_none_or(|language| reads(language, &seed.code));
        Self { lang: seed.lang.clone(), language, hash, names, parses }
    }
}

/// What came of one reply.
struct Found<'r> {
    reply: &'r Reply,
    seed: &'r Asked,
    candidates: Vec<Candidate>,
    dropped: Vec<Dropped>,
}

impl Reader {
    pub(crate) fn new(most: usize) -> Self {
        Self { parser: Parser::default(), most }
    }

    /// The candidates of a reply, and what of it was not taken.
    pub(crate) fn read(&mut self, reply: &Reply, seed: Option<&Asked>) -> (Vec<Candidate>, Vec<Dropped>) {
        let Some(seed) = seed else {
            return (Vec::new(), vec![dropped(reply, Cause::UnknownSeed, String::new(), "")]);
        };
        let mut found = Found { reply, seed, candidates: Vec::new(), dropped: Vec::new() };
        if let Err((cause, reason)) = self.implementations(&mut found) {
            let text =
                if matches!(cause, Cause::NoCode | Cause::TooLarge) { reply.reply.as_str() } else { "" };
            found.drop(cause, reason, text);
        }
        (found.candidates, found.dropped)
    }

    /// Finds the implementations in a reply, or says why none can be in it.
    fn implementations(&mut self, found: &mut Found<'_>) -> Result<(), (Cause, String)> {
        let Found { reply, seed, .. } = *found;
        if !seed.parses {
            return Err((Cause::BrokenSeed, String::new()));
        }
        if reply.reply.len() > self.most {
            return Err((Cause::TooLarge, format!("{} bytes", reply.reply.len())));
        }
        let asked = if reply.targets.is_empty() { std::slice::from_ref(&seed.lang) } else { &reply.targets };
        let targets: Vec<Language> = asked.iter().filter_map(|name| language_called(name)).collect();
        if targets.is_empty() || !targets.iter().copied().all(has_grammar) {
            return Err((Cause::UnknownLanguage, asked.join(", ")));
        }
        let text = if reply.is_code { &reply.reply } else { without_thoughts(&reply.reply) };
        let text = clean(text);
        // Rows of code stay as they are where blanks mean nothing: a text of several lines may be in them.
        let text = match (reply.is_code, &targets[..]) {
            (false, _) | (true, [Language::Python]) => dedented(text.into_owned()),
            _ => text.into_owned(),
        };
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
                let parts = split(&program);
                let fates = vec![Fate::Alone; parts.len()];
                found.take_all(&program, parts, fates);
                return Ok(());
            }
            segments(&text)
        } else {
            segments(&text)
        };
        if all.is_empty() {
            return Err((Cause::NoCode, String::new()));
        }
        let last_is_open = reply.cut || all.last().is_some_and(|it| it.is_open);
        let is_open = |at: usize| at + 1 == all.len() && last_is_open;
        let read: Vec<_> = (0..)
            .zip(&all)
            .map(|(at, segment)| program_of(&mut self.parser, segment, &targets, is_open(at)))
            .collect();
        let parts: Vec<Vec<Part>> =
            read.iter().map(|it| it.as_ref().map(split).unwrap_or_default()).collect();
        let blocks: Vec<Block<'_, '_>> = read
            .iter()
            .zip(&parts)
            .filter_map(|(it, parts)| Some((it.as_ref().ok()?, parts.as_slice())))
            .collect();
        let names: BTreeSet<&str> = seed.names.iter().map(String::as_str).collect();
        let mut fates = fates(&blocks, &names).into_iter();
        for (((at, segment), program), parts) in (0..).zip(&all).zip(&read).zip(parts) {
            match program {
                Ok(program) => found.take_all(program, parts, fates.next().unwrap_or_default()),
                Err((cause, reason)) => {
                    let is_cut = is_open(at) && *cause == Cause::DoesNotParse;
                    let cause = if is_cut { Cause::Truncated } else { *cause };
                    found.drop(cause, reason.clone(), &segment.code);
                }
            }
        }
        Ok(())
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
    fn take_all(&mut self, program: &Program<'_>, parts: Vec<Part>, fates: Vec<Fate>) {
        let code = &program.code;
        if parts.is_empty() && fates != [Fate::Helper] {
            self.drop(Cause::NoFunction, String::new(), code.text);
        }
        for (part, fate) in parts.into_iter().zip(fates) {
            if part.hash == self.seed.hash && Some(code.language) == self.seed.language {
                self.drop(Cause::RepeatsTheSeed, String::new(), &part.code);
                continue;
            }
            match fate {
                Fate::Joined(text) if reads(code.language, &text) => self.take(code.language, text),
                Fate::Joined(text) => {
                    self.drop(Cause::DoesNotParse, APART.to_owned(), &text);
                    self.take(code.language, part.code);
                }
                Fate::Alone => self.take(code.language, part.code),
                Fate::Helper => {}
                Fate::Example => self.drop(Cause::NoFunction, CALLS.to_owned(), &part.code),
            }
        }
    }

    fn take(&mut self, language: Language, code: String) {
        let Reply { seed_id, prompt, sample, .. } = self.reply;
        let variant = self.candidates.len();
        // Replies in several languages are counted apart.
        let mark =
            if self.seed.lang == language.name() { String::new() } else { format!(".{}", language.name()) };
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
        self.dropped.push(dropped(self.reply, cause, reason, text));
    }
}

fn dropped(reply: &Reply, cause: Cause, reason: String, text: &str) -> Dropped {
    let Reply { seed_id, prompt, sample, .. } = reply;
    let text: String =
        if text.len() > KEPT { text.chars().take(KEPT / 4).collect() } else { text.to_owned() };
    Dropped { seed_id: seed_id.clone(), prompt: prompt.clone(), sample: *sample, cause, reason, text }
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
        let (candidates, dropped) = Reader::new(1 << 20).read(&reply, Some(&Asked::of(&seed)));
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

    #[test]
    fn thoughts_are_no_implementations() {
        let reply = "<think>\n```python\ndef total(xs):\n    return 0\n```\n</think>\n```python\ndef total(xs):\n    return sum(xs)\n```\n";
        let (candidates, dropped) = read(reply, &[]);
        assert_eq!(
            (candidates[0].code.as_str(), candidates.len()),
            ("def total(xs):\n    return sum(xs)\n", 1)
        );
        assert_eq!(dropped, []);
    }

    #[test]
    fn helpers_in_a_block_of_their_own_are_no_implementations() {
        let reply = "The helper:\n```python\nimport math\n\ndef add(a, b):\n    return math.fsum((a, b))\n```\nThe function:\n```python\n\
                     def total(xs):\n    s = 0\n    for x in xs:\n        s = add(s, x)\n    return s\n```\nIt is called so:\n```python\n\
                     print(total([1, 2]))\n```\n";
        let (candidates, dropped) = read(reply, &[]);
        assert_eq!((candidates.len(), dropped), (1, vec![Cause::NoFunction]));
        assert!(
            candidates[0].code.starts_with("import math\ndef add") && candidates[0].code.contains("total")
        );
    }

    #[test]
    fn a_seed_with_its_imports_elsewhere_is_repeated() {
        let reply = format!("```python\nimport math\n```\n```python\n{SEED}```\n");
        assert_eq!(read(&reply, &[]).1, [Cause::NoFunction, Cause::RepeatsTheSeed]);
    }

    #[test]
    fn many_blocks_that_need_one_take_linear_time() {
        let helper = format!("```python\ndef helper(y):\n{}    return y\n```\n", "    y += 1\n".repeat(2000));
        let user =
            |at: u32| ["```python\ndef f", &at.to_string(), "(x):\n    return helper(x)\n```\n"].concat();
        let reply: String = std::iter::once(helper).chain((0..1000).map(user)).collect();
        let (candidates, dropped) = read(&reply, &[]);
        assert!(candidates.len() == 1000 && dropped.is_empty(), "{}", candidates.len());
        let bytes: usize = candidates.iter().map(|it| it.code.len()).sum();
        assert!(bytes < 5 << 20, "{bytes}");
    }

    #[test]
    fn many_implementations_in_one_of_two_blocks_take_linear_time() {
        let one = |at: u32| ["def f", &at.to_string(), "(x):\n    return math.floor(x)\n\n"].concat();
        let many: String = (0..8000).map(one).collect();
        let reply = format!("```python\nimport math\n```\n```python\n{many}```\n");
        let (candidates, dropped) = read(&reply, &[]);
        assert_eq!((candidates.len(), dropped.len()), (8000, 0));
        assert!(candidates[7999].code.starts_with("import math\ndef f7999"), "{}", candidates[7999].code);
    }

    #[test]
    fn a_lambda_in_a_variable_is_a_function() {
        let reply = "```python\ntotal = lambda xs: (\n    sum(xs)\n)\n```\n```python\ntotal = sum\n```\n";
        let (candidates, dropped) = read(reply, &[]);
        assert_eq!((candidates.len(), dropped), (1, vec![Cause::NoFunction]));
    }

    #[test]
    fn seeds_that_do_not_parse_have_no_clones() {
        let seed = Seed::of_code("python", "def total(xs)\n    return\n");
        let reply = Reply { reply: SEED.to_owned(), ..Reply::default() };
        let (candidates, dropped) = Reader::new(1 << 20).read(&reply, Some(&Asked::of(&seed)));
        assert_eq!((candidates.len(), dropped[0].cause), (0, Cause::BrokenSeed));
    }
}
