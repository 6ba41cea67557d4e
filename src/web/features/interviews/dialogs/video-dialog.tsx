import { useState } from 'react';
import type { Interview } from '#contracts/interviews.ts';
import { handlePlayerKey } from '#web/features/interviews/dialogs/player-keys.ts';
import { VideoEditing } from '#web/features/interviews/dialogs/video-editing.tsx';
import { VideoView } from '#web/features/interviews/dialogs/video-view.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#web/ui/tabs.tsx';

export function VideoDialog({ interview, onClose }: { interview: Interview; onClose: () => void }) {
  const [tab, setTab] = useState('view');
  const [hasTurned, setHasTurned] = useState(false);
  const turnTo = (name: string) => {
    setTab(name);
    setHasTurned(true);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={interview.title}
      description={[interview.candidateName, interview.candidateEmail].filter(Boolean).join(' · ')}
      size={interview.transcriptionStatus === 'completed' ? '2xl' : 'xl'}
    >
      <Tabs value={tab} onValueChange={turnTo} onKeyDownCapture={handlePlayerKey}>
        <TabList label="Video" className="mb-4 w-full sm:w-56">
          <Tab value="view">View</Tab>
          <Tab value="edit">Edit</Tab>
        </TabList>
        {/* Leaving the tab takes the player away, which pauses it. */}
        <TabPanel value="view">
          <VideoView interview={interview} takesFocus={!hasTurned} />
        </TabPanel>
        <TabPanel value="edit">
          <VideoEditing />
        </TabPanel>
      </Tabs>
    </Dialog>
  );
}
