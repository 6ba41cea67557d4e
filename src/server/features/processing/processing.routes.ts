import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { InterviewPath } from '#contracts/fields.ts';
import { convertInterview, summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import { getSummary } from '#contracts/summaries.ts';
import { getTranscript } from '#contracts/transcripts.ts';
import type { App } from '#server/http/app.ts';
import { refuseNul } from '#server/http/guards/refuse-nul.ts';
import { route } from '#server/http/route.ts';
import type { Processing } from './processing.service.ts';

export function processingRoutes(app: App, processing: Processing): void {
  route(app, convertInterview, ({ params }) => processing.startStep(params.id, 'convert'));
  route(app, transcribeInterview, ({ params }) => processing.startStep(params.id, 'transcribe'));
  route(app, summarizeInterview, ({ params }) => processing.startStep(params.id, 'summarize'));
  route(app, getTranscript, ({ params }) => processing.findTranscript(params.id));
  route(app, getSummary, ({ params }) => processing.findSummary(params.id));
  transcriptFiles(app, processing);
}

type WithInterview = { Params: z.output<typeof InterviewPath> };

/**
 * The transcript as files for players and users. They are not JSON, so the contracts do not list
 * them.
 */
function transcriptFiles(app: App, processing: Processing): void {
  const schema = (summary: string) => ({
    preValidation: refuseNul,
    schema: { params: InterviewPath, summary },
  });
  app.get<WithInterview>(
    '/api/interviews/:id/transcript.vtt',
    schema('The transcript as WebVTT captions'),
    async ({ params }, reply) => sendText(reply, 'text/vtt', await processing.findCaptions(params.id)),
  );
  app.get<WithInterview>(
    '/api/interviews/:id/transcript.txt',
    schema('The transcript as text'),
    async ({ params }, reply) =>
      sendText(reply, 'text/plain', (await processing.findTranscript(params.id)).transcriptionText ?? ''),
  );
}

/** Not cached, because staff edit transcripts. */
const sendText = (reply: FastifyReply, type: string, text: string) =>
  reply.header('cache-control', 'private, no-cache').type(`${type}; charset=utf-8`).send(text);
