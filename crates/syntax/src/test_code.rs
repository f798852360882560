//! Which code tests other code, by the customs of the languages and of the frameworks that run tests.

use familiar_source::{Fragment, FragmentKind, Language, Token, TokenClass};

/// Words that name tests in folders and at either end of a file's name.
const WORDS: [&str; 6] = ["test", "tests", "testing", "spec", "specs", "testdata"];

/// Functions that are given the steps of a test, after its description.
const CASES: [&str; 15] = [
    "bench",
    "context",
    "describe",
    "fdescribe",
    "fit",
    "it",
    "scenario",
    "specify",
    "subtest",
    "suite",
    "test",
    "xcontext",
    "xdescribe",
    "xit",
    "xtest",
];

/// Functions that are given what goes before tests and after them.
const HOOKS: [&str; 12] = [
    "after",
    "afterAll",
    "afterEach",
    "before",
    "beforeAll",
    "beforeEach",
    "setup",
    "setUp",
    "suiteSetup",
    "suiteTeardown",
    "teardown",
    "tearDown",
];

/// Farthest that a call may begin before a function that it is given, in tokens.
const CALL: usize = 64;

/// Whether a path names a test, by the customs of the languages.
pub fn is_test(path: &str) -> bool {
    let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.split_once('.').map_or(file, |(stem, _)| stem);
    let of_stem = words(stem);
    folders.split('/').any(is_test_folder)
        || of_stem.first().is_some_and(|word| is_word(word))
        || of_stem.last().is_some_and(|word| is_word(word))
        || [".test.", ".spec."].iter().any(|part| file.contains(part))
}

/// Whether tests stand below a folder, by its name.
pub fn is_test_folder(folder: &str) -> bool {
    words(folder).iter().any(|word| is_word(word))
}

/// The token from which on a file that is no test by its path holds tests: those of Rust stand at the end of what they
/// test, behind `#[cfg(test)]`.
pub fn tests_from(language: Language, text: &[u8], tokens: &[Token]) -> u32 {
    const MARK: [&[u8]; 7] = [b"#", b"[", b"cfg", b"(", b"test", b")", b"]"];
    if language != Language::Rust {
        return u32::MAX;
    }
    let is_mark = |some: &[Token]| some.iter().zip(MARK).all(|(token, word)| token.text(text) == word);
    tokens.windows(MARK.len()).position(is_mark).map_or(u32::MAX, |at| at as u32)
}

fn is_word(word: &str) -> bool {
    WORDS.contains(&word)
}

