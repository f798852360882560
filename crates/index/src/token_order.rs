//! The elements of token bags in one order for all bags, the rarest first.
//!
//! A bag in which a token stands three times holds three *elements*: the token's first, second and third occurrence.
//! So the multiset intersection of two bags is the plain intersection of their elements. Elements are ranked by the
//! number of bags that hold them, which is what makes prefix filters selective (Chaudhuri, Ganti and Kaushik, ICDE 2006).

use rustc_hash::FxHashMap;

const NONE: u32 = u32::MAX;

/// Gives elements numbers and counts the bags that hold each.
#[derive(Debug, Default)]
pub(crate) struct Elements {
    /// The first element of each token.
    first: FxHashMap<u32, u32>,
    /// For each element that of the token's next occurrence, or `NONE`.
    next: Vec<u32>,
    /// For each element the number of bags counted that hold it.
    bags: Vec<u32>,
}

impl Elements {
    /// Replaces the sorted tokens of one bag by its elements and counts them.
    pub(crate) fn count(&mut self, bag: &mut [u32]) {
        let mut previous = None;
        for place in bag {
            let element = self.element_of(*place, previous);
            previous = Some((*place, element));
            self.bags[element as usize] += 1;
            *place = element;
        }
    }

    fn element_of(&mut self, token: u32, previous: Option<(u32, u32)>) -> u32 {
        let new = self.bags.len() as u32;
        let element = match previous {
            Some((before, element)) if before == token => {
                let next = &mut self.next[element as usize];
                if *next == NONE {
                    *next = new;
                }
                *next
            }
            _ => *self.first.entry(token).or_insert(new),
        };
        if element == new {
            self.next.push(NONE);
            self.bags.push(0);
        }
        element
    }

    /// Fixes the order.
    pub(crate) fn into_order(self) -> TokenOrder {
        // A counting sort by the number of bags; elements of the same number stay in the order of their numbers.
        let most = self.bags.iter().max().map_or(0, |&most| most as usize);
        let mut next_rank = vec![0u32; most + 2];
        for &bags in &self.bags {
            next_rank[bags as usize + 1] += 1;
        }
        for bags in 1..next_rank.len() {
            next_rank[bags] += next_rank[bags - 1];
        }
        let shared_from = next_rank.get(2).copied().unwrap_or(self.bags.len() as u32);
        let mut ranks = self.bags;
        for place in &mut ranks {
            let rank = &mut next_rank[*place as usize];
            *place = *rank;
            *rank += 1;
        }
        TokenOrder { first: self.first, next: self.next, ranks, shared_from }
    }
}

/// The order of all elements that were counted.
#[derive(Debug)]
pub(crate) struct TokenOrder {
    first: FxHashMap<u32, u32>,
    next: Vec<u32>,
    ranks: Vec<u32>,
    shared_from: u32,
}

impl TokenOrder {
    /// Number of elements.
    pub(crate) fn elements(&self) -> u32 {
        self.ranks.len() as u32
    }

    /// The first rank of which more than one bag has the element.
    pub(crate) fn shared_from(&self) -> u32 {
        self.shared_from
    }

    /// Replaces a bag's elements by their ranks, ascending.
    pub(crate) fn rank(&self, elements: &mut [u32]) {
        for place in &mut *elements {
            *place = self.ranks[*place as usize];
        }
        elements.sort_unstable();
    }

    /// Replaces the sorted tokens of a bag that was counted by the ranks of its elements, ascending.
    pub(crate) fn rank_tokens(&self, tokens: &mut [u32]) {
        let mut previous = None;
        for place in &mut *tokens {
            let element = match previous {
                Some((before, element)) if before == *place => self.next[element as usize],
                _ => self.first[place],
            };
            previous = Some((*place, element));
            *place = element;
        }
        self.rank(tokens);
    }

    /// Bytes that the order holds.
    pub(crate) fn bytes(&self) -> usize {
        // The map keeps eight bytes and a control byte for each slot and leaves up to half of them free.
        self.ranks.len() * 8 + self.first.capacity() * 10
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occurrences_are_elements_and_rare_ones_come_first() {
        let mut elements = Elements::default();
        let (mut a, mut b) = ([5, 5, 9], [5, 7]);
        elements.count(&mut a);
        elements.count(&mut b);
        let order = elements.into_order();
        order.rank(&mut a);
        // The first 5 is in both bags; the second 5, the 9 and the 7 are in one each.
        assert_eq!((order.elements(), order.shared_from()), (4, 3));
        assert_eq!(a, [0, 1, 3]);
        let mut again = [5, 5, 9];
        order.rank_tokens(&mut again);
        assert_eq!(again, a);
    }
}
