import { convertInterview, summarizeInterview, transcribeInterview } from '#contracts/processing.ts';
import type { App } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import type { Processing } from './processing.service.ts';

export function processingRoutes(app: App, processing: Processing): void {
  route(app, convertInterview, ({ params }) => processing.start(params.id, 'convert'));
  route(app, transcribeInterview, ({ params }) => processing.start(params.id, 'transcribe'));
  route(app, summarizeInterview, ({ params }) => processing.start(params.id, 'summarize'));
}
