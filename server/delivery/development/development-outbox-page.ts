import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { hashSource } from '#server/http/plain-pages/hash-source.ts';
import { OUTBOX_SCRIPT, OUTBOX_STYLE } from './development-outbox-style.ts';
import type { OutboxMessage } from './read-development-outbox.ts';

type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Only the page's own style and script run; content of messages is text. */
export const OUTBOX_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${hashSource(OUTBOX_STYLE)}`,
  `script-src ${hashSource(OUTBOX_SCRIPT)}`,
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Returns the whole page. Links to our own origin are clickable; everything else of a message is plain text. */
export function developmentOutboxPage(
  messages: readonly OutboxMessage[],
  { productName, publicUrl }: { productName: string; publicUrl: string },
): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Development outbox · ${productName}</title>
<style>${raw(OUTBOX_STYLE)}</style>
</head>
<body>
<header>
<h1>Development outbox</h1>
<p>Every email and text message of this development server. None of them were sent. <a href="/">Back to ${productName}</a></p>
<noscript><p><a href="/dev/outbox">Reload</a> to see what’s new.</p></noscript>
</header>
<main aria-live="polite">${messages.length === 0 ? emptyState() : list(messages, publicUrl)}</main>
<script type="module">${raw(OUTBOX_SCRIPT)}</script>
</body>
</html>`;
}

function emptyState(): Html {
  return html`<p class="empty"><strong>Nothing yet</strong>Create an account or write to an owner. What the server would send appears here.</p>`;
}

function list(messages: readonly OutboxMessage[], publicUrl: string): Html {
  return html`<ol>${messages.map((message) => html`<li>${entry(message, publicUrl)}</li>`)}</ol>`;
}

function entry({ channel, recipient, subject, body, sent_at: sentAt, code }: OutboxMessage, publicUrl: string): Html {
  const time = new Date(sentAt).toLocaleTimeString('en-US');
  return html`<article>
<header><span class="kind">${channel === 'sms' ? 'SMS' : 'Email'}</span><span class="to">to <bdi>${recipient}</bdi></span><time datetime="${sentAt}">${time}</time></header>
${subject === null ? '' : html`<h2 dir="auto">${subject}</h2>`}
${code === null ? '' : html`<p><span class="code">${code}</span></p>`}
<pre dir="auto">${withLinks(body, publicUrl)}</pre>
</article>`;
}

function withLinks(body: string, publicUrl: string): (string | Html)[] {
  const ours = new RegExp(`(${publicUrl.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}/[A-Za-z0-9/_.?=&%#-]*)`);
  // Splitting by a capturing group keeps the matches, at odd indexes.
  return body.split(ours).map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}
