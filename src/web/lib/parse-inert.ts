interface Policy {
  createHTML(markup: string): string;
}

interface WithTrustedTypes {
  trustedTypes?: { createPolicy(name: string, policy: Policy): Policy };
}

/** The one policy that the page's Content-Security-Policy lets through (http/security-headers.ts); browsers without Trusted Types need none. */
const inert: Policy = (window as WithTrustedTypes).trustedTypes?.createPolicy('inert-markup', {
  createHTML: (markup) => markup,
}) ?? { createHTML: (markup) => markup };

/** Markup as a document of its own, in which nothing loads or runs. Read texts from it; never put its nodes onto the page. */
export const parseInert = (markup: string): Document =>
  new DOMParser().parseFromString(inert.createHTML(markup), 'text/html');
