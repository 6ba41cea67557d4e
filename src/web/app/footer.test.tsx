// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Footer } from '#web/app/footer.tsx';

afterEach(cleanup);

test('the footer carries the logo beside the copyright', () => {
  render(<Footer />);
  const copyright = screen.getByText(new RegExp(`© ${new Date().getFullYear()}`));
  expect(copyright.querySelector('svg')).toBeTruthy();
});
