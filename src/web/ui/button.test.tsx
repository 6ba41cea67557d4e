import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Button } from '#web/ui/button.tsx';

test('a button that works on it keeps the focus, takes no click, and Enter in a field submits nothing', async () => {
  const [click, submit] = [vi.fn(), vi.fn()];
  const form = (pending: boolean) => (
    <form onSubmit={submit}>
      <input aria-label="Name" />
      <Button type="submit" pending={pending} onClick={click}>
        Save
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  const user = userEvent.setup();
  const button = screen.getByRole('button', { name: 'Save' });
  button.focus();
  rerender(form(true));
  expect(button.matches(':disabled')).toBe(false);
  expect(document.activeElement).toBe(button);
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{Enter}');
  await user.click(button);
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Ann{Enter}');
  expect([click.mock.calls, submit.mock.calls]).toEqual([[], []]);
});
