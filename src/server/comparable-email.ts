/** Emails are compared without surrounding spaces and without case. */
export const comparableEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();
