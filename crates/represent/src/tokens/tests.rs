//! What the tokens of each language are.

use familiar_source::Language;
use familiar_syntax::Limits;

use super::*;

/// Each token as `line:column class text`, and `!` for those of directives.
fn listed(language: Language, text: &str, extras: Extras) -> Vec<String> {
    let mut tokenizer = Tokenizer::new(extras, Limits::default());
    let tokens = tokenizer.tokens(language, text.as_bytes()).expect("there is no limit");
    let shown = |token: &Token| {
        let mark = if token.directive { "!" } else { "" };
        let text = String::from_utf8_lossy(tokens.text_of(token));
        format!("{mark}{}:{} {} {text}", token.line, token.column, token.class.name())
    };
    tokens.list.iter().map(shown).collect()
}

fn check(language: Language, text: &str, expected: &[&str]) {
    assert_eq!(listed(language, text, Extras::default()), expected, "{text}");
}

/// The classes and texts alone.
fn classes(language: Language, text: &str) -> Vec<String> {
    let place = |token: &String| token.split_once(' ').map_or_else(String::new, |(_, rest)| rest.to_owned());
    listed(language, text, Extras::default()).iter().map(place).collect()
}

#[test]
fn c_has_the_tokens_of_directives_one_by_one() {
    check(
        Language::C,
        "#include <sys/io.h>\n# define A(x) \\\n  #x \"s\"\nsize_t a = 0x1FUL + 1.5f;",
        &[
            "!1:0 preprocessor #",
            "!1:1 identifier include",
            "!1:9 operator <",
            "!1:10 identifier sys",
            "!1:13 operator /",
            "!1:14 identifier io",
            "!1:16 operator .",
            "!1:17 identifier h",
            "!1:18 operator >",
            "!2:0 preprocessor #",
            "!2:2 identifier define",
            "!2:9 identifier A",
            "!2:10 operator (",
            "!2:11 identifier x",
            "!2:12 operator )",
            "!3:2 preprocessor #",
            "!3:3 identifier x",
            "!3:5 string \"s\"",
            "4:0 identifier size_t",
            "4:7 identifier a",
            "4:9 operator =",
            "4:11 integer 0x1FUL",
            "4:18 operator +",
            "4:20 floating 1.5f",
            "4:24 operator ;",
        ],
    );
}

#[test]
fn a_comment_carries_a_directive_over_lines() {
    let tokens = listed(Language::C, "#define A /* one\ntwo */ 1\nint a;", Extras::default());
    assert_eq!(tokens[3], "!2:7 integer 1");
    assert_eq!(tokens[4], "3:0 keyword int");
    let tokens = listed(Language::C, "#define A /* one */ 1 /*\n\n*/\nint a;", Extras::default());
    assert_eq!(tokens[4], "4:0 keyword int");
}

#[test]
fn java_has_the_longest_signs() {
    let java = "List<List<int[]>> a = b >>> 2 >>= 'c'; x >> 1; boolean t = true;";
    let signs: Vec<_> = classes(Language::Java, java)
        .into_iter()
        .filter(|token| token.contains('>') || token.contains('\'') || token.contains("true"))
        .collect();
    let expected =
        ["operator >>", "operator >>>", "operator >>=", "character 'c'", "operator >>", "identifier true"];
    assert_eq!(signs, expected);
}

#[test]
fn words_of_imports_keep_their_classes() {
    let expected = ["keyword import", "identifier java", "operator .", "operator *", "operator ;"];
    assert_eq!(classes(Language::Java, "import java.*;"), expected);
    let expected =
        ["keyword from", "operator .", "keyword import", "identifier a", "keyword as", "identifier b"];
    assert_eq!(classes(Language::Python, "from . import a as b"), expected);
    let expected = ["keyword import", "identifier a", "identifier from", "string 'a'", "operator ;"];
    assert_eq!(classes(Language::JavaScript, "import a from 'a';"), expected);
}

#[test]
fn docstrings_and_line_ends_that_searches_hide_are_there() {
    let python = "def f():\n    \"\"\"Doc.\"\"\"\n    return 1j; x = 2";
    let tokens = classes(Language::Python, python);
    assert!(
        tokens.contains(&"string \"\"\"Doc.\"\"\"".to_owned()) && tokens.contains(&"operator ;".to_owned())
    );
    assert!(tokens.contains(&"floating 1j".to_owned()), "{tokens:?}");
}

#[test]
fn comments_and_white_space_are_given_on_request() {
    let text = "int a; // one\\\ntwo\n/* b */\tx \\\n y";
    assert_eq!(
        listed(Language::C, text, Extras::ALL),
        [
            "1:0 keyword int",
            "1:3 whitespace  ",
            "1:4 identifier a",
            "1:5 operator ;",
            "1:6 whitespace  ",
            "1:7 line_comment // one\\\ntwo",
            "2:3 newline \n",
            "3:0 block_comment /* b */",
            "3:7 whitespace \t",
            "3:8 identifier x",
            "3:9 whitespace  ",
            "3:10 continuation \\\n",
            "4:0 whitespace  ",
            "4:1 identifier y",
        ]
    );
    let rust =
        listed(Language::Rust, "/* a /* b */ c */ x // d", Extras { comments: true, ..Extras::default() });
    assert_eq!(rust, ["1:0 block_comment /* a /* b */ c */", "1:18 identifier x", "1:20 line_comment // d"]);
}

