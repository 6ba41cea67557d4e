/** The command was given up, or cannot be done as it was asked for; the message says what to do. */
export class NothingDone extends Error {
  override name = 'NothingDone';
}
