/** The end of a sentence in the scripts that mark it, closing quotes and brackets after it included. */
export const SENTENCE_END = /[.!?…。！？]["'”’»)\]]*$/;
