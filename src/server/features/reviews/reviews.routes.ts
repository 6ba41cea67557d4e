import { getScorecard, listReviews, readReviews, saveReview, saveScorecard } from '#contracts/reviews.ts';
import type { App } from '#server/http/app.ts';
import { signedInUser } from '#server/http/guards/session-guard.ts';
import { route } from '#server/http/route.ts';
import type { Reviews } from './reviews.service.ts';
import type { Scorecards } from './scorecards.service.ts';

interface ReviewServices {
  scorecards: Scorecards;
  reviews: Reviews;
}

export function reviewRoutes(app: App, { scorecards, reviews }: ReviewServices): void {
  route(app, getScorecard, ({ params }) => scorecards.find(params.id));
  route(app, saveScorecard, ({ params, body }) => scorecards.save(params.id, body));
  route(app, listReviews, ({ params }, { request }) => reviews.list(params.id, signedInUser(request)));
  route(app, saveReview, ({ params, body }, { request }) => reviews.save(params.id, signedInUser(request), body));
  route(app, readReviews, ({ params }, { request }) => reviews.open(params.id, signedInUser(request)));
}
