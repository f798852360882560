//! Definitions in the style of Kernighan and Ritchie: `int f(a, b) int a; char *b; { … }`.

use super::branches::Code;
use super::lexer::Kind;

/// Most parameters that are looked for, and most tokens in the declaration of one.
const MAX_PARAMETERS: usize = 64;
const MAX_TOKENS: usize = 48;

/// The `{` of the body, where the parenthesis at `params` lists names alone and only declarations of these follow.
pub(super) fn body(params: usize, source: &[u8], code: &Code) -> Option<usize> {
    let close = code.partner(params)?;
    let count = (close - params) / 2;
    let names_alone = close > params + 1
        && count <= MAX_PARAMETERS
        && (params + 1..close).all(|at| {
            let wanted = if (at - params) % 2 == 1 { Kind::Ident } else { Kind::Comma };
            code.is(at, wanted)
        });
    if !names_alone {
        return None;
    }
    let is_parameter = |at: usize| {
        code.is(at, Kind::Ident)
            && (params + 1..close)
                .step_by(2)
                .any(|p| code.tokens[p].text(source) == code.tokens[at].text(source))
    };
    let mut at = close + 1;
    for _ in 0..=count {
        if code.is(at, Kind::LBrace) {
            return (at > close + 1).then_some(at);
        }
        let end = (at..at + MAX_TOKENS).find(|&at| {
            let kind = code.kind(at);
            at >= code.tokens.len()
                || [Kind::Semi, Kind::LBrace, Kind::RBrace, Kind::Assign].iter().any(|&k| k as u8 == kind)
        })?;
        if !code.is(end, Kind::Semi) || end < at + 2 || !(at + 1..end).any(is_parameter) {
            return None;
        }
        at = end + 1;
    }
    None
}
