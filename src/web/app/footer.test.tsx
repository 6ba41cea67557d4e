import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Footer } from './footer.tsx';

test('the footer shows the logo next to the copyright', () => {
  render(<Footer />);
  const copyright = screen.getByText(new RegExp(`© ${new Date().getFullYear()}`));
  expect(copyright.querySelector('svg')).toBeTruthy();
});
