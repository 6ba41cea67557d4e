import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { InterviewPath } from '#contracts/fields.ts';
import { convertInterview, summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import { getSummary } from '#contracts/summaries.ts';
import { getTranscript } from '#contracts/transcripts.ts';
import type { App } from '../../http/app.ts';
import { refuseNul } from '../../http/refuse-nul.ts';
import { route } from '../../http/route.ts';
import type { Processing } from './processing.service.ts';

export function processingRoutes(app: App, processing: Processing): void {
  route(app, convertInterview, ({ params }) => processing.start(params.id, 'convert'));
  route(app, transcribeInterview, ({ params }) => processing.start(params.id, 'transcribe'));
  route(app, summarizeInterview, ({ params }) => processing.start(params.id, 'summarize'));
  route(app, getTranscript, ({ params }) => processing.transcript(params.id));
  route(app, getSummary, ({ params }) => processing.summary(params.id));
  transcriptFiles(app, processing);
}

type WithInterview = { Params: z.output<typeof InterviewPath> };

/** The transcript as files, for players and people: no JSON, so they have no entry among the JSON endpoints. */
function transcriptFiles(app: App, processing: Processing): void {
  const schema = (summary: string) => ({
    preValidation: refuseNul,
    schema: { params: InterviewPath, summary },
  });
  app.get<WithInterview>(
    '/api/interviews/:id/transcript.vtt',
    schema('The transcript as WebVTT captions'),
    async ({ params }, reply) => sendText(reply, 'text/vtt', await processing.captions(params.id)),
  );
  app.get<WithInterview>(
    '/api/interviews/:id/transcript.txt',
    schema('The transcript as text'),
    async ({ params }, reply) =>
      sendText(reply, 'text/plain', (await processing.transcript(params.id)).transcriptionText ?? ''),
  );
}

/** Always asked for anew: staff edit transcripts. */
const sendText = (reply: FastifyReply, type: string, text: string) =>
  reply.header('cache-control', 'private, no-cache').type(`${type}; charset=utf-8`).send(text);
