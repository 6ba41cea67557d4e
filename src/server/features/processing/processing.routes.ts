import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { InterviewPath } from '#contracts/fields.ts';
import { dismissFailures, saveSummary, saveTranscript } from '#contracts/interviews.ts';
import { convertInterview, summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import { getSummary } from '#contracts/summaries.ts';
import { getTranscript } from '#contracts/transcripts.ts';
import type { App } from '#server/http/app.ts';
import type { ReadQuota } from '#server/http/guards/read-quota.ts';
import { refuseNul } from '#server/http/guards/refuse-nul.ts';
import { route } from '#server/http/route.ts';
import type { Processing } from './processing.service.ts';

export function processingRoutes(app: App, processing: Processing, quota: ReadQuota): void {
  const charge = (request: FastifyRequest, { id }: { id: string }) => quota.spend(request, [{ kind: 'text', id }]);

  route(app, convertInterview, ({ params }) => processing.startStep(params.id, 'convert'));
  route(app, transcribeInterview, ({ params }) => processing.startStep(params.id, 'transcribe'));
  route(app, summarizeInterview, ({ params }) => processing.startStep(params.id, 'summarize'));
  route(app, getTranscript, async ({ params }, { request }) => {
    await charge(request, params);
    return processing.findTranscript(params.id);
  });
  route(app, getSummary, async ({ params }, { request }) => {
    await charge(request, params);
    return processing.findSummary(params.id);
  });
  route(app, saveTranscript, ({ params, body }) =>
    processing.saveTranscript(params.id, body.transcriptionText, body.basedOn),
  );
  route(app, saveSummary, ({ params, body }) => processing.saveSummary(params.id, body));
  route(app, dismissFailures, ({ params }) => processing.dismissFailures(params.id));
  transcriptFiles(app, processing, charge);
}

type WithInterview = { Params: z.output<typeof InterviewPath> };

/**
 * The transcript as files for players and users. They are not JSON, so the contracts do not list
 * them.
 */
function transcriptFiles(
  app: App,
  processing: Processing,
  charge: (request: FastifyRequest, params: { id: string }) => Promise<void>,
): void {
  const options = (summary: string) => ({
    config: { role: 'reviewer' as const, scope: 'read' as const },
    preValidation: refuseNul,
    schema: { params: InterviewPath, summary },
  });
  app.get<WithInterview>(
    '/api/interviews/:id/transcript.vtt',
    options('The transcript as WebVTT captions'),
    async (request, reply) => {
      await charge(request, request.params);
      return sendText(reply, 'text/vtt', await processing.findCaptions(request.params.id));
    },
  );
  app.get<WithInterview>(
    '/api/interviews/:id/transcript.txt',
    options('The transcript as text'),
    async (request, reply) => {
      await charge(request, request.params);
      const { transcriptionText } = await processing.findTranscript(request.params.id);
      return sendText(reply, 'text/plain', transcriptionText ?? '');
    },
  );
}

const sendText = (reply: FastifyReply, type: 'text/vtt' | 'text/plain', text: string) =>
  reply
    .header('content-disposition', `inline; filename="transcript.${type === 'text/vtt' ? 'vtt' : 'txt'}"`)
    .type(`${type}; charset=utf-8`)
    .send(text);
