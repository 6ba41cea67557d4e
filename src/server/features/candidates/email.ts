/** The form in which addresses are compared: spaces around them and the case of letters make no other person. */
export const comparableEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();
