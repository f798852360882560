//! The classes of a search as a report has them: scored, nested, ranked, and the first ones quoted.

use std::io;

use familiar_report::{ClassRow, Excerpt, class_fingerprint};
use familiar_search::classes::Class;
use familiar_search::evidence::Commonness;
use familiar_search::relevance::Relevance;
use familiar_search::{Matches, Place};
use familiar_syntax::carried;
use rayon::prelude::*;

use super::Search;
use crate::rank::{self, Rarity};
use crate::resolve::Text;
use crate::{nest, summary};

/// Most lines of an excerpt, and of each of two that are compared.
const EXCERPT_LINES: u32 = 12;
const COMPARED_LINES: u32 = 300;

impl Search<'_> {
    /// The classes with item numbers for fragments, not ranked yet.
    pub(super) fn class_rows(
        &self,
        matches: &Matches,
        texts: &[Text],
        classes: &[Class],
        rarity: &Rarity,
        counts: Option<&Commonness>,
    ) -> io::Result<Vec<ClassRow>> {
        let collection = &self.ingested.collection;
        let worker = || (Default::default(), counts.map(|counts| Relevance::new(collection, counts)));
        let row = |(symbols, relevance): &mut (_, Option<Relevance<'_>>), class: &Class| {
            let representative = class.members[0];
            let place = |item: u32| matches.items()[item as usize].place;
            let other = first_that_differs(matches, &class.members, class.clone_type).map(place);
            let is_test = |place: Place| collection.files[place.file as usize].is_test(place.tokens.start);
            let is_others = |place: Place| {
                let document = self.ingested.files[place.file as usize].document;
                carried::is_in_third_party(self.input.documents[document as usize].path.as_str())
            };
            let all = |is: &dyn Fn(Place) -> bool| class.members.iter().all(|&member| is(place(member)));
            let is_aside = all(&is_test) || all(&is_others);
            let language = self.ingested.files[place(representative).file as usize].language;
            let content = rarity.content(collection, place(representative), other, symbols)?;
            let relevance = match relevance {
                Some(relevance) => relevance_of(relevance, matches, class, other)?,
                None => 1.0,
            };
            Ok(ClassRow {
                representative,
                members: class.members.clone(),
                clone_type: class.clone_type,
                lines: texts[representative as usize].lines.count(),
                similarity: similarities(matches, &class.members),
                rank: 0,
                score: rank::score(
                    content,
                    language,
                    class.members.len(),
                    is_aside,
                    texts[representative as usize].is_license,
                ),
                relevance,
                nested: Vec::new(),
                fingerprint: class_fingerprint(
                    class.members.iter().map(|&member| texts[member as usize].form),
                ),
                excerpt: None,
                other: None,
                explanation: None,
            })
        };
        classes.par_iter().map_init(worker, row).collect()
    }

    /// Sorts the classes by score, numbers them, and quotes the first.
    pub(super) fn ranked(
        &self,
        mut classes: Vec<ClassRow>,
        matches: &Matches,
        texts: &[Text],
    ) -> Vec<ClassRow> {
        classes = rank::surest_first(self.nested(classes, matches, texts), self.files(matches));
        nest::number(&mut classes);
        for class in classes.iter_mut().take(self.options.excerpts) {
            let other = first_that_differs(matches, &class.members, class.clone_type);
            let most = if other.is_some() { COMPARED_LINES } else { EXCERPT_LINES };
            let quote = |item: u32| self.excerpt(matches, texts, item, most);
            class.other = other.and_then(quote);
            class.excerpt = quote(class.representative);
        }
        classes
    }

    /// The classes, those in them that show the same lines as larger ones.
    pub(super) fn nested(&self, classes: Vec<ClassRow>, matches: &Matches, texts: &[Text]) -> Vec<ClassRow> {
        if self.scope.counts_query {
            return classes;
        }
        let place = |item: u32| (self.document_number(matches, item), texts[item as usize].lines);
        // Between projects it counts who has the code, and each of them has to be named.
        let project = |document: u32| self.input.documents[document as usize].root;
        let project = self.options.between_projects.then_some(&project as &dyn Fn(u32) -> u32);
        let by_size = rank::ordered(classes, self.files(matches), 1).into_iter().map(|(_, class)| class);
        nest::nest(by_size.collect(), place, project)
    }

    /// The files of the first two members of a class.
    fn files(&self, matches: &Matches) -> impl Fn(&ClassRow) -> [u32; 2] {
        |class| [class.members[0], class.members[1]].map(|member| self.document_number(matches, member))
    }

    fn excerpt(&self, matches: &Matches, texts: &[Text], item: u32, most: u32) -> Option<Excerpt> {
        let document = self.document_number(matches, item);
        summary::excerpt(&self.input, document, item, texts[item as usize].lines, most)
    }
}

/// How sure it is that a reader wants to see a class. What does the same without being alike is as sure as the encoder.
fn relevance_of(
    relevance: &mut Relevance<'_>,
    matches: &Matches,
    class: &Class,
    other: Option<Place>,
) -> io::Result<f64> {
    if class.clone_type > 3 {
        return Ok(similarities(matches, &class.members).0);
    }
    let place = |at: usize| matches.items()[class.members[at] as usize].place;
    relevance.of(place(0), other.unwrap_or_else(|| place(1)), class.members.len(), class.clone_type == 3)
}

/// The least and the largest similarity of a class's rays.
fn similarities(matches: &Matches, members: &[u32]) -> (f64, f64) {
    let rays = members[1..].iter().filter_map(|&member| matches.relation(members[0], member));
    let similarities = rays.map(|relation| relation.similarity);
    similarities.fold((1.0, 0.0), |(least, most), value| (f64::min(least, value), f64::max(most, value)))
}

/// Of a class whose members are not all equal, the first member whose relation to the representative has the class's type.
fn first_that_differs(matches: &Matches, members: &[u32], clone_type: u8) -> Option<u32> {
    let differs = |&member: &u32| {
        matches.relation(members[0], member).is_some_and(|relation| relation.clone_type == clone_type)
    };
    members[1..].iter().copied().filter(|_| clone_type > 1).find(differs)
}
