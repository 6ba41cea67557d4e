import { Fragment, type ReactNode } from 'react';

const BOLD = new Set(['B', 'STRONG']);
/** Elements that end a line. */
const BLOCKS = new Set(['P', 'DIV', 'LI', 'UL', 'OL', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'TR', 'BLOCKQUOTE']);
/** Elements whose content is not text. */
const HIDDEN = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'IFRAME', 'OBJECT', 'SVG', 'TITLE', 'TEXTAREA']);

/** Matches a tag with its attributes, even without `>`. Its name ends as in HTML, or at `<`. */
const TAG = /<(\/?[a-z][^\s/<>]*)(?:"[^"]*"|'[^']*'|[^'">])*>?/gi;

/**
 * A question with bold text and line breaks; other markup is removed. The markup is parsed into an
 * inert document, in which nothing loads or runs, and only its text reaches the page. Even there,
 * browsers report style elements and attributes such as `style` and `onerror` as violations of the
 * Content-Security-Policy. So attributes are removed first, and each style element becomes a
 * template, whose content is hidden as well.
 */
export function QuestionText({ markup }: { markup: string }) {
  const { body } = parseInert(markup.replace(TAG, bareTag));
  return <span className="break-words whitespace-pre-line">{childrenOf(body)}</span>;
}

const bareTag = (_tag: string, name: string) => `<${name.replace(/^(\/?)style$/i, '$1template')}>`;

// biome-ignore lint/suspicious/noArrayIndexKey: fixed order; nodes have no id
const childrenOf = (node: Node) => [...node.childNodes].map((child, i) => <Fragment key={i}>{shown(child)}</Fragment>);

function shown(node: Node): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  const name = node.nodeName.toUpperCase();
  if (node.nodeType !== Node.ELEMENT_NODE || HIDDEN.has(name)) return null;
  if (name === 'BR') return '\n';
  if (BOLD.has(name)) return <strong className="font-semibold">{childrenOf(node)}</strong>;
  if (BLOCKS.has(name)) return [childrenOf(node), node.nextSibling && '\n'];
  return childrenOf(node);
}

interface Policy {
  createHTML(markup: string): string;
}

interface WithTrustedTypes {
  trustedTypes?: { createPolicy(name: string, policy: Policy): Policy };
}

/**
 * The only policy that the Content-Security-Policy allows (http/security-headers.ts). Not needed
 * without Trusted Types.
 */
const inert: Policy = (window as WithTrustedTypes).trustedTypes?.createPolicy('inert-markup', {
  createHTML: (markup) => markup,
}) ?? { createHTML: (markup) => markup };

/**
 * Parses markup into an inert document. Read texts from it, but never insert its nodes into the
 * page.
 */
const parseInert = (markup: string): Document => new DOMParser().parseFromString(inert.createHTML(markup), 'text/html');
