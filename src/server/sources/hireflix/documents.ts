/**
 * GraphQL documents, from the most fields to the fewest, because the schema has lost and gained
 * fields before.
 */
export type Documents = readonly [large: string, medium: string, small: string];

const TRANSCRIPTION = 'transcription { languageCode text words { text start end } }';

const interviewFields = (transcription: string): Documents => [
  `id status createdAt updatedAt completedAt completed thumbnail
  candidate { fullName firstName lastName email phone } url { private } externalLink { url }
  questions { id title description answered answer { id url encoded createdAt ${transcription} } }`,
  `id status createdAt updatedAt thumbnail candidate { fullName email phone } url { private }
  questions { id title answered answer { id url encoded ${transcription} } }`,
  'id status createdAt updatedAt candidate { fullName email } questions { id title answer { id url } }',
];

const forEach = ([large, medium, small]: Documents, document: (fields: string) => string): Documents => [
  document(large),
  document(medium),
  document(small),
];

/** Newest invitation first. The list has no filter by date. */
export const INTERVIEWS_OF_POSITION = forEach(
  interviewFields(''),
  (fields) => `query Interviews($position: String!, $limit: Int!, $cursor: String) {
  position(id: $position) {
    name description
    interviewList(
      pagination: { limit: $limit, lastCursor: $cursor, direction: FORWARD }
      sort: { field: createdAt, direction: DESC }
    ) { results { ${fields} } lastCursor count total }
  }
}`,
);

export const ONE_INTERVIEW = forEach(
  interviewFields(TRANSCRIPTION),
  (fields) => `query Interview($id: String!, $position: String!) {
  interview(id: $id) { ${fields} }
  position(id: $position) { name description }
}`,
);

const once = (document: string): Documents => [document, document, document];

export const POSITIONS = once('query Positions { positions { id name archived } }');
