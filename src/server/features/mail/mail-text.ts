interface MailText {
  paragraphs: readonly string[];
  link: { label: string; url: string } | null;
  footer: string | null;
}

export const renderMail = (mail: MailText) => ({ text: renderText(mail), html: renderHtml(mail) });

/** The mail as plain text. */
function renderText({ paragraphs, link, footer }: MailText): string {
  const parts = [
    ...paragraphs,
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    ...(footer ? [`-- \n${footer}`] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The mail as HTML, without images, external styles or scripts. */
function renderHtml({ paragraphs, link, footer }: MailText): string {
  const parts = [
    ...paragraphs.map((text) => `<p>${escaped(text)}</p>`),
    ...(link ? [`<p><a href="${escaped(link.url)}">${escaped(link.label)}</a></p>`] : []),
    ...(footer ? [`<p style="color:#666;font-size:13px">${escaped(footer)}</p>`] : []),
  ];
  return `<!doctype html>\n<html lang="en"><body style="font-family:sans-serif">\n${parts.join('\n')}\n</body></html>\n`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '<br>' };
const escaped = (text: string): string => text.replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? '');
