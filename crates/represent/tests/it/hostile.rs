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
