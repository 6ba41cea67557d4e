import { Copy, Download } from 'lucide-react';
import { copyOrSay } from '#web/features/session/second-factor/copy-or-say.ts';
import { saveTextFile } from '#web/lib/save-text-file.ts';
import { Button } from '#web/ui/button.tsx';

interface Props {
  codes: readonly string[];
  username: string;
}

/** Shown once: nobody can read them again. */
export function RecoveryCodeList({ codes, username }: Props) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        Each of these signs you in once, in the place of a code, when you do not have your phone. Keep them where you
        find them without it: <strong className="font-medium text-ink">they are not shown again.</strong>
      </p>
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-1.5 rounded-lg border border-line bg-sunken px-4 py-3 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {/* Not on what goes on: an Enter too many would take the codes away unread. */}
        <Button autoFocus onClick={() => copyOrSay(codes.join('\n'))}>
          <Copy aria-hidden />
          Copy
        </Button>
        <Button onClick={() => saveTextFile('recovery-codes.txt', textOf({ codes, username }))}>
          <Download aria-hidden />
          Download
        </Button>
      </div>
    </div>
  );
}

const textOf = ({ codes, username }: Props) => `Video Interview Management: recovery codes of ${username}
Made on ${new Date().toISOString().slice(0, 10)} at ${location.origin}
Each is good once.

${codes.join('\n')}
`;
