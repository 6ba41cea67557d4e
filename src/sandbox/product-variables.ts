import type { Sandbox } from './start-sandbox.ts';

/** Environment variables that connect the product to all services of a sandbox. */
export const productVariables = (sandbox: Sandbox): Record<string, string> => ({
  INTERVIEW_SERVICE_URL: sandbox.interviewServiceUrl,
  HIREFLIX_URL: sandbox.hireflix.url,
  VIDEOASK_URL: sandbox.videoask.url,
  VIDEOASK_AUTH_URL: sandbox.videoask.authUrl,
  VIDEOASK_CLIENT_ID: sandbox.videoask.clientId,
  VIDEOASK_CLIENT_SECRET: sandbox.videoask.clientSecret,
  VIDEOASK_REFRESH_TOKEN: sandbox.videoask.refreshToken,
  YOUTUBE_CLIENT_ID: sandbox.google.clientId,
  YOUTUBE_CLIENT_SECRET: sandbox.google.clientSecret,
  YOUTUBE_REFRESH_TOKEN: sandbox.google.refreshToken,
  YOUTUBE_API_URL: sandbox.google.url,
  TRANSCRIPTION_URL: sandbox.transcription.url,
  TRANSCRIPTION_API_KEY: sandbox.transcription.apiKey,
  TRANSCRIPTION_MODEL: sandbox.transcription.model,
  SUMMARY_URL: sandbox.summary.url,
  SUMMARY_API_KEY: sandbox.summary.apiKey,
  SUMMARY_MODEL: sandbox.summary.model,
  DESTINATION_URL: sandbox.destinationUrl,
  BREACHED_PASSWORDS_URL: sandbox.breachedPasswordsUrl,
  ALLOW_PRIVATE_HOSTS: '127.0.0.1',
});
