/**
 * Loaded before the product: its wall clock jumps when it is told to, by a message `{ clockJumpMs }`. Timers and `performance.now()` go
 * on as they do when a real clock is set.
 */
const RealDate = Date;
let shiftMs = 0;

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shiftMs);
    else super(...given);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};

process.on('message', ({ clockJumpMs }) => {
  shiftMs += clockJumpMs ?? 0;
});
