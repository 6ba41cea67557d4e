import { fileURLToPath } from 'node:url';
import { mergeConfig } from 'vite';
import main from './vite.config.ts';

const preact = (path: string) => fileURLToPath(import.meta.resolve(path));

/**
 * The page of a link. Its own build, because a first load of at most 60 KB has no room for React:
 * the same components run on Preact (docs/decisions/0041).
 */
export default mergeConfig(main, {
  resolve: {
    alias: [
      { find: /^react\/jsx-(dev-)?runtime$/, replacement: preact('preact/jsx-runtime') },
      { find: /^react-dom\/client$/, replacement: preact('preact/compat/client') },
      { find: /^react(-dom)?$/, replacement: preact('preact/compat') },
    ],
  },
  build: { rolldownOptions: { input: 'guest.html' } },
});
