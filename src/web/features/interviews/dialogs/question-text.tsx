import { Fragment, type ReactNode } from 'react';
import { parseInert } from '#web/lib/parse-inert.ts';

const BOLD = new Set(['B', 'STRONG']);
/** What ends a line in markup. */
const BLOCKS = new Set(['P', 'DIV', 'LI', 'UL', 'OL', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'TR', 'BLOCKQUOTE']);
/** What is never text for a person. */
const HIDDEN = new Set(['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT', 'IFRAME', 'OBJECT', 'SVG', 'TITLE', 'TEXTAREA']);

/** A tag with its attributes. */
const TAG = /<(\/?[a-z][a-z0-9]*)\s(?:"[^"]*"|'[^']*'|[^'"<>])*>/gi;

/**
 * A question as its author wrote it: bold is kept, other markup is stripped, line breaks are kept.
 * The markup is parsed into an inert document (nothing in it loads or runs), and only its text reaches the page. Attributes go before:
 * the content security policy would report each `style` and `onerror`, although nobody applies them.
 */
export function QuestionText({ markup }: { markup: string }) {
  const { body } = parseInert(markup.replace(TAG, '<$1>'));
  return <span className="break-words whitespace-pre-line">{childrenOf(body)}</span>;
}

// biome-ignore lint/suspicious/noArrayIndexKey: the nodes never change their order
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
