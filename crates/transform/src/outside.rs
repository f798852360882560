//! Which names of a program come from outside of it?

use std::collections::BTreeSet;

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::braces::names::is_use;
use crate::program::Program;

/// Nodes that give a type its name.
const TYPES: [&str; 12] = [
    "class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "class_specifier",
    "struct_specifier",
    "enum_specifier",
    "union_specifier",
    "type_alias_declaration",
    "type_parameter",
    "type_spec",
    "alias_declaration",
];

/// Nodes of parameters that stand for types.
const PARAMETERS: [&str; 3] =
    ["type_parameter", "type_parameter_declaration", "variadic_type_parameter_declaration"];

impl Program {
    /// The names that the program uses and that nothing in it declares, without members of values: functions, variables and types of
    /// the language, of a library, or of the files around it. In Python they are values alone, since annotations are no code that runs.
    pub fn outside(&self) -> BTreeSet<&str> {
        if self.language() == Language::Python {
            return self.outside_of_python();
        }
        let names = self.names();
        let (mut used, mut declared) = (BTreeSet::new(), BTreeSet::new());
        for node in self.root().descendants().filter(|it| it.children().next().is_none()) {
            let parent = node.parent();
            let is_name = parent.is_some() && node.field() == Some("name");
            let above = parent.map(Node::kind).unwrap_or_default();
            match node.kind() {
                "identifier" | "type_identifier" if is_name && TYPES.contains(&above) => {
                    // `struct node *next` only names the type.
                    let is_used =
                        above.ends_with("_specifier") && parent.is_some_and(|it| it.child("body").is_none());
                    if is_used { &mut used } else { &mut declared }.insert(self.of(node));
                }
                // Parameters of Java's and C++'s types have no field for their name.
                "type_identifier" | "identifier"
                    if PARAMETERS.contains(&above) && matches!(node.field(), None | Some("name")) =>
                {
                    declared.insert(self.of(node));
                }
                "identifier" if is_name && above == "method_declaration" => {
                    declared.insert(self.of(node));
                }
                // Of `Map.Entry` and `std::vector<int>::iterator`, only the first name comes from outside by itself.
                "type_identifier" | "identifier" | "namespace_identifier" if is_behind_scope(node) => {}
                "type_identifier" if above == "type_definition" && node.field() == Some("declarator") => {
                    declared.insert(self.of(node));
                }
                "type_identifier" | "namespace_identifier" => {
                    used.insert(self.of(node));
                }
                "identifier" if above == "qualified_identifier" => {
                    used.insert(self.of(node));
                }
                "identifier"
                    if is_name
                        && above == "method_invocation"
                        && parent.is_some_and(|it| it.child("object").is_none()) =>
                {
                    used.insert(self.of(node));
                }
                _ if is_use(node, self.language()) && names.number(node).is_none() => {
                    used.insert(self.of(node));
                }
                _ => {}
            }
        }
        used.retain(|it| *it != "_" && !declared.contains(it));
        used
    }

    fn outside_of_python(&self) -> BTreeSet<&str> {
        let scopes = self.scopes();
        let annotations = |it: Node<'_>| it.kind() == "type" || it.field() == Some("return_type");
        let is_annotation = |mut it: Node<'_>| {
            while !annotations(it) {
                let Some(parent) = it.parent() else { return false };
                it = parent;
            }
            true
        };
        let outside = scopes.variables().iter().filter(|it| it.bindings.is_empty());
        let named = outside.filter_map(|it| {
            let at = it.places.iter().map(|&place| self.node(place)).find(|&it| !is_annotation(it))?;
            Some(self.of(at))
        });
        named.collect()
    }
}

/// Whether another name and a dot, or `::`, stand before a name of a type.
fn is_behind_scope(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| match parent.kind() {
        "qualified_identifier" => node.field() == Some("name") && parent.child("scope").is_some(),
        "scoped_type_identifier" | "qualified_type" => parent.named().next() != Some(node),
        // The type of a template, such as `vector<int>` in `std::vector<int>`.
        "template_type" | "template_function" => node.field() == Some("name") && is_behind_scope(parent),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outside(language: Language, code: &str) -> Vec<String> {
        let program = Program::parse(language, code.as_bytes(), usize::MAX).expect("a test's own code");
        program.outside().into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn what_python_binds_is_inside() {
        let code = "def f(text, *rest: Part, **more):\n    import os\n    total = g(text)\n    for i, (a, b) in enumerate(rest):\n        \
                    total += a.size + b\n    with os.scandir('.') as all, lock:\n        kept = [x for x in all if x]\n    \
                    return f(total, kept, _cache, key=more)\n";
        assert_eq!(outside(Language::Python, code), ["_cache", "enumerate", "g", "lock"]);
    }

    #[test]
    fn fields_types_and_functions_of_java_are_outside() {
        let code = "static <T extends Base> T f(List<T> all, final Range r) {\n  int n = total + r.size;\n  for (T it : all) { n += it.n(); g(n); }\n  \
                    Runnable x = () -> Helper.run(n);\n  try { f(all, r); } catch (IOException e) { throw e; }\n  return all.get(n);\n}\n";
        assert_eq!(
            outside(Language::Java, code),
            ["Base", "Helper", "IOException", "List", "Range", "Runnable", "g", "total"]
        );
    }

    #[test]
    fn other_languages_likewise() {
        assert_eq!(
            outside(
                Language::C,
                "static int f(struct node *a, size_t n) { int i = 0; return g(a->next, LIMIT + i, n); }"
            ),
            ["LIMIT", "g", "node"]
        );
        assert_eq!(
            outside(
                Language::Cpp,
                "template <typename T> int f(const std::vector<T>& a) { for (auto x : a) h(x); return a.size(); }"
            ),
            ["h", "std"]
        );
        assert_eq!(
            outside(
                Language::JavaScript,
                "function f({a, b: c}, d = 1) { const e = { a, x: c }; return g(e.x, d, y => y + z); }"
            ),
            ["g", "z"]
        );
        assert_eq!(
            outside(
                Language::TypeScript,
                "function f<T>(a: T, b: Item): Map<T, string> { const r = new Map(); return r.set(a, b); }"
            ),
            ["Item", "Map"]
        );
        assert_eq!(
            outside(
                Language::Go,
                "func f(a []int, b *Tree) int {\n\tfor i, x := range a {\n\t\tfmt.Println(i, x, b.n)\n\t}\n\treturn len(a)\n}\n"
            ),
            ["Tree", "fmt", "int", "len"]
        );
    }
}
