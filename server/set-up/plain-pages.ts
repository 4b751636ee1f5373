import { html } from 'hono/html';
import { type Html, pageFrame, type Reader } from './page-frame.ts';

interface Shown extends Reader {
  readonly productName: string;
}

/** What every visitor is shown until the service is set up. */
export function noticePage({ language, texts: { notice }, productName }: Shown): Html {
  const title = notice.title(productName);
  const body = html`<h1>${title}</h1>
<p class="soft">${notice.text}</p>
<div class="panel"><p>${notice.operator}</p></div>`;
  return pageFrame({ language, title, body });
}

/** What every visitor is shown while the service starts. */
export function startingPage({
  language,
  texts: { starting },
  productName,
  publicUrl,
  toConsole,
}: Shown & { readonly publicUrl: string; readonly toConsole: boolean }): Html {
  const title = starting.title(productName);
  const body = html`<h1>${title}</h1>
<p class="soft">${starting.text}</p>
<div class="panel" role="status"><div class="turning"></div>
<p>${starting.address}<br><a data-open href="${publicUrl}${toConsole ? '/operate' : '/'}">${publicUrl}</a></p></div>`;
  return pageFrame({ language, title, body, waits: true });
}

/** The response to a form that came too late. */
export function gonePage({
  language,
  texts: { gone, starting },
  productName,
  publicUrl,
}: Shown & { readonly publicUrl: string }): Html {
  const body = html`<h1>${gone.title}</h1>
<p class="soft">${gone.text}</p>
<div class="panel"><p>${starting.address}<br><a data-open href="${publicUrl}/">${publicUrl}</a></p></div>`;
  return pageFrame({ language, title: `${gone.title} – ${productName}`, body, waits: true });
}

/** The same for every address that leads nowhere, such as one with another token. */
export function unknownPage({ language, texts: { unknown }, productName }: Shown): Html {
  const body = html`<h1>${unknown.title}</h1>
<p class="soft">${unknown.text}</p>`;
  return pageFrame({ language, title: `${unknown.title} – ${productName}`, body });
}

/** The response to a body that is no form of a browser. */
export function unreadablePage({ language, texts: { problems }, productName }: Shown): Html {
  const body = html`<h1>${problems.summary}</h1>
<p class="soft">${problems.unreadable}</p>`;
  return pageFrame({ language, title: `${problems.summary} – ${productName}`, body });
}
