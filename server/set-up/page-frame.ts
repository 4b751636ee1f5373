import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Language } from '#domain/language.ts';
import type { SetUpWords } from '#domain/words/compiled/types.ts';
import { hashSource } from '#server/http/plain-pages/hash-source.ts';
import { PAGE_STYLE, WAITING_SCRIPT } from './page-style.ts';
import { TRY_SCRIPT } from './try-address.ts';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Only the pages' own style and scripts run, and nothing is loaded. The address that is typed is tried, whichever it is. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${hashSource(PAGE_STYLE)}`,
  `script-src ${hashSource(WAITING_SCRIPT)} ${hashSource(TRY_SCRIPT)}`,
  'connect-src http: https: ws: wss:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Of every response. The address of the page is a secret, and so is some of what is typed in it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // The service takes over the port; no connection outlasts its request.
  Connection: 'close',
};

/** The language that a page is read in, and its words. */
export interface Reader {
  readonly language: Language;
  readonly texts: SetUpWords;
}

export interface Frame extends Pick<Reader, 'language'> {
  readonly title: string;
  readonly body: Html;
  /** Loads the page again by itself, and opens the service once it is ready. */
  readonly waits?: boolean;
  /** Tries the address that is typed. */
  readonly tries?: boolean;
}

/** Returns a whole page. */
export function pageFrame({ language, title, body, waits = false, tries = false }: Frame): Html {
  return html`<!doctype html>
<html lang="${language.tag}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${waits ? raw('<noscript><meta http-equiv="refresh" content="2;url=/"></noscript>') : ''}
<title>${title}</title>
<style>${raw(PAGE_STYLE)}</style>
</head>
<body>
<main>
<svg class="mark" viewBox="0 0 36 36" aria-hidden="true"><path fill="#ffb820" d="M13.5 2h9c1.3 0 2.6.5 3.5 1.5l5.5 5.5c1 .9 1.5 2.2 1.5 3.5v17a4.5 4.5 0 0 1-4.5 4.5h-21A4.5 4.5 0 0 1 3 29.5v-17C3 11.2 3.5 9.9 4.5 9L10 3.5C10.9 2.5 12.2 2 13.5 2Z"/><circle cx="18" cy="7.6" r="2.1" fill="#2a1c00"/><rect x="10.5" y="14" width="15" height="15" rx="4.5" fill="none" stroke="#2a1c00" stroke-width="3"/><rect x="15.25" y="18.75" width="5.5" height="5.5" rx="1.6" fill="#2a1c00"/></svg>
${body}
</main>
${waits ? html`<script type="module">${raw(WAITING_SCRIPT)}</script>` : ''}
${tries ? html`<script type="module">${raw(TRY_SCRIPT)}</script>` : ''}
</body>
</html>`;
}
