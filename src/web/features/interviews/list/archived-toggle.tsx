import { Archive } from 'lucide-react';
import { Button } from '#web/ui/forms/button.tsx';

interface Props {
  archived: boolean;
  onChange: (archived: boolean) => void;
}

/** Switches between archived interviews and the others. */
export const ArchivedToggle = ({ archived, onChange }: Props) => (
  <Button
    variant="ghost"
    aria-pressed={archived}
    aria-label="Archived"
    data-command={archived ? 'Hide archived interviews' : 'Show archived interviews'}
    title={archived ? 'Hide archived interviews' : 'Show archived interviews'}
    onClick={() => onChange(!archived)}
    className="px-2.5 aria-pressed:bg-thumb aria-pressed:text-ink aria-pressed:shadow-card"
  >
    <Archive aria-hidden />
    <span className="max-lg:hidden">Archived</span>
  </Button>
);
