import { escapeHtml } from '#domain/escape-html.ts';
import type { Language } from '#domain/language.ts';
import { linkInText } from '#domain/link-in-text.ts';

/** A part of an email, in reading order. */
export type MailPart =
  | { readonly kind: 'text'; readonly text: string }
  /** Smaller text: what to do if something is wrong. */
  | { readonly kind: 'aside'; readonly text: string }
  /** Digits to type. */
  | { readonly kind: 'code'; readonly code: string }
  /** The main button. `url` is our own or one that the operator listed. */
  | { readonly kind: 'action'; readonly label: string; readonly url: string }
  /** A secondary link. */
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  /** User-written text, unchanged. */
  | { readonly kind: 'quote'; readonly text: string };

/** The content of an email; `composeMail` adds the design. */
export interface MailContent {
  readonly subject: string;
  /** The first line. */
  readonly heading: string;
  readonly parts: readonly MailPart[];
}

/** An email in both formats. Neither loads external content. */
export interface ComposedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/**
 * Returns the content as plain text and as HTML, with the product's name. Text in `content` is never interpreted as
 * markup.
 */
export function composeMail(
  content: MailContent,
  product: string,
  language: Pick<Language, 'tag' | 'direction'>,
): ComposedMail {
  const subject = withoutLineBreaks(content.subject);
  return { subject, text: asText(content, product), html: asHtml({ ...content, subject }, product, language) };
}

function asText({ heading, parts }: MailContent, product: string): string {
  return [heading, ...parts.map(partAsText), product].join('\n\n').concat('\n');
}

function partAsText(part: MailPart): string {
  switch (part.kind) {
    case 'text':
    case 'aside':
      return part.text;
    case 'code':
      return `    ${part.code}`;
    case 'action':
    case 'link':
      return `${part.label}:\n${linkInText(part.url)}`;
    case 'quote':
      return linesOf(part.text)
        .map((line) => `> ${line}`)
        .join('\n');
  }
}

/** The product's colors (app/ui/style/tokens.css), inlined for mail clients. */
const STYLE = `
body{margin:0;padding:24px 12px;background:#f3f7f4;color:#10231e;font:17px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;-webkit-text-size-adjust:100%}
.card{max-width:520px;margin:0 auto;padding:28px 24px;background:#ffffff;border:1px solid #d2ded7;border-radius:20px}
.brand{margin:0 0 20px;font-size:15px;font-weight:700;color:#0b5d4d}
.brand span{display:inline-block;width:12px;height:12px;margin-inline-end:8px;border-radius:4px;background:#ffb820}
h1{margin:0 0 16px;font-size:23px;line-height:1.3}
p{margin:0 0 16px;overflow-wrap:anywhere}
.code{margin:0 0 20px;padding:14px 16px;border-radius:14px;background:#e7eeea;font:700 32px/1.2 ui-monospace,"SF Mono",Consolas,monospace;letter-spacing:6px;text-align:center}
.link{color:#0b5d4d}
blockquote{margin:0 0 20px;padding:12px 16px;border-inline-start:4px solid #ffb820;background:#f3f7f4;border-radius:8px;overflow-wrap:anywhere}
.aside{font-size:15px;color:#475a53}
@media (prefers-color-scheme:dark){
body{background:#0b1412;color:#e9f2ee}
.card{background:#13201c;border-color:#273a34}
.brand,.link{color:#5bcfae}
.code{background:#08100e}
.button{background:#5bcfae!important;color:#03211a!important}
blockquote{background:#0b1412;border-color:#ffc247}
.aside{color:#a5b8b0}
}`;

/** Inline on the button: some mail clients drop the styles above, and the button must still look like one. */
const BUTTON =
  'display:inline-block;padding:13px 22px;border-radius:14px;background:#0b5d4d;color:#ffffff;font-weight:600;text-decoration:none';

function asHtml(
  { subject, heading, parts }: MailContent,
  product: string,
  { tag, direction }: Pick<Language, 'tag' | 'direction'>,
): string {
  return [
    '<!doctype html>',
    `<html lang="${tag}" dir="${direction}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    // Keeps phones from turning codes and names with digits into links.
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    `<title>${escapeHtml(subject)}</title><style>${STYLE}</style></head>`,
    '<body><div class="card">',
    `<p class="brand"><span></span>${escapeHtml(product)}</p>`,
    `<h1 dir="auto">${escapeHtml(heading)}</h1>`,
    ...parts.map(partAsHtml),
    '</div></body></html>',
    '',
  ].join('\n');
}

function partAsHtml(part: MailPart): string {
  switch (part.kind) {
    case 'text':
      return `<p>${escapeHtml(part.text)}</p>`;
    case 'aside':
      return `<p class="aside">${escapeHtml(part.text)}</p>`;
    case 'code':
      return `<p class="code" dir="ltr">${escapeHtml(part.code)}</p>`;
    case 'action':
      return `<p><a class="button" style="${BUTTON}" href="${escapeHtml(part.url)}">${escapeHtml(part.label)}</a></p>`;
    case 'link':
      return `<p class="aside"><a class="link" href="${escapeHtml(part.url)}">${escapeHtml(part.label)}</a></p>`;
    case 'quote':
      return `<blockquote dir="auto">${linesOf(part.text).map(escapeHtml).join('<br>')}</blockquote>`;
  }
}

function linesOf(text: string): string[] {
  return text.replace(/\r\n?/g, '\n').split('\n');
}

/** Returns a person's text for a subject: without line breaks and characters that change the text direction. */
export function oneLine(text: string): string {
  return withoutLineBreaks(text.replace(/[\u2066-\u2069]+/g, ' '));
}

/** Returns a subject without line breaks, control characters and overrides of the direction. Keeps isolated names. */
function withoutLineBreaks(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}
