/** The model and the key that the stand-in knows. */
export const SANDBOX_TRANSCRIPTION = { apiKey: 'sandbox-key-transcription', model: 'sandbox-transcriber' };
