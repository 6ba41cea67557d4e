import type { CandidateInterview } from './candidates.repo.ts';

/** Colleagues' reviews, comments and pushes about an interview, with their names. */
export const viewOpinions = ({ reviews, comments, pushes }: CandidateInterview) => ({
  reviews: reviews.map(viewReview),
  comments: comments.map(viewComment),
  sentToAts: pushes.map(viewPush),
});

const viewPush = (row: CandidateInterview['pushes'][number]) => ({
  ats: row.connection_id,
  target: row.target,
  state: row.state,
  note: row.note?.text ?? null,
  verdict: row.verdict,
  url: row.parts?.url ?? null,
  error: row.error,
  requestedAt: row.requested_at,
  sentAt: row.sent_at,
});

const viewComment = (row: CandidateInterview['comments'][number]) => ({
  author: row.author,
  body: row.body,
  atSeconds: row.at_seconds,
  createdAt: row.created_at,
  editedAt: row.edited_at,
});

/** With the labels of the criteria instead of their keys. */
function viewReview(row: CandidateInterview['reviews'][number]) {
  const labels = new Map(row.criteria.map(({ key, label }) => [key, label]));
  const labeled = (ratings: Record<string, number | null>) =>
    Object.entries(ratings).map(([key, rating]) => ({ criterion: labels.get(key) ?? key, rating }));
  return {
    author: row.author,
    submittedAt: row.submitted_at,
    recommendation: row.recommendation,
    ratings: labeled(row.ratings),
    firstRatings: row.first_ratings && labeled(row.first_ratings),
    note: row.note,
  };
}
