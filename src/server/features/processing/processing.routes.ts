import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { InterviewPath } from '#contracts/fields.ts';
import { dismissFailures, saveSummary, saveTranscript } from '#contracts/interviews.ts';
import { convertInterview, summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import { getSummary } from '#contracts/summaries.ts';
import { getTranscript, TRANSCRIPT_FORMATS } from '#contracts/transcripts.ts';
import type { App } from '#server/http/app.ts';
import { attachment } from '#server/http/files/attachment.ts';
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

const CONTENT_TYPES = { txt: 'text/plain', srt: 'application/x-subrip', vtt: 'text/vtt' };

/**
 * The transcript as captions for the player, and as files for users. They are not JSON, so the
 * contracts do not list them.
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
    '/api/interviews/:id/captions',
    options('The captions of the player (WebVTT)'),
    async (request, reply) => {
      await charge(request, request.params);
      return reply
        .type('text/vtt; charset=utf-8')
        .header('content-disposition', 'inline; filename="captions.vtt"')
        .send(await processing.findCaptions(request.params.id));
    },
  );
  for (const format of TRANSCRIPT_FORMATS)
    app.get<WithInterview>(
      `/api/interviews/:id/transcript.${format}`,
      { ...options(`The transcript as a file (${format}), which is recorded`), exposeHeadRoute: false },
      async (request, reply) => {
        await charge(request, request.params);
        const { name, content } = await processing.exportTranscript(request.params.id, format);
        return reply
          .type(`${CONTENT_TYPES[format]}; charset=utf-8`)
          .header('content-disposition', attachment(name))
          .send(content);
      },
    );
}
