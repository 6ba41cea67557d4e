import { YoutubeConsent } from '../adapters/video-host-youtube/youtube-consent.ts';
import { runCommand } from './run-command.ts';
import { runYoutubeCommand, USAGE } from './youtube-command.ts';

/** `npm run youtube:connect`: gets the permission to publish. What a person reads meanwhile goes to standard error. */
await runCommand(USAGE, () =>
  runYoutubeCommand(process.argv.slice(2), {
    environment: process.env,
    terminal: { input: process.stdin, output: process.stderr },
    consentFor: (...asked) => new YoutubeConsent(...asked),
  }),
);
