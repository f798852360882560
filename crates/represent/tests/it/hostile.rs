//! Texts that are no programs, in every language.

use familiar_source::Language;

use crate::holds;

#[test]
fn whatever_the_text_its_tokens_are_all_of_it_and_its_tree_is_one() {
    let deep = "(".repeat(3000) + "a" + &")".repeat(2999);
    let texts = [
        "",
        " \n\t\r\n\r",
        "\u{0}\u{1}\u{7f}",
        "\"",
        "'",
        "`${",
        "/*",
        "/* /* */",
        "//",
        "#",
        "#\\\n#",
        "\\",
        "\\\n\\",
        "<!--",
        "<?php",
        "<script>let a = '</script>",
        "\"\"\"",
        "R\"x(",
        "{{{{{{{{{{",
        "}}}}}}}}}}",
        "a\u{a0}b\u{2028}c \u{feff}d",
        "ünïcödé = \"\u{1f600}\" // \u{1f600}",
        "0x 1e+ 1.. 1_ .5. 0b2 1e",
        "=begin\n=end\n=begin",
        "--[[ ]] --[==[",
        "{- {- -}",
        "#define A \\\n\\\n\n#include <a\n#include <>\n#include < >",
        "int main() { return 0 }} class ; def f(:\n\tx\n  y\n z = [\n",
        "import ; import static ; use ; from . import ; #include",
        ">>>>= >>> >> > >>=",
        &deep,
    ];
    for language in Language::all() {
        for text in texts {
            holds::tokens(language, text.as_bytes());
            holds::tree(language, text);
        }
        holds::tokens(language, b"a \xff\xfe \"\xc3\" \x80 // \xe2\x82");
    }
}

const PROGRAMS: [(Language, &str); 9] = [
    (
        Language::C,
        "#include <a.h>\n#define A(x) /* b\n */ #x \\\n ##c\nint main(void) { char d = '\\'', *e = L\"f\\\n\"; return 0x1p3; } // g\\\nh",
    ),
    (
        Language::Cpp,
        "template <class T> auto f(std::vector<std::vector<T>> a) -> int { return R\"x()\")x\"[1'000] >> 2; } /* é */",
    ),
    (
        Language::Java,
        "package a;\nimport static b.*;\n/** c */ @D class E<F> { String g = \"\"\"\n h \\\"\"\" \"\"\"; int i = 1_0L >>> 2; char j = '\\u0041'; }",
    ),
    (
        Language::Python,
        "#!/usr/bin/python\nfrom . import a\n@b\nasync def c(*d, e=1j) -> f'{g!r:>{h}}':\n\t'''i\n'''; return [j for j in k if not l] \\\n    or rb\"\\x\"\n",
    ),
    (
        Language::JavaScript,
        "#!node\nimport a from 'b'; const c = `d${`e${f}`}g`, h = /[/]\\//g, i = 1n ?? #j in k; <l m={n}>o &amp; {p}</l>; // q",
    ),
    (
        Language::TypeScript,
        "namespace A { abstract class B<C extends D> { private e?: F | \"g\"; static h(this: I): asserts i is J { return <K>i!; } } }",
    ),
    (
        Language::CSharp,
        "#region A 'b\nusing C; [D] record E(int F) { string g = $@\"h{i:x}\"\"j\"; var k = \"\"\"l\"\"\"; char m = '\\''; } // n\n#endregion",
    ),
    (
        Language::Go,
        "package a // b\nimport c \"d\"\nfunc (e *F[G]) h(i ...int) (j rune) { k := `l\n`; go func() { m <- 'n' }(); return 0x1p-2i }",
    ),
    (
        Language::Rust,
        "#![a]\n/* /* b */ */ pub fn c<'d, E: F<G<u8>>>(h: &'d [E]) -> Option<Vec<u8>> { let i = br#\"j\"#; k!(l, 'm', 1..=2); h[0] >> 1 } // n",
    ),
];

#[test]
fn a_program_that_ends_anywhere_keeps_what_holds() {
    for (language, program) in PROGRAMS {
        for end in (0..=program.len()).filter(|&end| program.is_char_boundary(end)) {
            let (head, tail) = program.split_at(end);
            for text in [head, tail, &format!("{tail}{head}")] {
                holds::tokens(language, text.as_bytes());
                holds::tree(language, text);
            }
        }
        for cut in 1..program.len() {
            holds::tokens(language, &[&program.as_bytes()[..cut - 1], &program.as_bytes()[cut..]].concat());
            holds::tokens(language, &program.as_bytes()[cut..]);
        }
    }
}
