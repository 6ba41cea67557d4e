import { cleanText } from '#server/adapters/outside-http/clean-text.ts';

export const MAX_LINE_LENGTH = 1_000;
const MAX_LONG_TEXT_LENGTH = 50_000;
export const MAX_QUESTIONS = 500;

type Text = string | null | undefined;

/** For names and titles. */
export const cleanLine = (text: Text): string | null => cleanText(text, MAX_LINE_LENGTH);

/** For descriptions and questions. */
export const cleanLongText = (text: Text): string | null => cleanText(text, MAX_LONG_TEXT_LENGTH);
