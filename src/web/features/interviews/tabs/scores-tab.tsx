import { ChartNoAxesColumn } from 'lucide-react';
import { toast } from '#web/lib/toast.tsx';
import { Button } from '#web/ui/button.tsx';

export const ScoresTab = () => (
  <Button size="sm" onClick={() => toast({ title: 'Coming soon' })}>
    <ChartNoAxesColumn aria-hidden />
    View Scores
  </Button>
);