/// The words of a name in lower case: what stands between signs, and between a small letter and a capital.
pub fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        if before.is_lowercase() && letter.is_uppercase() || !letter.is_alphanumeric() {
            words.push(String::new());
        }
        if letter.is_alphanumeric() {
            words.last_mut().expect("there is one from the start").extend(letter.to_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a fragment is a function without a name that stands in a test, or that is given to what runs tests: it repeats the form
/// that its framework asks for.
pub fn is_callback(in_test: bool, text: &[u8], tokens: &[Token], fragment: &Fragment) -> bool {
    fragment.kind == FragmentKind::Function
        && fragment.name.is_empty()
        && (in_test || is_given_to_test(text, &tokens[..fragment.tokens.start as usize]))
}

/// Whether what follows `tokens` is given to a function that runs tests: `it("…", `, `describe.each(…)("…", `, `beforeEach(`.
fn is_given_to_test(text: &[u8], tokens: &[Token]) -> bool {
    let text_of = |at: usize| tokens[at].text(text);
    let Some(open) = opening(text, tokens, tokens.len()) else { return false };
    let described = tokens.get(open + 1).is_some_and(|token| token.class == TokenClass::String)
        || tokens.get(open + 1).is_some_and(|token| token.text(text).starts_with(b"`"));
    let mut end = open;
    if end > 0 && text_of(end - 1) == b")" {
        match opening(text, tokens, end - 1) {
            Some(before) => end = before,
            None => return false,
        }
    }
    // The names of `a.b.c`, from the last to the first.
    let is_name = |at: usize| text_of(at).first().is_some_and(u8::is_ascii_alphabetic);
    let mut named = false;
    while end > 0 && is_name(end - 1) {
        let name = text_of(end - 1);
        let is = |names: &[&str]| names.iter().any(|known| known.as_bytes() == name);
        named |= described && is(&CASES) || is(&HOOKS);
        end -= 1;
        if end == 0 || text_of(end - 1) != b"." {
            break;
        }
        end -= 1;
    }
    named
}

/// The parenthesis that opens what stands before the token at `end`.
fn opening(text: &[u8], tokens: &[Token], end: usize) -> Option<usize> {
    let mut depth = 0;
    for at in (end.saturating_sub(CALL)..end).rev() {
        match tokens[at].text(text) {
            b")" | b"]" | b"}" => depth += 1,
            b"(" if depth == 0 => return Some(at),
            b"[" | b"{" | b";" if depth == 0 => return None,
            b"(" | b"[" | b"{" => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Parser, Want};

    #[test]
    fn tests_are_known_by_their_paths() {
        let tests = [
            "a/tests/x.py",
            "test_a.py",
            "src/test/java/A.java",
            "a_test.go",
            "FooTest.java",
            "TestFoo.java",
            "b.spec.ts",
            "src/__test__/a.js",
            "UnitTest/StackTests/A.cs",
            "Acme.Tests/A.cs",
            "spec/a.rb",
        ];
        assert_eq!(tests.into_iter().find(|path| !is_test(path)), None);
        let others = ["src/latest.py", "contest/a.py", "attest.go", "testimony/a.c", "a.py", "specialize.rs"];
        assert_eq!(others.into_iter().find(|path| is_test(path)), None);
    }

    /// Which functions of a program are callbacks of tests, in order.
    fn callbacks(language: Language, in_test: bool, text: &str) -> Vec<bool> {
        let mut parser = Parser::default();
        let parsed = parser.parse(language, text.as_bytes(), Want { fragments: true, line_starts: false });
        let functions = parsed.fragments.iter().filter(|fragment| fragment.kind == FragmentKind::Function);
        functions.map(|fragment| is_callback(in_test, text.as_bytes(), parsed.tokens, fragment)).collect()
    }

    #[test]
    fn tests_of_rust_stand_behind_their_mark() {
        let of = |text: &str| {
            let mut parser = Parser::default();
            let want = Want { fragments: false, line_starts: false };
            let parsed = parser.parse(Language::Rust, text.as_bytes(), want);
            tests_from(Language::Rust, text.as_bytes(), parsed.tokens)
        };
        assert_eq!(of("fn f() {}\n\n#[cfg(test)]\nmod tests {}\n"), 6);
        assert_eq!(of("fn f() {}\n#[cfg(unix)]\nfn test() {}\n"), u32::MAX);
    }

    #[test]
    fn a_function_without_a_name_that_a_runner_of_tests_is_given_is_a_callback() {
        let of = |text: &str| callbacks(Language::JavaScript, false, text);
        for test in [
            "it('adds', () => { add(1, 2); });",
            "it('adds', async function () { add(1, 2); });",
            "describe(`sums`, () => { add(1, 2); });",
            "test.only('adds', () => { add(1, 2); });",
            "test.each([[1, 2], [3, 4]])('adds %i', (a, b) => { add(a, b); });",
            "Deno.test('adds', { ignore: isSlow(3) }, () => { add(1, 2); });",
            "beforeEach(() => { reset(); });",
        ] {
            assert_eq!(of(test), [true], "{test}");
        }
        for other in [
            "list.map((x) => { return add(x, 2); });",
            "const it = () => { add(1, 2); };",
            "function it(test) { add(1, 2); }",
            "test(condition, () => { add(1, 2); });",
            "server.on('test', () => { add(1, 2); });",
            "before; (() => { add(1, 2); })();",
        ] {
            assert_eq!(of(other), [false], "{other}");
        }
    }

    #[test]
    fn in_a_test_every_function_without_a_name_is_a_callback() {
        let text = "list.map((x) => { return add(x, 2); });\nfunction helper() { return add(1, 2); }";
        assert_eq!(callbacks(Language::JavaScript, true, text), [true, false]);
        let text = "package a\nfunc TestAdd(t *testing.T) {\n\tt.Run(\"adds\", func(t *testing.T) {\n\t\tadd(1, 2)\n\t})\n}\n";
        assert_eq!(callbacks(Language::Go, true, text), [false, true]);
        assert_eq!(callbacks(Language::Go, false, text), [false, false]);
    }
}
