/**
 * Preloaded into the product. A message `{ clockJumpMs }` shifts the wall clock; timers and
 * `performance.now()` continue as they do when a real clock is set.
 */
const RealDate = Date;
let shiftMs = 0;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shiftMs);
    else super(...args);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};

process.on('message', ({ clockJumpMs }) => {
  shiftMs += clockJumpMs ?? 0;
});
