/** The run was ended or taken over by another worker, or its funnel was deleted: whoever finds out stops without a word. */
export class RunLost extends Error {
  override name = 'RunLost';
  constructor() {
    super('This refresh is no longer this worker’s');
  }
}
