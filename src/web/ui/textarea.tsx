import type { ComponentProps } from 'react';
import { cn } from '#web/lib/cn.ts';
import { CONTROL } from '#web/ui/control.ts';

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea rows={4} className={cn(CONTROL, 'resize-y px-3 py-2 leading-relaxed', className)} {...props} />;
}
