import { expect, test } from 'vitest';
import { rememberSecret } from '#server/ports/sent-secrets.ts';
import { UpstreamError } from '#server/ports/upstream-error.ts';
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

test('a response that breaks the contract is logged under the name that monitoring knows', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  log.warn({ err: new UpstreamError('mail', 'bad_response', "It isn't an SMTP server.") });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: { kind: 'bad_answer' } });
});
