/** The model and the key that the stand-in knows. */
export const SANDBOX_CHAT = { apiKey: 'sandbox-key-summary', model: 'sandbox-summarizer' };
