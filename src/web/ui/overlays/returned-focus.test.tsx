import { act, fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { AlertDialog } from './alert-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { DropdownMenu, MenuItem } from './dropdown-menu.tsx';
import { Popover } from './popover.tsx';
import { Sheet } from './sheet.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});

interface OpenState {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function Opener({ shows }: { shows: (state: OpenState) => ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {shows({ open, onOpenChange: setOpen })}
    </>
  );
}

const trigger = <button type="button">Open</button>;
const OPENERS: [kind: string, opener: ReactNode][] = [
  [
    'dialog',
    <Opener
      key="dialog"
      shows={(state) => (
        <Dialog {...state} title="Questions">
          Why?
        </Dialog>
      )}
    />,
  ],
  [
    'question',
    <Opener
      key="question"
      shows={(state) => <AlertDialog {...state} title="Delete?" description="" confirm="Delete" onConfirm={() => {}} />}
    />,
  ],
  [
    'side menu',
    <Opener
      key="side menu"
      shows={(state) => (
        <Sheet {...state} title="Menu">
          Links
        </Sheet>
      )}
    />,
  ],
  [
    'menu',
    <DropdownMenu key="menu" trigger={trigger}>
      <MenuItem>Edit</MenuItem>
    </DropdownMenu>,
  ],
  [
    'panel',
    <Popover key="panel" label="Filter" trigger={trigger}>
      <button type="button">Apply</button>
    </Popover>,
  ],
];

const settle = () => act(() => vi.runAllTimersAsync());

/** Presses a button with the keyboard. */
function press(button: HTMLElement): void {
  act(() => button.focus());
  fireEvent.keyDown(button, { key: 'Enter' });
  fireEvent.click(button);
}

async function openAndClose(): Promise<HTMLElement> {
  const button = screen.getByRole('button', { name: 'Open' });
  press(button);
  await settle();
  expect(document.activeElement).not.toBe(button);
  fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
  return button;
}

test.each(OPENERS)('a closed %s returns the focus to its button', async (_kind, opener) => {
  render(<main>{opener}</main>);
  const button = await openAndClose();
  await settle();
  expect(document.activeElement).toBe(button);
});

test.each(OPENERS)('a menu stays open that opens right after a %s has closed', async (_kind, opener) => {
  render(
    <main>
      {opener}
      <DropdownMenu trigger={<button type="button">Actions</button>}>
        <MenuItem>Archive</MenuItem>
      </DropdownMenu>
    </main>,
  );
  await openAndClose();
  press(screen.getByText('Actions'));
  await settle();
  expect(screen.getByRole('menuitem', { name: 'Archive' })).toBe(document.activeElement);
});
