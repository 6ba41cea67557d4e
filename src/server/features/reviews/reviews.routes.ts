import { addComment, deleteComment, listColleagues, listComments, updateComment } from '#contracts/comments.ts';
import {
  getScorecard,
  listReviews,
  readReviews,
  saveReview,
  saveScorecard,
  withdrawReview,
} from '#contracts/reviews.ts';
import type { App } from '#server/http/app.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import { route } from '#server/http/route.ts';
import type { Comments } from './comments.service.ts';
import type { Reviews } from './reviews.service.ts';
import type { Scorecards } from './scorecards.service.ts';

interface ReviewServices {
  scorecards: Scorecards;
  reviews: Reviews;
  comments: Comments;
}

export function reviewRoutes(app: App, { scorecards, reviews, comments }: ReviewServices): void {
  route(app, getScorecard, ({ params }) => scorecards.find(params.id));
  route(app, saveScorecard, ({ params, body }) => scorecards.save(params.id, body));
  route(app, listReviews, ({ params }, { request }) => reviews.list(params.id, signedInUser(request)));
  route(app, saveReview, ({ params, body }, { request }) => reviews.save(params.id, signedInUser(request), body));
  route(app, withdrawReview, ({ params }, { request }) => reviews.withdraw(params.id, signedInUser(request)));
  route(app, readReviews, ({ params }, { request }) => reviews.open(params.id, signedInUser(request)));
  route(app, listComments, ({ params }, { request }) => comments.list(params.id, signedInUser(request)));
  route(app, listColleagues, ({ params }, { request }) => comments.listColleagues(params.id, signedInUser(request)));
  route(app, addComment, ({ params, body }, { request }) => comments.add(params.id, signedInUser(request), body));
  route(app, updateComment, ({ params, body }, { request }) => comments.update(params.id, signedInUser(request), body));
  route(app, deleteComment, ({ params }, { request }) => comments.delete(params.id, signedInUser(request)));
}
