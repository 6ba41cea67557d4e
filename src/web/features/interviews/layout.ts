export const LAYOUTS = ['cards', 'compact'] as const;
export type Layout = (typeof LAYOUTS)[number];

const KEY = 'interviews-layout';
const asLayout = (text: string | null) => LAYOUTS.find((layout) => layout === text);

/** The layout of a link wins over the one remembered in this browser. */
export const readLayout = (params: URLSearchParams): Layout =>
  asLayout(params.get('layout')) ?? asLayout(localStorage.getItem(KEY)) ?? 'cards';

export const rememberLayout = (layout: Layout) => localStorage.setItem(KEY, layout);
