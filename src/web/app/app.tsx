import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Routes } from '#web/app/routes.tsx';
import { createQueryClient } from '#web/lib/query-client.ts';
import { Toaster } from '#web/lib/toast.tsx';
import { TooltipProvider } from '#web/ui/tooltip.tsx';

export function App() {
  const [queryClient] = useState(createQueryClient);
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <Routes />
        <Toaster />
      </TooltipProvider>
    </QueryClientProvider>
  );
}
