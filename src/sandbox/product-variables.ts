import { SANDBOX_SIGN_ON } from './identity/identity-provider.ts';
import { SANDBOX_ROLE_MAP } from './identity/people.ts';
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
  BULLHORN_USERNAME: sandbox.bullhorn.username,
  BULLHORN_CLIENT_ID: sandbox.bullhorn.clientId,
  BULLHORN_CLIENT_SECRET: sandbox.bullhorn.clientSecret,
  BULLHORN_LOGIN_URL: sandbox.bullhorn.loginUrl,
  DESTINATION_URL: sandbox.destinationUrl,
  BREACHED_PASSWORDS_URL: sandbox.breachedPasswordsUrl,
  ...signOnVariables(sandbox),
  SMTP_URL: sandbox.smtpUrl,
  MAIL_FROM: 'Video interviews <interviews@example.com>',
  ALLOW_PRIVATE_HOSTS: '127.0.0.1',
});

/** Single sign-on with the sandbox's people. Those without an account get one. */
export const signOnVariables = ({ identity }: Pick<Sandbox, 'identity'>): Record<string, string> => ({
  OIDC_ISSUER: identity.issuer,
  OIDC_CLIENT_ID: SANDBOX_SIGN_ON.clientId,
  OIDC_CLIENT_SECRET: SANDBOX_SIGN_ON.clientSecret,
  OIDC_NAME: 'Demo Company',
  OIDC_SCOPES: 'openid email profile groups',
  OIDC_CREATE: 'true',
  OIDC_ROLE_CLAIM: 'groups',
  OIDC_ROLE_MAP: SANDBOX_ROLE_MAP,
});
