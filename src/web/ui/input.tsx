import type { ComponentProps } from 'react';
import { cn } from '#web/lib/cn.ts';
import { CONTROL } from '#web/ui/control.ts';

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input type="text" className={cn(CONTROL, 'h-9 px-3', className)} {...props} />;
}
