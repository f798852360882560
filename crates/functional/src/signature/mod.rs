//! Which functions does a side have? By tokens, so that a text that is not whole can be read, too.
//!
//! `python`, `braces` (Java, C, C++, C#), `script` (JavaScript) and `go` have one way of declaring each, `variable` what no declaration
//! makes, and `function` what they find.

mod braces;
mod function;
mod go;
mod python;
mod script;
mod variable;

pub(crate) use function::{Function, Parameter};

use crate::tokens::words;
use familiar_source::Language;

/// The functions of a text, in their order. Those within functions are left out.
pub(crate) fn functions(text: &str, language: Language) -> Vec<Function> {
    let words = words(text, language);
    match language {
        Language::Python => python::functions(text, &words),
        Language::JavaScript => script::functions(&words),
        Language::Go => go::functions(&words),
        _ => braces::functions(&words, language),
    }
}

/// The variables of a text that hold a function, in languages that do not say what one takes. `own` are the functions of the text.
pub(crate) fn variables<'t>(text: &'t str, language: Language, own: &[Function]) -> Vec<&'t str> {
    match language {
        Language::Python | Language::JavaScript => {
            variable::variables(text, &words(text, language), language, own)
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, language: Language) -> Vec<String> {
        let one = |function: Function| {
            let parameters: Vec<String> = function
                .parameters
                .iter()
                .map(|it| format!("{}:{}{}", it.name, it.written, if it.optional { "?" } else { "" }))
                .collect();
            let owner = function.owner.map(|owner| owner + ".").unwrap_or_default();
            format!("{owner}{}({}) {:?}", function.name, parameters.join(","), function.returns)
        };
        functions(text, language).into_iter().map(one).collect()
    }

    #[test]
    fn variables_that_hold_a_function_are_found() {
        let of = |text, language| variables(text, language, &functions(text, language));
        let python = "f = partial(g, 2)\nh = lambda x: x\nn = 3\nt = [f]\nf2 = g\nf3 = h\nf3 = 1\na = operator.add\nm = made(1)\nr = g(1, 2)\n\
                      s = (g(1, 2), 3)\ndef g(a, b):\n    c = a\n    return c\ndef made(a):\n    return lambda b: a\n";
        assert_eq!(of(python, Language::Python), ["f", "h", "f2", "a", "m"]);
        let script = "const f = g.bind(null, 1);\nlet n = 3;\nx = f;\nconst r = g(1);\nconst m = made(1);\nfunction g(a) {\n  const b = a;\n  return b;\n}\n\
                      function made(a) {\n  return (b) => a;\n}\n";
        assert_eq!(of(script, Language::JavaScript), ["f", "m"]);
        assert_eq!(of("int f = g();", Language::C), Vec::<&str>::new());
    }

    #[test]
    fn declarations_are_found_in_every_language() {
        let python = "import os\nclass A(B):\n    def f(self, a: int, b=2) -> str:\n        def g(x): return x\n        return g(a)\n\ndef h(*rest): pass\nasync def k(a, *, b): pass";
        assert_eq!(shown(python, Language::Python), ["A.f(self:,a:int,b:?) Text", "h() Any", "k(a:,b:) Any"]);
        let java = "public static <T extends Comparable<T>> int f (int [] a, Map<String, List<T>> m) throws E { if (a.length > 0) { g(a); } return h(1); }\nvoid g(final char c[]) { }";
        assert_eq!(
            shown(java, Language::Java),
            ["f(a:int[],m:Map<String,List<T>>) Int", "g(c:char[]) Nothing"]
        );
        let class = "public class A { private int x = f(2); A(int y) { x = y; } static class B { } public String f(int a) { return new C() { int g(int x) { return x; } }.s; } }";
        assert_eq!(shown(class, Language::Java), ["A.f(a:int) Text"]);
        let csharp = "using System;\nnamespace N { [A(typeof(int[]))] public class B { public static T F<T>(T a, List<T> b) where T : C<T>, new() { return a; } } }\n\
                      class D { int G(this int? a, params int[] b) => b[0]; }";
        assert_eq!(
            shown(csharp, Language::CSharp),
            ["B.F(a:T,b:List<T>) Any", "D.G(a:this int?,b:params int[]) Int"]
        );
        let c = "#include <stdio.h>\nstatic unsigned int *f(const char *s, int n[], double x) { return 0; }\nint g(void) { for (;;) { } }";
        assert_eq!(shown(c, Language::C), ["f(s:const char*,n:int[],x:double) List(Int)", "g() Int"]);
        let script = "function f(a, b = 2) { return (x) => x; }\nconst g = (a, [b]) => a;\nlet h = async x => x;\nclass A { k(a) { if (a) { } } }";
        assert_eq!(
            shown(script, Language::JavaScript),
            ["f(a:,b:?) Any", "g(a:,:) Any", "h(x:) Any", "A.k(a:) Any"]
        );
        let go = "package main\nfunc f(a, b int, c []string) (int, error) { return 1, nil }\nfunc (s *Stack) Push(x int) { }";
        assert_eq!(shown(go, Language::Go), ["f(a:int,b:int,c:[]string) Any", "Stack.Push(x:int) Nothing"]);
    }
}
