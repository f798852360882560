"""What tools/figures.py counts: functions with a body, outside of tests."""

import unittest

import figures

TEXT = '''fn one() -> &'static str {
    "}"
}

trait Named {
    fn name(&self) -> [u8; 3];

    fn length(&self) -> usize {
        // {
        3
    }
}

#[cfg(test)]
mod tests {
    fn not_counted() {
    }
}

fn where_it_is<F>(call: F) -> u32
where
    F: Fn() -> u32,
{
    call()
}
'''


class Functions(unittest.TestCase):
    def test_lengths_are_from_fn_to_the_closing_brace(self):
        found = list(figures.functions(figures.without_tests(TEXT)))
        self.assertEqual(found, [("one", 3), ("length", 4), ("where_it_is", 6)])

    def test_lines_stay_where_they_are(self):
        self.assertEqual(figures.without_tests(TEXT).count("\n"), TEXT.count("\n"))


if __name__ == "__main__":
    unittest.main()
