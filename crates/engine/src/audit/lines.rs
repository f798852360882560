//! Stretches of a text by its lines.

/// Whether nearly all of some lines bring names in from elsewhere.
pub(super) fn are_imports(text: &str, start: u32, end: u32) -> bool {
    let count = (end + 1).saturating_sub(start) as usize;
    let lines = text.lines().skip(start.saturating_sub(1) as usize).take(count).map(str::trim);
    let (mut imports, mut all, mut open) = (0, 0, false);
    for line in lines.filter(|line| line.len() > 1) {
        let words =
            ["import ", "from ", "#include", "using ", "use ", "require", "package ", "export * from"];
        let begins = words.iter().any(|word| line.starts_with(word)) || line.contains("require(");
        all += 1;
        imports += usize::from(begins || open);
        let opens = begins && line.contains(['(', '{']) && !line.contains([')', '}']);
        open = opens || open && !line.contains([')', '}']);
    }
    all > 0 && imports * 10 >= all * 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_imports_are_known() {
        assert!(are_imports("import os\nfrom a import (\n    b,\n    c,\n)\nimport re\n", 1, 6));
        assert!(!are_imports("import os\nx = 1\ny = 2\n", 1, 3));
        assert!(are_imports("import {\n  a,\n} from 'b'\n", 1, 3));
    }
}
