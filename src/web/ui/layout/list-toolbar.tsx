import type { ComponentProps, ReactNode } from 'react';
import { SearchInput } from '#web/ui/forms/search-input.tsx';

interface Props extends Omit<ComponentProps<typeof SearchInput>, 'className'> {
  /** The other filters. */
  children: ReactNode;
}

/** The search and the filters of a list. */
export const ListToolbar = ({ children, ...search }: Props) => (
  <div className="mb-5 flex flex-wrap gap-2">
    <SearchInput {...search} className="w-full grow sm:w-auto sm:max-w-md" />
    {children}
  </div>
);
