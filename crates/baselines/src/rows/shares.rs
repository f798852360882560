//! How much each place counts for each other one: the softmax of attention (Vaswani et al. 2017, Section 3.2.1), with a number
//! for each distance added before.

use candle_core::{CpuStorage, CustomOp1, CustomOp2, D, Layout, Result, Shape, Tensor};

use super::numbers::numbers;

/// Which programs attend to themselves, and how.
#[derive(Clone, Debug)]
pub(crate) struct Attention {
    /// Places of each program.
    pub(crate) spans: Vec<usize>,
    /// Places of each program with what stands behind its end.
    pub(crate) length: usize,
    pub(crate) heads: usize,
    /// Scores are multiplied by it.
    pub(crate) scale: f64,
    /// Places that are farther apart are equally far.
    pub(crate) reach: usize,
}

impl Attention {
    /// The shares of `scores` (program, head, place, other place), to which the number of each distance and head is added: as many rows
    /// as there are distances. Places behind the end of a program count nothing, and their own shares say nothing.
    pub(crate) fn shares(&self, scores: &Tensor, distances: &Tensor) -> Result<Tensor> {
        if scores.device().is_cpu() {
            scores.contiguous()?.apply_op2(&distances.contiguous()?, Shares(self.clone()))
        } else {
            self.library_shares(scores, distances)
        }
    }

    pub(super) fn library_shares(&self, scores: &Tensor, distances: &Tensor) -> Result<Tensor> {
        let (length, device) = (self.length, scores.device());
        let apart = (0..length).flat_map(|one| (0..length).map(move |two| self.apart(one, two) as u32));
        let apart = familiar_train::rows::Numbers::new(apart.collect(), 2 * self.reach + 1, device)?;
        let added = apart.choose(distances)?.reshape((length, length, self.heads))?;
        let added = added.permute((2, 0, 1))?.contiguous()?.unsqueeze(0)?;
        let absent = |&span: &usize| (0..length).map(move |at| if at < span { 0.0_f32 } else { -1e9 });
        let absent: Vec<f32> = self.spans.iter().flat_map(absent).collect();
        let absent = Tensor::from_vec(absent, (self.spans.len(), 1, 1, length), device)?;
        let scores = (scores * self.scale)?.broadcast_add(&added)?.broadcast_add(&absent)?;
        // The fused softmax of the library has no gradient.
        candle_nn::ops::softmax(&scores, D::Minus1)
    }

    /// The number of the distance between two places.
    fn apart(&self, one: usize, two: usize) -> usize {
        let reach = self.reach;
        if one > two { reach - (one - two).min(reach) } else { reach + (two - one).min(reach) }
    }

    /// Rows of places that are there: their program, their head and where they start.
    fn rows(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let (heads, length) = (self.heads, self.length);
        self.spans.iter().enumerate().flat_map(move |(program, &span)| {
            (0..heads).flat_map(move |head| {
                (0..span).map(move |place| (span, head, ((program * heads + head) * length + place) * length))
            })
        })
    }
}

struct Shares(Attention);

/// The gradient of [`Shares`] by the scores, of the shares and their gradient.
struct OfScores(Attention);

/// The gradient by the distances, of that by the scores.
struct OfDistances(Attention);

impl CustomOp2 for Shares {
    fn name(&self) -> &'static str {
        "shares"
    }

    fn cpu_fwd(
        &self,
        scores: &CpuStorage,
        scores_layout: &Layout,
        distances: &CpuStorage,
        distances_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let Attention { length, heads, scale, .. } = self.0;
        let (scores, distances) = (numbers(scores, scores_layout)?, numbers(distances, distances_layout)?);
        // By head and how far the other place is behind; as far before stands first.
        let of = |head: usize| {
            let by_place = |at: usize| distances[self.0.apart(length - 1, at) * heads + head];
            (0..2 * length).map(by_place).collect::<Vec<f32>>()
        };
        let added: Vec<Vec<f32>> = (0..heads).map(of).collect();
        let mut to = vec![0_f32; scores.len()];
        for (span, head, start) in self.0.rows() {
            let place = start / length % length;
            let (from, to) = (&scores[start..start + span], &mut to[start..start + span]);
            let added = &added[head][length - 1 - place..][..span];
            let mut most = f32::NEG_INFINITY;
            for ((to, &score), &added) in to.iter_mut().zip(from).zip(added) {
                *to = score * scale as f32 + added;
                most = most.max(*to);
            }
            let mut sum = 0.0;
            for to in to.iter_mut() {
                *to = (*to - most).exp();
                sum += *to;
            }
            for to in to {
                *to /= sum;
            }
        }
        Ok((CpuStorage::F32(to), scores_layout.shape().clone()))
    }

    fn bwd(
        &self,
        _scores: &Tensor,
        _distances: &Tensor,
        shares: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let of_scores = shares.apply_op2_no_bwd(&gradient.contiguous()?, &OfScores(self.0.clone()))?;
        let of_distances = of_scores.apply_op1_no_bwd(&OfDistances(self.0.clone()))?;
        Ok((Some(of_scores), Some(of_distances)))
    }
}

impl CustomOp2 for OfScores {
    fn name(&self) -> &'static str {
        "gradient of shares by scores"
    }

    fn cpu_fwd(
        &self,
        shares: &CpuStorage,
        shares_layout: &Layout,
        gradient: &CpuStorage,
        gradient_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (shares, gradient) = (numbers(shares, shares_layout)?, numbers(gradient, gradient_layout)?);
        let mut to = vec![0_f32; shares.len()];
        for (span, _, start) in self.0.rows() {
            let row = start..start + span;
            let (shares, gradient) = (&shares[row.clone()], &gradient[row.clone()]);
            let mean: f32 = shares.iter().zip(gradient).map(|(share, part)| share * part).sum();
            for ((to, &share), &part) in to[row].iter_mut().zip(shares).zip(gradient) {
                *to = self.0.scale as f32 * share * (part - mean);
            }
        }
        Ok((CpuStorage::F32(to), shares_layout.shape().clone()))
    }
}

impl CustomOp1 for OfDistances {
    fn name(&self) -> &'static str {
        "gradient of shares by distances"
    }

    fn cpu_fwd(&self, gradient: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let Attention { length, heads, scale, reach, .. } = self.0;
        let gradient = numbers(gradient, layout)?;
        let mut sums = vec![vec![0_f32; 2 * length]; heads];
        for (span, head, start) in self.0.rows() {
            let place = start / length % length;
            let sums = &mut sums[head][length - 1 - place..][..span];
            sums.iter_mut().zip(&gradient[start..start + span]).for_each(|(sum, part)| *sum += part);
        }
        let mut to = vec![0_f32; (2 * reach + 1) * heads];
        for (head, sums) in sums.iter().enumerate() {
            for (at, sum) in sums.iter().enumerate() {
                to[self.0.apart(length - 1, at) * heads + head] += sum / scale as f32;
            }
        }
        Ok((CpuStorage::F32(to), Shape::from((2 * reach + 1, heads))))
    }
}
