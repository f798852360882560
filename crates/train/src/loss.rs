//! Supervised contrastive loss (Khosla et al. 2020, equation 2).

use candle_core::{D, Tensor};

/// What the vectors of one batch lose: each should be near those of its group and far from those of other groups of its
/// source. Groups of different sources may be one problem, so they are not held against each other; nor are those that
/// `may_be_clones`, by their positions.
pub fn supervised_contrastive(
    vectors: &Tensor,
    groups: &[u32],
    sources: &[u32],
    may_be_clones: impl Fn(usize, usize) -> bool,
    temperature: f64,
) -> candle_core::Result<Tensor> {
    let (n, device) = (groups.len(), vectors.device());
    let mut positives = vec![0f32; n * n];
    let mut left_out = vec![0f32; n * n];
    for i in 0..n {
        let others = (0..n).filter(|&j| j != i && groups[j] == groups[i]);
        let count = others.clone().count().max(1) as f32;
        for j in others {
            positives[i * n + j] = 1.0 / count / n as f32;
        }
        for j in 0..n {
            let unlike = groups[i] != groups[j] && may_be_clones(i, j);
            if i == j || sources[i] != sources[j] || unlike {
                left_out[i * n + j] = -1e9;
            }
        }
    }
    let positives = Tensor::from_vec(positives, (n, n), device)?;
    let left_out = Tensor::from_vec(left_out, (n, n), device)?;
    let scores = ((vectors.matmul(&vectors.t()?)? / temperature)? + &left_out)?;
    let highest = scores.max_keepdim(D::Minus1)?.detach();
    let scores = scores.broadcast_sub(&highest)?;
    let total = scores.exp()?.sum_keepdim(D::Minus1)?.log()?;
    // What is left out has no positives, so that the great negative numbers are multiplied by 0.
    scores.broadcast_sub(&total)?.mul(&positives)?.sum_all()?.neg()
}
