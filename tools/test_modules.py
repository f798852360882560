#!/usr/bin/env python3
"""Tests of modules.py: python3 tools/test_modules.py"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import modules


def written(files):
    """A folder with these files, which lives as long as what is returned."""
    folder = tempfile.TemporaryDirectory()
    for name, text in files.items():
        file = pathlib.Path(folder.name) / "src" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return folder


class Modules(unittest.TestCase):
    def circles(self, arrows, files):
        with written(files) as folder:
            root = pathlib.Path(folder)
            found = modules.circles(arrows(root))
            return [[str(file.relative_to(root / "src")) for file in group] for group in found]

    def rust(self, files):
        return self.circles(modules.arrows_of_rust, files)

    def pages(self, files):
        return self.circles(modules.arrows_of_pages, files)

    def test_layers_are_no_circle(self):
        files = {
            "lib.rs": "mod a; mod b; pub use a::A; pub fn run() { b::run() }",
            "a.rs": "pub struct A;",
            "b.rs": "use crate::A; pub fn run() { let _ = A; }",
        }
        self.assertEqual(self.rust(files), [])

    def test_a_parent_that_calls_what_takes_from_it_is_a_circle(self):
        files = {
            "lib.rs": "mod a; pub struct Options; pub fn run() { a::run(&Options) }",
            "a.rs": "use super::Options; pub fn run(_: &Options) {}",
        }
        self.assertEqual(self.rust(files), [["a.rs", "lib.rs"]])

    def test_arrows_lead_through_reexports_and_globs(self):
        files = {
            "lib.rs": "mod a; mod b; pub use b::*;",
            "a.rs": "use crate::B; pub struct A; fn f(_: B) {}",
            "b/mod.rs": "mod inner; pub use self::inner::B;",
            "b/inner.rs": "pub struct B(crate::a::A);",
        }
        self.assertEqual(self.rust(files), [["a.rs", "b/inner.rs"]])

    def test_a_lifetime_defines_nothing(self):
        files = {
            "lib.rs": "mod a; mod b; pub use b::B; pub fn run() -> &'static B { a::run() }",
            "a.rs": "use super::B; pub fn run() -> &'static B { &B }",
            "b.rs": "pub struct B;",
        }
        self.assertEqual(self.rust(files), [])

    def test_tests_comments_and_strings_take_nothing(self):
        files = {
            "lib.rs": "mod a; pub struct B; pub fn run() { a::run() }",
            "a.rs": """// crate::B
                pub fn run() { let _ = "crate::B"; let _ = 'a'; let _ = r#"crate::B"#; }
                #[cfg(test)]
                mod tests { use crate::B; fn f(_: B) { "}" ; } }
                #[cfg(test)]
                use crate::B;
            """,
        }
        self.assertEqual(self.rust(files), [])

    def test_pages_that_import_each_other_are_a_circle(self):
        files = {
            "a.ts": "import { b } from './b'; export const a = () => b;",
            "b.tsx": "import type { A } from './a'\nexport const b = 1;",
            "c.ts": "import { a } from './a'; export { b } from './b';",
        }
        self.assertEqual(self.pages(files), [["a.ts", "b.tsx"]])

    def test_a_folder_that_is_not_there_is_an_error(self):
        tool = pathlib.Path(modules.__file__)
        run = subprocess.run([sys.executable, tool, "nowhere"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn("nowhere has no folder src", run.stderr)


if __name__ == "__main__":
    unittest.main()
