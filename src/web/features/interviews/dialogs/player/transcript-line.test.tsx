import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MarkedText } from './transcript-line.tsx';

const letters = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'İ', 'ß', '<', '&', '🙂', ' ') });

test('marking keeps the whole text and marks exactly the search term', () => {
  fc.assert(
    fc.property(letters, letters, (text, term) => {
      const page = document.createElement('div');
      page.innerHTML = renderToStaticMarkup(<MarkedText text={text} term={term} />);
      expect(page.textContent).toBe(text);
      const marked = [...page.querySelectorAll('mark')].map((mark) => mark.textContent.toLowerCase());
      expect(marked.filter((mark) => mark !== term.toLowerCase())).toEqual([]);
      if (text.includes('İ') || term === '') return;
      expect(marked).toHaveLength(text.toLowerCase().split(term.toLowerCase()).length - 1);
    }),
    { numRuns: 500 },
  );
});
