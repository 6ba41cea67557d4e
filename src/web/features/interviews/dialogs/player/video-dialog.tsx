import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { ShortcutsDialog } from '#web/features/shortcuts/shortcuts-dialog.tsx';
import { useBackGuard } from '#web/lib/use-dialog.ts';
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/layout/tabs.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { handlePlayerKey } from './player-keys.ts';
import { VideoEditing } from './video-editing.tsx';
import { VideoView } from './video-view.tsx';

export function VideoDialog({ interview, onClose }: { interview: Interview; onClose: () => void }) {
  const [tab, setTab] = useState('view');
  const [hasSwitched, setHasSwitched] = useState(false);
  const [above, setAbove] = useState<'shortcuts' | null>(null);
  // Back closes what is open above the player first.
  useBackGuard(above !== null, () => setAbove(null));
  const switchTo = (name: string) => {
    setTab(name);
    setHasSwitched(true);
  };
  const commands = { '?': () => setAbove('shortcuts') };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={interview.title}
      description={[interview.candidateName, interview.candidateEmail].filter(Boolean).join(' · ')}
      size={interview.transcriptionStatus === 'completed' ? '2xl' : 'xl'}
      onKey={(event) => handlePlayerKey(event, commands)}
    >
      <Tabs value={tab} onValueChange={switchTo}>
        <TabList label="Video" className="mb-4 w-full sm:w-56">
          <Tab value="view">View</Tab>
          <Tab value="edit">Edit</Tab>
        </TabList>
        {/* Leaving the tab unmounts the player, which pauses it. */}
        <TabPanel value="view">
          <VideoView interview={interview} takesFocus={!hasSwitched} />
        </TabPanel>
        <TabPanel value="edit">
          <VideoEditing />
        </TabPanel>
      </Tabs>
      {above === 'shortcuts' && <ShortcutsDialog onClose={() => setAbove(null)} />}
    </Dialog>
  );
}
