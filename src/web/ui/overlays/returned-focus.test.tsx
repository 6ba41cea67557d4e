import { act, fireEvent, render, screen } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { AlertDialog } from './alert-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { DropdownMenu, MenuItem } from './dropdown-menu.tsx';
import { Popover } from './popover.tsx';
import { Sheet } from './sheet.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});

function WithButton({ children }: { children: (onClose: () => void) => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      {isOpen && children(() => setIsOpen(false))}
    </>
  );
}

const ConfirmationButton = () => (
  <WithButton>
    {(onClose) => (
      <AlertDialog onClose={onClose} title="Delete?" description="" confirm="Delete" onConfirm={() => {}} />
    )}
  </WithButton>
);

const MenuButton = () => (
  <DropdownMenu trigger={<button type="button">Open</button>}>
    <MenuItem>Edit</MenuItem>
  </DropdownMenu>
);

const PanelButton = () => (
  <Popover label="Filter" trigger={<button type="button">Open</button>}>
    <button type="button">Apply</button>
  </Popover>
);

const DialogButton = () => (
  <WithButton>
    {(onClose) => (
      <Dialog onClose={onClose} title="Questions">
        Why?
      </Dialog>
    )}
  </WithButton>
);

const SideMenuButton = () => (
  <WithButton>
    {(onClose) => (
      <Sheet onClose={onClose} title="Menu">
        Links
      </Sheet>
    )}
  </WithButton>
);

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

describe.each([
  ['dialog', DialogButton],
  ['confirmation', ConfirmationButton],
  ['side menu', SideMenuButton],
  ['menu', MenuButton],
  ['panel', PanelButton],
])('after a %s has closed', (_kind, Opener) => {
  test('the focus is on its button', async () => {
    render(
      <main>
        <Opener />
      </main>,
    );
    const button = await openAndClose();
    await settle();
    expect(document.activeElement).toBe(button);
  });

  test('the focus is on its button in a dialog', async () => {
    render(
      <Dialog onClose={() => {}} title="Transcript">
        <button type="button">Copy</button>
        <Opener />
      </Dialog>,
    );
    await settle();
    const button = await openAndClose();
    await settle();
    expect(document.activeElement).toBe(button);
  });

  test('a menu that the user opens at once stays open', async () => {
    render(
      <main>
        <Opener />
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
});
