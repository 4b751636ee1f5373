/** What an owner is told of a finder's message. */
export interface MessageNotice {
  readonly productName: string;
  readonly itemName: string;
  /** As the finder wrote it: data, never markup. */
  readonly body: string;
  /** The item's page, where the owner reads it. */
  readonly link: string;
}

export interface NoticeMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The e-mail that carries a finder's message to an owner, in English. It names nobody and holds nobody's address. */
export function messageNoticeEn({ productName, itemName, body, link }: MessageNotice): NoticeMail {
  const item = oneLine(itemName);
  const lines = body.replace(/\r\n?/g, '\n').split('\n');
  const subject = `Somebody found your ${item}`;
  const read = `Read it on ${productName}`;
  const kept = 'Neither of you sees the other’s address.';
  const careful =
    'The words above are the finder’s own. Be careful with links in them, and never send money in advance.';
  return {
    subject,
    text: [
      `Somebody found your ${item} and wrote:`,
      '',
      ...lines.map((line) => `> ${line}`),
      '',
      `${read}:`,
      link,
      '',
      kept,
      '',
      careful,
      '',
      productName,
      '',
    ].join('\n'),
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">',
      `<title>${escapeHtml(subject)}</title></head>`,
      '<body style="margin:0;padding:24px 16px;font:17px/1.55 system-ui,-apple-system,Segoe UI,Roboto,Arial,sans-serif">',
      '<div style="max-width:34em;margin:0 auto">',
      `<p style="margin:0 0 12px">Somebody found your <strong dir="auto">${escapeHtml(item)}</strong> and wrote:</p>`,
      '<blockquote dir="auto" style="margin:0 0 20px;padding:12px 16px;border-left:4px solid #ffb820">',
      `${lines.map(escapeHtml).join('<br>')}</blockquote>`,
      `<p style="margin:0 0 20px"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;`,
      `border-radius:14px;background:#0b5d4d;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(read)}</a></p>`,
      `<p style="margin:0 0 12px">${escapeHtml(kept)}</p>`,
      `<p style="margin:0 0 12px;opacity:.75">${escapeHtml(careful)}</p>`,
      `<p style="margin:0">${escapeHtml(productName)}</p>`,
      '</div></body></html>',
    ].join('\n'),
  };
}

/** A name fit for a subject: no line breaks or other controls, and nothing that turns the direction of what follows. */
function oneLine(name: string): string {
  return name
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