/// With everything asked for, tokens cover the text without gaps.
#[test]
fn all_tokens_together_are_the_text() {
    let texts = [
        (Language::Python, "#!/usr/bin/python\nx = [1, # one\n 2] ; y = \\\n f'{x}'\n\n"),
        (Language::Java, "package a;\n/** doc */ class B { int c = 1_000; /* d */ }\r\n// e"),
        (Language::JavaScript, "#!node\nlet a = `b${c}d` + /re/g; // e\n<div>f</div>"),
        (Language::Cpp, "#if 0\n'\n#endif\nauto s = R\"x(a\nb)x\"; // c"),
        (Language::CSharp, "#region A b's\nclass C { string d = $\"{e}\"; }\n#endregion\n"),
        (Language::Go, "package a // b\n\nfunc c() { d := `e` }\n"),
        (Language::Ruby, "=begin\nx\n=end\ndef a; b \"c#{d}\"; end # e\n"),
        (Language::Php, "<p><?php // a\n echo 'b'; # c\n ?></p>"),
        (Language::Lua, "--[[ a\nb ]] local c = 1 -- d"),
        (Language::Html, "<!-- a --><script>let b = 1; // c\n</script><style>p { d: e }</style>"),
        (Language::Haskell, "{- a {- b -} -} c = d -- e"),
    ];
    for (language, text) in texts {
        let mut tokenizer = Tokenizer::new(Extras::ALL, Limits::default());
        let tokens = tokenizer.tokens(language, text.as_bytes()).expect("there is no limit");
        let mut end = 0;
        for token in tokens.list {
            assert_eq!(token.start, end, "{}: {text:?} from {end}: {:?}", language.name(), tokens.list);
            end = token.end;
        }
        assert_eq!(end as usize, text.len(), "{}: {text:?}", language.name());
    }
}

#[test]
fn lines_end_in_three_ways_and_columns_are_bytes() {
    check(
        Language::Java,
        "a\r\nü b\rc\n\n  d",
        &["1:0 identifier a", "2:0 identifier ü", "2:3 identifier b", "3:0 identifier c", "5:2 identifier d"],
    );
}

#[test]
fn cells_of_a_notebook_are_python() {
    let text = r#"{"cells": [{"cell_type": "code", "source": ["x = 1"]}]}"#;
    let tokens = classes(Language::Notebook, text);
    assert_eq!(tokens, ["identifier x", "operator =", "integer 1"]);
}

#[test]
fn a_program_of_nothing_has_no_tokens() {
    for text in ["", " ", "\n", "// a", "\\\n"] {
        assert_eq!(listed(Language::C, text, Extras::default()), [""; 0], "{text:?}");
    }
}

#[test]
fn more_tokens_than_the_limit_are_refused() {
    let mut tokenizer = Tokenizer::new(Extras::default(), Limits { tokens: 3, ..Limits::default() });
    assert!(tokenizer.tokens(Language::C, b"a b c").is_ok());
    assert_eq!(tokenizer.tokens(Language::C, b"a b c d").expect_err("four"), TooManyTokens);
}

#[test]
fn formats_are_those_of_the_tokenizer() {
    let mut tokenizer = Tokenizer::default();
    let tokens = tokenizer.tokens(Language::C, b"f(\"a,\\\"\", ',');\n#if x").expect("there is no limit");
    let mut out = Vec::new();
    csv::program(&tokens, &mut out);
    assert_eq!(
        String::from_utf8_lossy(&out),
        "1,0,identifier,f\n1,1,operator,(\n1,2,string,\"\"\"a,\\\"\"\"\"\"\n1,8,operator,\",\"\n\
         1,10,character,\"','\"\n1,13,operator,)\n1,14,operator,;\n2,0,preprocessor,#\n2,1,keyword,if\n\
         2,4,identifier,x\n"
    );
    out.clear();
    json::program(&tokens, &mut out);
    let text = String::from_utf8_lossy(&out);
    assert!(text.starts_with(
        "[\n{ \"line\": 1, \"column\": 0, \"class\": \"identifier\", \"length\": 1, \"token\": \"f\" },\n"
    ));
    let array: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(array[9]["directive"], true);
    assert_eq!(array[0].get("directive"), None);
    out.clear();
    json::row("p/1", &tokens, &mut out);
    let row: serde_json::Value = serde_json::from_slice(&out).expect("JSON");
    assert_eq!((&row["id"], &row["tokens"][2]["token"]), (&"p/1".into(), &"\"a,\\\"\"".into()));
}

/// What the front end takes for a comment is one comment here, too.
#[test]
fn comments_that_nest_are_one_for_the_front_end() {
    // Matlab's stand on lines of their own.
    for language in Language::all().filter(|&language| language != Language::Matlab) {
        for [open, close] in Style::of(language).nested() {
            let text = format!("a {open} b {open} c {close} d {close} e\n");
            let comments = Extras { comments: true, ..Extras::default() };
            let shown: Vec<String> = listed(language, &text, comments)
                .iter()
                .filter_map(|token| Some(token.splitn(3, ' ').nth(2)?.to_owned()))
                .collect();
            let comment = text[2..text.len() - 3].to_owned();
            assert_eq!(shown, ["a".to_owned(), comment, "e".to_owned()], "{}", language.name());
        }
    }
}
