//! What makes a function of a query and one of a blob alike that do the same: the encoder says it of both texts.

use familiar_model::Code;
use familiar_report::Explanation;
use familiar_report::find::ExplainedLines;
use familiar_search::find::Piece;
use familiar_source::{BlobId, Language, Span};
use familiar_syntax::{Limits, Parser, Want, decode};

use crate::CorpusError;
use crate::find::{Candidate, lines_of};
use crate::find_options::FindOptions;
use crate::library::Library;
use crate::query::{CodeQuery, QueryFunction};

impl Library {
    /// What makes the functions of a query alike to those of a blob that do the same. Nothing where it is not asked for.
    pub(crate) fn explanations(
        &self,
        code_query: &CodeQuery,
        candidate: &Candidate,
        options: &FindOptions,
    ) -> Result<Vec<ExplainedLines>, CorpusError> {
        let explainer = options.encoder.as_deref().and_then(|encoder| encoder.explainer());
        let (Some(limits), Some(explainer)) = (options.explain, explainer) else { return Ok(Vec::new()) };
        let pieces: Vec<&Piece> = candidate.behaving_alike().collect();
        if pieces.is_empty() {
            return Ok(Vec::new());
        }
        let found = &candidate.found;
        let segment = &self.code[found.segment];
        let language = Language::from_name(segment.label(&found.record)?);
        let text = self.licenses().text_of(&BlobId(found.record.id))?;
        let (Some(language), Some(text)) = (language, text) else { return Ok(Vec::new()) };
        let theirs = functions(&text, language, limits, &pieces);
        let [query, blob] = [&code_query.query.details, &segment.details(&found.record)?];
        let mut explained = Vec::new();
        for (piece, theirs) in pieces.iter().zip(theirs) {
            let same = |function: &&QueryFunction| function.tokens == piece.query;
            let ours = code_query.functions.iter().find(same);
            let (Some(ours), Some(theirs)) = (ours, theirs) else { continue };
            let code = |language, text| Code { language, text };
            let explanation =
                explainer.explain([code(code_query.language, &ours.text), code(language, &theirs)]);
            let [(a, b), (c, d)] = [lines_of(query, piece.query), lines_of(blob, piece.blob)];
            let explanation = Explanation::of(explanation, [a.saturating_sub(1), c.saturating_sub(1)]);
            explained.push(ExplainedLines { matched_lines: [a, b, c, d], explanation });
        }
        Ok(explained)
    }
}

/// The functions of a blob that pieces name by their tokens, where they are still told apart as the corpus did.
fn functions(bytes: &[u8], language: Language, limits: Limits, pieces: &[&Piece]) -> Vec<Option<Vec<u8>>> {
    let Ok(decoded) = decode::decode(bytes) else { return pieces.iter().map(|_| None).collect() };
    let mut parser = Parser::within(limits);
    let parsed = parser.parse(language, &decoded.text, Want { fragments: true, line_starts: true });
    let text = |tokens: Span| {
        let fragment = parsed.fragments.iter().find(|fragment| fragment.tokens == tokens)?;
        Some(decoded.text.get(fragment.bytes.range())?.to_vec())
    };
    pieces.iter().map(|piece| text(piece.blob)).collect()
}
