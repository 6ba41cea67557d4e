import {
  archiveInterview,
  getDestinationDefaults,
  getInterview,
  getVideo,
  type Interview,
  listInterviews,
  setDestination,
  unarchiveInterview,
  updateDuration,
} from '#contracts/interviews.ts';
import { getAnswers, getReview, markAnswer, markWatched, recordPlaying, unmarkWatched } from '#contracts/review.ts';
import type { App } from '#server/http/app.ts';
import type { Read, ReadQuota } from '#server/http/guards/read-quota.ts';
import { route } from '#server/http/route.ts';
import type { InterviewEdits } from './interview-edits.service.ts';
import type { Interviews } from './interviews.service.ts';
import type { ReviewMarks } from './review/review-marks.service.ts';

interface InterviewServices {
  interviews: Interviews;
  edits: InterviewEdits;
  marks: ReviewMarks;
}

export function interviewRoutes(app: App, { interviews, edits, marks }: InterviewServices, quota: ReadQuota): void {
  route(app, listInterviews, async ({ query }, { request }) => {
    if (query.texts === 'false') return interviews.list(query);
    await quota.spend(request);
    const answer = await interviews.list(query);
    await quota.spend(request, answer.interviews.flatMap(textOf));
    return answer;
  });
  route(app, getInterview, async ({ params, query }, { request }) => {
    if (query.texts === 'false') return interviews.findWithoutTexts(params.id);
    await quota.spend(request);
    const interview = await interviews.find(params.id);
    await quota.spend(request, textOf(interview));
    return interview;
  });
  route(app, getReview, ({ query }) => interviews.review(query));
  route(app, markWatched, ({ params }) => marks.markWatched(params.id));
  route(app, unmarkWatched, ({ params }) => marks.unmarkWatched(params.id));
  route(app, recordPlaying, ({ params }) => interviews.recordPlaying(params.id));
  route(app, getAnswers, ({ params }) => marks.findAnswers(params.id));
  route(app, markAnswer, ({ params, body }) => marks.markAnswer(params.id, body));
  route(app, getVideo, ({ params }) => interviews.findVideo(params.id));
  route(app, updateDuration, ({ params, body }) => interviews.updateDuration(params.id, body.duration));
  route(app, archiveInterview, ({ params }) => edits.archive(params.id));
  route(app, unarchiveInterview, ({ params }) => edits.unarchive(params.id));
  route(app, getDestinationDefaults, ({ params }) => edits.findDestinationDefaults(params.id));
  route(app, setDestination, ({ params, body }) =>
    edits.setDestination(params.id, body.destinationId, body.notes || null),
  );
}

const textOf = ({ id, transcriptionText, summaryText }: Interview): Read[] =>
  transcriptionText === null && summaryText === null ? [] : [{ kind: 'text', id }];
