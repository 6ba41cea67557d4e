import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MarkedText } from '#web/features/interviews/dialogs/marked-text.tsx';

const letters = fc.string({ unit: fc.constantFrom('a', 'A', 'b', 'İ', 'ß', '<', '&', '🙂', ' ') });

test('whatever is looked for, the whole text is read, and what is marked is just what was looked for', () => {
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
