import { Circle, CircleCheck } from 'lucide-react';
import type { Connection, Setup } from '#contracts/setup.ts';
import { cn } from '#web/lib/cn.ts';

interface Service {
  key: Connection;
  label: string;
  advice: string;
  /** For the administrator. */
  command: string;
}

const ADVICE = 'An admin connects it once.';
const setVariable = (variable: string) => `Set ${variable} and restart the server`;

const SERVICES: readonly Service[] = [
  { key: 'youtube', label: 'YouTube', advice: 'An admin connects YouTube once.', command: 'npm run youtube:connect' },
  { key: 'transcription', label: 'Transcription', advice: ADVICE, command: setVariable('TRANSCRIPTION_URL') },
  { key: 'summaries', label: 'AI summaries', advice: ADVICE, command: setVariable('SUMMARY_URL') },
  { key: 'mail', label: 'Mail', advice: ADVICE, command: setVariable('SMTP_URL and MAIL_FROM') },
  { key: 'ats', label: 'Notes in your ATS', advice: ADVICE, command: 'npm run ats:connect' },
  { key: 'applicationLink', label: 'Links to your ATS', advice: ADVICE, command: setVariable('DESTINATION_URL') },
];

const describeAts = ({ atsAccount }: Setup) =>
  atsAccount &&
  `Connected with ${atsAccount.name} as ${atsAccount.account}${atsAccount.canWrite === false ? ', which may not write notes' : ''}`;

/** The services that an administrator can connect, and which of them are. */
export const OptionalServices = ({ setup, className }: { setup: Setup; className?: string }) => (
  <ul className={cn('grid gap-x-6 gap-y-3 sm:grid-cols-2', className)}>
    {SERVICES.map(({ key, label, advice, command }) => {
      const isDone = setup[key];
      const Icon = isDone ? CircleCheck : Circle;
      return (
        <li key={key} className="flex gap-2.5" title={isDone ? undefined : command}>
          <Icon aria-hidden className={cn('mt-0.5 size-4 shrink-0', isDone ? 'text-success-ink' : 'text-faint')} />
          <div className="min-w-0">
            <p>{label}</p>
            <p className="text-sm break-words text-muted">
              {isDone ? (key === 'ats' && describeAts(setup)) || 'Connected' : advice}
            </p>
          </div>
        </li>
      );
    })}
  </ul>
);
