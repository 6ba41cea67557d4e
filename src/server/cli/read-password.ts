import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadStream, WriteStream } from 'node:tty';

/** Where the password comes from, and where the questions are shown. */
export interface Terminal {
  input: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>;
  output: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY'>>;
}

/** The person gave up, or typed two different things. */
export class PasswordNotRead extends Error {
  override name = 'PasswordNotRead';
}

/**
 * Asks for a new password twice without showing it; from a pipe or a file it takes the first line and asks nothing.
 * @throws PasswordNotRead
 */
export async function readNewPassword(terminal: Terminal): Promise<string> {
  if (!terminal.input.isTTY) return firstLine(await text(terminal.input));
  const password = await askHidden(terminal, 'New password: ');
  const again = await askHidden(terminal, 'The same again: ');
  if (password !== again) throw new PasswordNotRead('The two passwords differ. Nothing was changed.');
  return password;
}

function firstLine(piped: string): string {
  const [line = ''] = piped.split(/\r?\n/, 1);
  if (line === '') throw new PasswordNotRead('Standard input holds no password. Nothing was changed.');
  return line;
}

/** The terminal is in raw mode and echoes nothing; what readline would draw goes nowhere. */
async function askHidden({ input, output }: Terminal, question: string): Promise<string> {
  output.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      // Ctrl-C and Ctrl-D.
      lines.once('SIGINT', () => reject(new PasswordNotRead('Nothing was changed.')));
      lines.once('close', () => reject(new PasswordNotRead('Nothing was changed.')));
    });
  } finally {
    lines.close();
    output.write('\n');
  }
}
