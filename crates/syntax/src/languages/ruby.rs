//! Ruby.

use familiar_source::Language;

use super::Definition;
use crate::generic::Generic;

/// Read by tree-sitter alone; this is for files that it gives up on, and for builds without it.
const FALL_BACK: Generic = Generic {
    line_comments: &["#"],
    block_comments: &[("=begin", "=end")],
    nested_comments: &[],
    quotes: b"\"'`",
    ignore_case: false,
    keywords: &[
        "BEGIN", "END", "alias", "and", "begin", "break", "case", "class", "def", "do", "else", "elsif",
        "end", "ensure", "false", "for", "if", "in", "module", "next", "nil", "not", "or", "redo", "rescue",
        "retry", "return", "self", "super", "then", "true", "undef", "unless", "until", "when", "while",
        "yield",
    ],
    ..super::others::C_LIKE
};

pub(super) static DEFINITION: Definition = Definition {
    language: Language::Ruby,
    extensions: &["rb", "rake", "gemspec", "ru", "podspec"],
    file_names: &[
        "Rakefile",
        "Gemfile",
        "Guardfile",
        "Capfile",
        "Vagrantfile",
        "Podfile",
        "Brewfile",
        "Fastfile",
    ],
    interpreters: &["ruby", "jruby", "rbx"],
    #[cfg(feature = "trees")]
    front_end: &crate::tree::TreeFrontEnd(&GRAMMAR),
    #[cfg(not(feature = "trees"))]
    front_end: &FALL_BACK,
    #[cfg(feature = "trees")]
    tree: Some(&GRAMMAR),
};

#[cfg(feature = "trees")]
static GRAMMAR: crate::tree::Grammar = crate::tree::Grammar {
    functions: &["method", "singleton_method"],
    always_bodied: &["method", "singleton_method"],
    classes: &["class", "module", "singleton_class"],
    namespaces: &["module"],
    bodies: &["body_statement"],
    blocks: &["body_statement", "block_body", "then", "else", "do", "begin", "ensure"],
    not_statements: &["rescue", "ensure", "else"],
    lists: &["program"],
    // What follows `__END__` is data.
    comments: &["comment", "uninterpreted"],
    identifiers: &[
        "identifier",
        "constant",
        "instance_variable",
        "class_variable",
        "global_variable",
        "hash_key_symbol",
    ],
    keywords: &["encoding", "file", "line"],
    numbers: &["integer", "float", "complex", "rational"],
    strings: &[
        "string",
        "bare_string",
        "bare_symbol",
        "delimited_symbol",
        "simple_symbol",
        "heredoc_beginning",
        "heredoc_body",
        "regex",
        "subshell",
    ],
    chars: &["character"],
    import_calls: &["require", "require_relative", "load", "autoload"],
    line_ends_statements: true,
    fall_back: FALL_BACK,
    ..crate::tree::Grammar::new(|| tree_sitter_ruby::LANGUAGE.into())
};
