//! Type-1 and Type-2: fragments that are equal under a normal form, by hash, verified token by token.

use std::io;

use familiar_index::{Collection, FragmentEntry};
use familiar_syntax::normal::{Renamer, Renaming};
use rayon::prelude::*;

/// Groups of equal fragments.
#[derive(Debug, Default)]
pub struct Equal {
    /// Fragment numbers of each node (equal in the Type-1 form), ascending; also nodes of one fragment.
    pub nodes: Vec<Vec<u32>>,
    /// The twin group (equal in the Type-2 form) of each node; without Type-2 every node has its own.
    pub twins: Vec<u32>,
}

impl Equal {
    /// The nodes of each twin group, both in order.
    pub fn twin_groups(&self) -> Vec<Vec<u32>> {
        let mut groups = vec![Vec::new(); self.twins.iter().max().map_or(0, |&most| most as usize + 1)];
        for (node, &twin) in (0u32..).zip(&self.twins) {
            groups[twin as usize].push(node);
        }
        groups
    }

    /// Makes a twin group of each of `groups`, which hold every node once.
    pub fn set_twins<'g>(&mut self, groups: impl Iterator<Item = &'g Vec<u32>>) {
        for (twin, group) in (0..).zip(groups) {
            for &node in group {
                self.twins[node as usize] = twin;
            }
        }
        close_gaps(&mut self.twins);
    }

    /// Takes from a node all fragments but the first.
    pub fn keep_first(&mut self, node: u32) {
        self.nodes[node as usize].truncate(1);
    }
}

/// What may be equal to what.
#[derive(Clone, Copy, Debug)]
pub struct EqualSettings {
    /// Whether nodes that are equal once renamed become twins.
    pub type_2: bool,
    pub renaming: Renaming,
    /// Whether fragments of different families may be equal.
    pub cross_families: bool,
}

/// Groups the fragments `selected` (numbers in the collection). Nodes come in the order of their first fragments.
pub fn group(collection: &Collection, selected: &[u32], settings: EqualSettings) -> io::Result<Equal> {
    let grouper = Grouper { collection, settings };
    let mut nodes = grouper.groups(selected.to_vec(), |fragment| fragment.exact, Form::Exact)?;
    nodes.par_sort_unstable_by_key(|node| node[0]);
    let firsts: Vec<u32> = nodes.iter().map(|node| node[0]).collect();
    let mut twins: Vec<u32> = (0..nodes.len() as u32).collect();
    if settings.type_2 {
        for group in grouper.groups(firsts.clone(), |fragment| fragment.renamed, Form::Renamed)? {
            let node_of = |first: u32| firsts.binary_search(&first).expect("taken from this list") as u32;
            let twin = node_of(group[0]);
            for first in group {
                twins[node_of(first) as usize] = twin;
            }
        }
        close_gaps(&mut twins);
    }
    Ok(Equal { nodes, twins })
}

/// Renumbers groups densely, in the order of their first members.
fn close_gaps(groups: &mut [u32]) {
    let most = groups.iter().max().map_or(0, |&most| most as usize + 1);
    let mut numbers = vec![u32::MAX; most];
    let mut next = 0;
    for group in groups {
        let number = &mut numbers[*group as usize];
        if *number == u32::MAX {
            *number = next;
            next += 1;
        }
        *group = *number;
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Exact,
    Renamed,
}

struct Grouper<'c> {
    collection: &'c Collection,
    settings: EqualSettings,
}

impl Grouper<'_> {
    /// Splits `numbers` into groups of equal fragments: by family and `key`, then verified in `form`.
    fn groups(
        &self,
        mut numbers: Vec<u32>,
        key: fn(&FragmentEntry) -> u64,
        form: Form,
    ) -> io::Result<Vec<Vec<u32>>> {
        let collection = self.collection;
        let cross = self.settings.cross_families;
        let family = |fragment: &FragmentEntry| {
            if cross { 0 } else { collection.files[fragment.file as usize].family }
        };
        let sort_key = |&number: &u32| {
            let fragment = &collection.fragments[number as usize];
            (family(fragment), key(fragment), fragment.tokens, number)
        };
        numbers.par_sort_unstable_by_key(sort_key);
        let same_key = |a: &u32, b: &u32| {
            let (a, b) = (sort_key(a), sort_key(b));
            (a.0, a.1, a.2) == (b.0, b.1, b.2)
        };
        let verified = |buffers: &mut Buffers, run: &[u32]| self.verified(run, form, buffers);
        let groups: io::Result<Vec<Vec<Vec<u32>>>> =
            numbers.par_chunk_by(same_key).map_init(Buffers::default, verified).collect();
        Ok(groups?.into_iter().flatten().collect())
    }

    /// Splits fragments with equal hashes into those that are equal indeed; nearly always into one group.
    fn verified(&self, run: &[u32], form: Form, buffers: &mut Buffers) -> io::Result<Vec<Vec<u32>>> {
        let mut groups = Vec::new();
        let mut rest = run.to_vec();
        while let Some(&first) = rest.first() {
            let mut group = vec![first];
            let mut others = Vec::new();
            for &other in &rest[1..] {
                let same = self.are_equal(first, other, form, buffers)?;
                if same { &mut group } else { &mut others }.push(other);
            }
            groups.push(group);
            rest = others;
        }
        Ok(groups)
    }

    fn are_equal(&self, left: u32, right: u32, form: Form, buffers: &mut Buffers) -> io::Result<bool> {
        let read = |number: u32, buffer| {
            let f = &self.collection.fragments[number as usize];
            self.collection.tokens.get(f.file, f.first..f.first + f.tokens, buffer)
        };
        let (left, right) = (read(left, &mut buffers.left)?, read(right, &mut buffers.right)?);
        if form == Form::Exact || left == right {
            return Ok(left == right);
        }
        let renaming = self.settings.renaming;
        buffers.renamer.rename(left, renaming, &mut buffers.left_renamed);
        buffers.renamer.rename(right, renaming, &mut buffers.right_renamed);
        Ok(buffers.left_renamed == buffers.right_renamed)
    }
}

/// The tokens of the two fragments that are compared, as read and as renamed.
#[derive(Default)]
struct Buffers {
    renamer: Renamer,
    left: Vec<u32>,
    right: Vec<u32>,
    left_renamed: Vec<u32>,
    right_renamed: Vec<u32>,
}
