//! Where in a file a function may stand.

use familiar_source::{FragmentKind, Language, Span};
use familiar_syntax::{Parser, Want};

use crate::grammar::reads;

/// A place between two lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// The byte where the next line begins, or the end of the text.
    pub(super) at: usize,
    /// What stands before each line there.
    pub(super) indentation: String,
}

/// Whether functions of a language stand in classes.
pub(super) fn in_classes(language: Language) -> bool {
    matches!(language, Language::Java | Language::CSharp | Language::Scala)
}

/// Whether the grammar reads a text without an error.
pub(super) fn parses(language: Language, text: &str) -> bool {
    reads(language, text) == Some(true)
}

/// Whether code may stand where functions of a language stand.
pub(super) fn takes(language: Language, code: &str) -> bool {
    if in_classes(language) {
        parses(language, &format!("class Around {{\n{code}\n}}\n"))
    } else {
        parses(language, code)
    }
}

/// The places behind functions of a file: in the outermost classes where the language has its functions there, else outside of
/// everything.
pub(super) fn gaps(parser: &mut Parser, language: Language, text: &str) -> Vec<Gap> {
    let bytes = text.as_bytes();
    let parsed = parser.parse(language, bytes, Want { fragments: true, ..Want::default() });
    let around = |span: Span, kind: FragmentKind| {
        let holds = |outer: Span| outer != span && outer.start <= span.start && span.end <= outer.end;
        // The search takes namespaces of C# for classes; no function stands in them.
        let is_namespace = |span: Span| text[span.start as usize..].starts_with("namespace");
        let all = parsed.fragments.iter();
        all.filter(|it| it.kind == kind && holds(it.bytes) && !is_namespace(it.bytes)).count()
    };
    let mut gaps = Vec::new();
    for fragment in parsed.fragments {
        let is_candidate = match fragment.kind {
            FragmentKind::Function => true,
            FragmentKind::Class => !in_classes(language),
            _ => false,
        };
        let classes = usize::from(in_classes(language));
        if !is_candidate
            || around(fragment.bytes, FragmentKind::Function) > 0
            || around(fragment.bytes, FragmentKind::Class) != classes
        {
            continue;
        }
        let (start, end) = (fragment.bytes.start as usize, fragment.bytes.end as usize);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let indentation = &text[line_start..start];
        let is_indented = indentation.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        // In a block, what stands behind it would belong to the new function.
        if classes == 0 && is_indented && !indentation.is_empty() {
            continue;
        }
        let rest = text[end..].find('\n').map_or(&text[end..], |at| &text[end..end + at]);
        // Something else may stand on the line, such as a comma or another function.
        if rest.trim_matches([';', ' ', '\t', '\r']).is_empty() {
            let indentation = if is_indented && classes > 0 { indentation.to_owned() } else { String::new() };
            let at = (end + rest.len() + 1).min(text.len());
            gaps.push(Gap { at, indentation });
        }
    }
    gaps.sort_by_key(|gap| gap.at);
    gaps.dedup_by_key(|gap| gap.at);
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(language: Language, text: &str) -> Vec<(&str, String)> {
        let gaps = gaps(&mut Parser::default(), language, text);
        gaps.into_iter()
            .map(|gap| (text[gap.at..].lines().next().unwrap_or("end"), gap.indentation))
            .collect()
    }

    #[test]
    fn functions_stand_behind_functions() {
        let java = "class A {\n    int a;\n    int f() { return 1; }\n\n    class B { int h() { return 3; } }\n\n    int g() {\n        return 2;\n    }\n}\n";
        assert_eq!(of(Language::Java, java), [("", "    ".to_owned()), ("}", "    ".to_owned())]);
        let csharp = "\u{feff}#region License\r\n#endregion\r\nusing System;\r\nnamespace N\r\n{\r\n    [A]\r\n    public class C : D\r\n    {\r\n        public class E : F { public E(string p) : base(p) { } }\r\n        [Test]\r\n        public void M()\r\n        {\r\n            #region R\r\n            X();\r\n            #endregion\r\n        }\r\n    }\r\n}\r\n";
        assert_eq!(of(Language::CSharp, csharp), [("    }", "        ".to_owned())]);
        assert!(parses(Language::CSharp, csharp));
        assert!(
            takes(Language::Python, "def f(a):\n    return a\n") && !takes(Language::Python, "def f(a):\n")
        );
        let python = "import a\n\ndef f():\n    def g():\n        pass\n    return g\n\nclass C:\n    def m(self):\n        pass\n\nif a:\n    def h():\n        pass\n    b = 1\n";
        assert_eq!(of(Language::Python, python), [("", String::new()), ("", String::new())]);
        let scala = "object A {\n  def f(a: Int): Int = {\n    a\n  }\n}\n";
        assert_eq!(of(Language::Scala, scala), [("}", "  ".to_owned())]);
        assert!(takes(Language::Scala, "def f(a: Int) = a\n"));
        let c = "int f(void) { return 1; }\nint g(void) {\n    return 2;\n}\n#define A\n";
        assert_eq!(of(Language::C, c), [("int g(void) {", String::new()), ("#define A", String::new())]);
    }
}
