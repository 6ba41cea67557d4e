import { expect, test, vi } from 'vitest';
import { fadeOut } from './fade-out.ts';

for (const [reduces, animations] of [
  [false, 1],
  [true, 0],
] as const) {
  test(`an element fades out ${animations} times where reduced motion is ${reduces}`, async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: reduces }));
    const animate = vi.fn(() => ({ cancel() {} }));
    await fadeOut({ animate } as unknown as Element);
    expect(animate).toHaveBeenCalledTimes(animations);
  });
}

test('an element that is not removed becomes visible again', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  const cancel = vi.fn();
  const faded = fadeOut({ animate: () => ({ cancel }) } as unknown as Element);
  await vi.advanceTimersByTimeAsync(150);
  await faded;
  expect(cancel).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(cancel).toHaveBeenCalledOnce();
});
