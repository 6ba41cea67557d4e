import { parseArgs } from 'node:util';
import { startSandbox } from './start-sandbox.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '5055' }, host: { type: 'string', default: '127.0.0.1' } },
});

const sandbox = await startSandbox({ port: Number(values.port), host: values.host });
const lines = sandbox.funnels.map(
  ({ name, funnelId, apiKey }) =>
    `  ${name}: funnel ${funnelId}, key ${apiKey}, ${sandbox.control.interviews(funnelId).length} interviews`,
);
process.stdout.write(
  [
    `The sandbox listens on ${sandbox.url}`,
    `INTERVIEW_SERVICE_URL=${sandbox.interviewServiceUrl}`,
    `YOUTUBE_API_URL=${sandbox.google.url}`,
    `YOUTUBE_CLIENT_ID=${sandbox.google.clientId}`,
    `YOUTUBE_CLIENT_SECRET=${sandbox.google.clientSecret}`,
    `YOUTUBE_REFRESH_TOKEN=${sandbox.google.refreshToken}`,
    `TRANSCRIPTION_URL=${sandbox.transcription.url}`,
    `TRANSCRIPTION_API_KEY=${sandbox.transcription.apiKey}`,
    `TRANSCRIPTION_MODEL=${sandbox.transcription.model}`,
    `SUMMARY_URL=${sandbox.summary.url}`,
    `SUMMARY_API_KEY=${sandbox.summary.apiKey}`,
    `SUMMARY_MODEL=${sandbox.summary.model}`,
    `DESTINATION_URL=${sandbox.destinationUrl}`,
    ...lines,
    `Make it fail, change and grow: ${sandbox.url}/control/…`,
    '',
  ].join('\n'),
);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
