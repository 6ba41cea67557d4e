/** The client and the permission that exist from the start, long enough to look like Google's. */
export const SANDBOX_CLIENT = {
  clientId: '000000000000-sandbox.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-sandbox-0000000000000000',
  refreshToken: '1//sandbox-refresh-token-000000000000000000000000',
};

export const CHANNEL_TITLE = 'Sandbox Channel';
