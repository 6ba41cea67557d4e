import { Compass } from 'lucide-react';
import { Link } from 'wouter';
import { useTitle } from '#web/lib/use-title.ts';
import { Button } from '#web/ui/forms/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';

export function NotFoundPage() {
  useTitle('Page Not Found');
  return (
    <div className="grid min-h-[calc(100dvh-10rem)] place-items-center">
      <Card className="flex w-full max-w-sm flex-col items-center p-8 text-center">
        <div aria-hidden className="mb-4 grid size-11 place-items-center rounded-xl bg-sunken text-faint">
          <Compass className="size-5" />
        </div>
        <h1 className="text-xl font-semibold">Page Not Found</h1>
        <p className="mt-1 mb-6 text-muted">This page doesn't exist or has moved.</p>
        <Button asChild variant="primary">
          <Link href="/">Go to the dashboard</Link>
        </Button>
      </Card>
    </div>
  );
}
