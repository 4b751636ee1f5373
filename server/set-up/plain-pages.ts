import { html } from 'hono/html';
import type { Language } from '#domain/language.ts';
import { setUpEn } from '#domain/texts/set-up/set-up-en.ts';
import { type Html, pageFrame } from './page-frame.ts';

interface Shown {
  readonly language: Language;
  readonly productName: string;
}

/** What every visitor is shown until the service is set up. */
export function noticePage({ language, productName }: Shown): Html {
  const { notice } = setUpEn;
  const title = notice.title(productName);
  const body = html`<h1>${title}</h1>
<p class="soft">${notice.text}</p>
<div class="panel"><p>${notice.operator}</p></div>`;
  return pageFrame({ language, title, body });
}

/** What every visitor is shown while the service starts. */
export function startingPage({
  language,
  productName,
  publicUrl,
  toConsole,
}: Shown & { readonly publicUrl: string; readonly toConsole: boolean }): Html {
  const { starting } = setUpEn;
  const title = starting.title(productName);
  const body = html`<h1>${title}</h1>
<p class="soft">${starting.text}</p>
<div class="panel" role="status"><div class="turning"></div>
<p>${starting.address}<br><a data-open href="${publicUrl}${toConsole ? '/operate' : '/'}">${publicUrl}</a></p></div>`;
  return pageFrame({ language, title, body, waits: true });
}

/** The response to a form that came too late. */
export function gonePage({ language, productName, publicUrl }: Shown & { readonly publicUrl: string }): Html {
  const { gone, starting } = setUpEn;
  const body = html`<h1>${gone.title}</h1>
<p class="soft">${gone.text}</p>
<div class="panel"><p>${starting.address}<br><a data-open href="${publicUrl}/">${publicUrl}</a></p></div>`;
  return pageFrame({ language, title: `${gone.title} – ${productName}`, body, waits: true });
}

/** The same for every address that leads nowhere, such as one with another token. */
export function unknownPage({ language, productName }: Shown): Html {
  const { unknown } = setUpEn;
  const body = html`<h1>${unknown.title}</h1>
<p class="soft">${unknown.text}</p>`;
  return pageFrame({ language, title: `${unknown.title} – ${productName}`, body });
}

/** The response to a body that is no form of a browser. */
export function unreadablePage({ language, productName }: Shown): Html {
  const { problems } = setUpEn;
  const body = html`<h1>${problems.summary}</h1>
<p class="soft">${problems.unreadable}</p>`;
  return pageFrame({ language, title: `${problems.summary} – ${productName}`, body });
}
