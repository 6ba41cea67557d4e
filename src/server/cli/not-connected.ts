/** The person gave up, or something is missing; the message says what to do. */
export class NotConnected extends Error {
  override name = 'NotConnected';
}
