import { endpoint } from './endpoint.ts';
import { InterviewPath, MessageResponse } from './fields.ts';

const step = <Name extends string>(name: Name, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/api/interviews/:id/${name}`,
    summary,
    role: 'recruiter',
    scope: 'process',
    status: 202,
    params: InterviewPath,
    response: MessageResponse,
  });

export const convertInterview = step('convert', 'Publishes the video on the video host');
export const transcribeInterview = step('transcribe', 'Generates a transcript');
export const summarizeInterview = step('summarize', "Generates a summary against the funnel's expectations");
