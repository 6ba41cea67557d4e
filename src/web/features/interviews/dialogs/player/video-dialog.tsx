import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/layout/tabs.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { handlePlayerKey } from './player-keys.ts';
import { VideoEditing } from './video-editing.tsx';
import { VideoView } from './video-view.tsx';

export function VideoDialog({ interview, onClose }: { interview: Interview; onClose: () => void }) {
  const [tab, setTab] = useState('view');
  const [hasSwitched, setHasSwitched] = useState(false);
  const switchTo = (name: string) => {
    setTab(name);
    setHasSwitched(true);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={interview.title}
      description={[interview.candidateName, interview.candidateEmail].filter(Boolean).join(' · ')}
      size={interview.transcriptionStatus === 'completed' ? '2xl' : 'xl'}
    >
      <Tabs value={tab} onValueChange={switchTo} onKeyDownCapture={handlePlayerKey}>
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
    </Dialog>
  );
}
