import { cva, type VariantProps } from 'class-variance-authority';
import { Slot } from 'radix-ui';
import type { ComponentProps, MouseEvent } from 'react';
import { cn } from '#web/lib/cn.ts';
import { Spinner } from '#web/ui/feedback/loading.tsx';

const button = cva(
  'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap select-none transition-[background-color,border-color,color,opacity] duration-100 disabled:pointer-events-none disabled:opacity-50 aria-disabled:cursor-not-allowed aria-disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0',
  {
    variants: {
      variant: {
        primary: 'bg-accent text-on-accent shadow-card hover:bg-accent-strong',
        secondary: 'border border-line bg-surface text-ink shadow-card hover:bg-hover',
        ghost: 'text-muted hover:bg-hover hover:text-ink data-[state=open]:bg-hover data-[state=open]:text-ink',
        danger: 'bg-danger text-white shadow-card hover:bg-danger-strong',
        link: 'h-auto! px-0! forced-colors:px-2! text-accent-ink underline-offset-4 hover:underline',
      },
      size: {
        sm: 'h-7.5 px-2.5 text-sm max-md:min-h-11',
        md: 'h-9 px-3.5 text-base max-md:min-h-11',
        lg: 'h-10 px-4 text-base',
        icon: 'size-9',
        'icon-sm': 'size-7.5',
      },
    },
    defaultVariants: { variant: 'secondary', size: 'md' },
  },
);

interface Props extends ComponentProps<'button'>, VariantProps<typeof button> {
  /** Styles its only child, such as a link. */
  asChild?: boolean;
  /** Shows a spinner and ignores clicks. Unlike a `disabled` button it keeps the focus. */
  pending?: boolean;
}

export function Button({ className, variant, size, asChild, pending = false, disabled, children, ...props }: Props) {
  const classes = cn(button({ variant, size }), className);
  if (asChild) {
    return (
      <Slot.Root className={cn('bordered', classes)} {...props}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      className={classes}
      disabled={disabled}
      {...props}
      {...(pending && { 'aria-disabled': true, 'aria-busy': true, onClick: ignoreClick })}
    >
      {pending && <Spinner />}
      {children}
    </button>
  );
}

/** Also prevents Enter in a field from submitting, because browsers treat that as a click. */
const ignoreClick = (event: MouseEvent) => event.preventDefault();
