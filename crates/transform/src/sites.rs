//! Where a transformation applies, and where it does not.

use std::ops::Range;

use crate::choices::Choices;
use crate::program::Program;
use crate::refusal::Refusal;
use crate::rewrite::Forest;
use crate::transformation::Transformation;

/// A place whose form a transformation knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where it stands in [`Program::text`](crate::Text::text).
    pub bytes: Range<usize>,
    /// Why it stays as it is; `None` where it can be rewritten.
    pub refusal: Option<Refusal>,
}

/// All sites of `transformation`, in the order of the text. Where one can be rewritten but an earlier one stands in its way, the
/// refusal says so.
pub fn sites(program: &Program, transformation: &dyn Transformation, seed: u64) -> Vec<Site> {
    let (mut choices, mut forest) = (Choices::new(program, seed), Forest::default());
    let candidates = transformation.candidates(program).into_iter();
    let site = candidates.map(|site| {
        let edits = transformation.rewrite(program, site, &mut choices);
        let taken = edits.map(|edits| forest.add(edits));
        let refusal = match taken {
            Err(refusal) => Some(refusal),
            Ok(true) => None,
            Ok(false) => Some(Refusal("an earlier site that is rewritten stands in its way")),
        };
        Site { bytes: site.range(), refusal }
    });
    site.collect()
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;
    use crate::catalog;

    #[test]
    fn sites_say_where_they_are_and_why_they_stay() {
        let code = "def f(a):\n    for x in a:\n        print(x)\n    for x in a:\n        print('é'); yield x\n    else:\n        print(1)\n";
        let program =
            Program::parse(Language::Python, code.as_bytes(), usize::MAX).expect("a test's own code");
        let for_while = catalog::transformation("for-while").expect("it is in the catalogue");
        let found = sites(&program, for_while, 0);
        let lines: Vec<usize> = found.iter().map(|it| program.line(it.bytes.start)).collect();
        assert_eq!(lines, [2, 4], "{found:?}");
        assert_eq!((program.column(found[0].bytes.start), found[0].refusal), (5, None));
        let yields = code.find("yield").expect("it is there");
        assert_eq!((program.line(yields), program.column(yields)), (5, 21));
    }
}
