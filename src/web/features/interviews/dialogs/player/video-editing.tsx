import { AudioLines, Info, RotateCw, Scissors, Stamp } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/forms/button.tsx';
import { RadioGroup } from '#web/ui/forms/radio-group.tsx';

const TOOLS = [
  { name: 'Rotate', Icon: RotateCw },
  { name: 'Remove Silence', Icon: Scissors },
  { name: 'Watermark', Icon: Stamp },
  { name: 'Extract Audio', Icon: AudioLines },
];

/** Sample data, as the specification requires: editing is not implemented. */
const VERSIONS = [
  { value: 'original', label: 'Original', description: 'As it was recorded' },
  {
    value: 'edited',
    label: 'Edited',
    description: 'Rotated 90° · Silence removed · Watermark added',
  },
];

/** Placeholders for tools and versions. Each only announces itself. */
export function VideoEditing() {
  // A new key at every click makes screen readers announce the same message again.
  const [notice, setNotice] = useState({ text: '', count: 0 });
  const announce = (what: string) =>
    setNotice(({ count }) => ({ text: `${what} will be implemented soon`, count: count + 1 }));

  return (
    <div className="grid gap-6 sm:grid-cols-2">
      <section aria-labelledby="video-tools">
        <h3 id="video-tools" className="mb-2 text-sm font-medium">
          Tools
        </h3>
        <div className="grid grid-cols-2 gap-2">
          {TOOLS.map(({ name, Icon }) => (
            <Button key={name} className="h-16 flex-col gap-1.5 text-sm" onClick={() => announce(name)}>
              <Icon aria-hidden />
              {name}
            </Button>
          ))}
        </div>
      </section>
      <section aria-labelledby="video-versions">
        <h3 id="video-versions" className="mb-2 text-sm font-medium">
          Versions
        </h3>
        <RadioGroup
          label="Versions"
          name="version"
          value="original"
          choices={VERSIONS}
          onChange={() => announce('Switching to another version')}
        />
      </section>
      {notice.count > 0 && (
        <p
          key={notice.count}
          role="alert"
          className="flex items-center gap-2 rounded-lg bg-info-soft px-3 py-2.5 text-info-ink sm:col-span-2"
        >
          <Info aria-hidden className="size-4 shrink-0" />
          {notice.text}
        </p>
      )}
    </div>
  );
}
