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
import type { App } from '#server/http/app.ts';
import { route } from '#server/http/route.ts';
import type { Interviews } from './interviews.service.ts';

export function interviewRoutes(app: App, interviews: Interviews): void {
  route(app, listInterviews, ({ query }) => interviews.list(query));
  route(app, getInterview, ({ params }) => interviews.find(params.id));
  route(app, getVideo, ({ params }) => interviews.findVideo(params.id));
  route(app, updateDuration, ({ params, body }) => interviews.updateDuration(params.id, body.duration));
  route(app, archiveInterview, ({ params }) => interviews.archive(params.id));
  route(app, unarchiveInterview, ({ params }) => interviews.unarchive(params.id));
  route(app, saveTranscript, ({ params, body }) =>
    interviews.saveText('transcript', params.id, { text: body.transcriptionText, basedOn: body.basedOn }),
  );
  route(app, saveSummary, ({ params, body }) =>
    interviews.saveText('summary', params.id, { text: body.summaryText, basedOn: body.basedOn }),
  );
  route(app, setDestination, ({ params, body }) =>
    interviews.setDestination(params.id, body.destinationId, body.notes || null),
  );
}
