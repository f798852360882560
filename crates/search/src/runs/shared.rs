//! What two files share around a sample that both have: the way from one file to those that may have a run of it, without a search
//! through all of them.

use familiar_index::Periodic;
use familiar_source::Span;
use familiar_syntax::normal;

use super::periodic::least_rotation;
use super::settings::RunSettings;

/// What stands around a sampled k-gram, in eight bits: four for the tokens before, four for those after. Any run through the
/// k-gram has all of one side or of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context(pub u8);

impl Context {
    /// The context of the k-gram at a position of a file's symbols.
    pub fn of(settings: &RunSettings, symbols: &[u32], at: u32) -> Self {
        let (at, k) = (at as usize, settings.sampling().k);
        let around = (settings.min_tokens as usize).saturating_sub(k).div_ceil(2);
        let form = settings.form();
        let bits = |tokens: Option<&[u32]>| {
            let Some(tokens) = tokens.filter(|tokens| !tokens.iter().any(|&token| form.is_barrier(token)))
            else {
                return 0;
            };
            let mix = |hash: u32, &symbol: &u32| {
                (hash ^ form.value(symbol)).wrapping_mul(0x9e37_79b1).rotate_left(15)
            };
            (tokens.iter().fold(7, mix).wrapping_mul(0x85eb_ca6b) >> 16) % 15 + 1
        };
        let before = bits(at.checked_sub(around).map(|start| &symbols[start..at]));
        let after = bits(symbols.get(at + k..at + k + around));
        Self((before << 4 | after) as u8)
    }

    /// Whether a run may go through two k-grams in these contexts.
    pub fn may_share_run(self, other: Self) -> bool {
        let (before, after) = (self.0 >> 4, self.0 & 15);
        before != 0 && before == other.0 >> 4 || after != 0 && after == other.0 & 15
    }
}

/// The tokens of two files that agree around one place of each, in the form that runs are compared in: their spans, empty where
/// the places themselves differ.
pub fn shared(
    settings: &RunSettings,
    (left, at): (&[u32], u32),
    (right, other): (&[u32], u32),
) -> (Span, Span) {
    let form = settings.form();
    let (l, r) = (at as usize, other as usize);
    let after = form.common_prefix(&left[l.min(left.len())..], &right[r.min(right.len())..]) as u32;
    let before = if after == 0 {
        0
    } else {
        form.common_suffix(&left[..l.min(left.len())], &right[..r.min(right.len())]) as u32
    };
    (Span::new(at - before, at + after), Span::new(other - before, other + after))
}

/// By what a stretch that repeats a piece is found: a hash of the piece, wherever in it the stretch begins.
pub fn piece_of(settings: &RunSettings, symbols: &[u32], region: Periodic) -> u32 {
    let form = settings.form();
    let piece = &symbols[region.start as usize..(region.start + region.period) as usize];
    let piece: Vec<u32> = piece.iter().map(|&symbol| form.value(symbol)).collect();
    let phase = least_rotation(&piece);
    (normal::hash(&[&piece[phase..], &piece[..phase]].concat()) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use familiar_syntax::normal::Renaming;

    use super::*;
    use crate::testing;

    const SETTINGS: RunSettings = RunSettings {
        min_tokens: 4,
        type_2: true,
        renaming: Renaming::Blind,
        max_gap_tokens: 0,
        max_equal_gap: 0,
        cross_families: false,
        import_barriers: true,
        memory: 1 << 20,
    };

    #[test]
    fn what_two_files_share_is_found_from_any_place_in_it() {
        let left = testing::symbols("x = y + price * tax ;");
        let right = testing::symbols("( a = b + cost * rate )");
        for at in 0..6 {
            let (ours, theirs) = shared(&SETTINGS, (&left, at), (&right, at + 1));
            assert_eq!((ours, theirs), (Span::new(0, 7), Span::new(1, 8)), "{at}");
        }
        let (ours, _) = shared(&SETTINGS, (&left, 7), (&right, 0));
        assert!(ours.is_empty());
    }

    #[test]
    fn contexts_agree_where_a_run_goes_through() {
        let left = testing::symbols("x = y + price * tax ;");
        let right = testing::symbols("( a = b + cost * rate )");
        let context = |symbols: &[u32], at| Context::of(&SETTINGS, symbols, at);
        assert!(context(&left, 2).may_share_run(context(&right, 3)));
        let nothing = Context(0);
        assert!(!nothing.may_share_run(nothing));
    }

    #[test]
    fn a_piece_is_found_wherever_the_stretch_begins() {
        let one = testing::symbols("a , b ; a , b ; a ,");
        let other = testing::symbols("; c , d ; c , d ;");
        let region = |end| Periodic { start: 0, end, period: 4 };
        assert_eq!(piece_of(&SETTINGS, &one, region(10)), piece_of(&SETTINGS, &other, region(9)));
    }
}
