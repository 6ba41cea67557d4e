import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MarkedText, wordsOf } from './marked-text.tsx';

const letters = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'İ', 'ß', '<', '&', '🙂', ' ') });

test('marking keeps the whole text and marks exactly the search term', () => {
  fc.assert(
    fc.property(letters, letters, (text, term) => {
      const page = document.createElement('div');
      page.innerHTML = renderToStaticMarkup(<MarkedText text={text} words={[term]} />);
      expect(page.textContent).toBe(text);
      const marked = [...page.querySelectorAll('mark')].map((mark) => mark.textContent.toLowerCase());
      expect(marked.filter((mark) => mark !== term.toLowerCase())).toEqual([]);
      if (text.includes('İ') || term === '') return;
      expect(marked).toHaveLength(text.toLowerCase().split(term.toLowerCase()).length - 1);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['browser checkout', '[Browser] and [checkout]s'],
  ['check checkout', 'Browser and [checkout]s'],
  ['', 'Browser and checkouts'],
])('the words of "%s" are marked in any order', (search, marked) => {
  const page = document.createElement('div');
  page.innerHTML = renderToStaticMarkup(<MarkedText text="Browser and checkouts" words={wordsOf(search)} />);
  for (const mark of page.querySelectorAll('mark')) mark.textContent = `[${mark.textContent}]`;
  expect(page.textContent).toBe(marked);
});
