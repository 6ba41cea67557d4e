/** The step was ended, started anew or taken over by another process: whoever finds out stops without a word. */
export class StepLost extends Error {
  override name = 'StepLost';
  constructor() {
    super('This step is no longer this process’s');
  }
}

/** A step cannot be done, and trying again would end the same way. The message is for a person. */
export class StepFailed extends Error {
  override name = 'StepFailed';
}

/** A step cannot go on now; it is tried again after a while. The message is for a person. */
export class StepHindered extends Error {
  override name = 'StepHindered';
}

/** A step has to wait for something that takes its time; it gives up its place meanwhile and goes on by itself. */
export class StepWaits extends Error {
  override name = 'StepWaits';
  readonly ms: number;

  constructor(ms: number) {
    super('This step goes on later');
    this.ms = ms;
  }
}
