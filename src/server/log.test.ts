import { expect, test } from 'vitest';
import { rememberSecret } from '#server/ports/sent-secrets.ts';
import { createLog } from './log.ts';

test('the process log contains no secret that was sent to a service, in any form', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const token = 'to"ken/of=the service';
  rememberSecret(`Bearer ${token}`);
  log.warn({
    err: new Error(`Bad header Bearer ${token}`),
    answer: { [token]: Buffer.from(token).toString('base64') },
  });
  log.error(`Sent ${encodeURIComponent(token)}`);
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).not.toMatch(/to.{1,3}ken/);
    expect(line).not.toContain(Buffer.from(token).toString('base64').slice(0, 12));
  }
  expect(lines[0]).toContain('Bad header …');
});
