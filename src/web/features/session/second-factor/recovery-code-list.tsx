import { Copy, Download } from 'lucide-react';
import { copyWithToast, saveTextFile } from '#web/lib/export-text.ts';
import { Button } from '#web/ui/forms/button.tsx';

interface Props {
  codes: readonly string[];
  username: string;
}

/** The codes are shown once: the server stores only their hashes. */
export function RecoveryCodeList({ codes, username }: Props) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-muted">
        Use one of these to sign in if you lose your phone. Each works once. Store them somewhere safe:{' '}
        <strong className="font-medium text-ink">you won't see them again.</strong>
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
        {/* Focus is not on the button that continues: an accidental Enter would close the codes unread. */}
        <Button autoFocus onClick={() => copyWithToast(codes.join('\n'))}>
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

const textOf = ({ codes, username }: Props) => `Video Interview Management: recovery codes for ${username}
Created on ${new Date().toISOString().slice(0, 10)} at ${location.origin}
Each code works once.

${codes.join('\n')}
`;
