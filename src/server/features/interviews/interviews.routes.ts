import {
  archiveInterview,
  getInterview,
  getVideo,
  listInterviews,
  saveSummary,
  saveTranscript,
  setDestination,
  unarchiveInterview,
  updateDuration,
} from '#contracts/interviews.ts';
import type { App } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import type { Interviews } from './interviews.service.ts';

export function interviewRoutes(app: App, interviews: Interviews): void {
  route(app, listInterviews, ({ query }) => interviews.list(query));
  route(app, getInterview, ({ params }) => interviews.find(params.id));
  route(app, getVideo, ({ params }) => interviews.video(params.id));
  route(app, updateDuration, ({ params, body }) => interviews.updateDuration(params.id, body.duration));
  route(app, archiveInterview, ({ params }) => interviews.archive(params.id));
  route(app, unarchiveInterview, ({ params }) => interviews.unarchive(params.id));
  route(app, saveTranscript, ({ params, body }) => interviews.saveTranscript(params.id, body.transcriptionText));
  route(app, saveSummary, ({ params, body }) => interviews.saveSummary(params.id, body.summaryText));
  route(app, setDestination, ({ params, body }) =>
    interviews.setDestination(params.id, body.destinationId, body.notes || null),
  );
}
