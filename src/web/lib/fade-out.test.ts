import { expect, test, vi } from 'vitest';
import { fadeOut } from './fade-out.ts';

for (const [reduces, animations] of [
  [false, 1],
  [true, 0],
] as const) {
  test(`an element fades out ${animations} times where reduced motion is ${reduces}`, async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: reduces }));
    const animate = vi.fn();
    await fadeOut({ animate } as unknown as Element);
    expect(animate).toHaveBeenCalledTimes(animations);
  });
}
