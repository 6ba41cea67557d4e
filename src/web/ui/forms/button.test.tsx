import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { Button } from './button.tsx';

test('a pending button keeps the focus and ignores clicks, and Enter in a field does not submit', async () => {
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
