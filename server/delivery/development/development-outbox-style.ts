import { PLAIN_PAGE_STYLE } from '#server/http/plain-pages/plain-page-style.ts';

/** The outbox's styles. */
export const OUTBOX_STYLE = `${PLAIN_PAGE_STYLE}body { padding: max(1rem, env(safe-area-inset-top)) 1rem 4rem; }
header, main { max-width: 42rem; margin: 0 auto; }
header { padding: 1.25rem 0 1rem; }
h1 { font-size: clamp(1.625rem, 1.4rem + 1vw, 2rem); line-height: 1.2; text-wrap: balance; }
header p { color: var(--soft); margin-top: .35rem; }
a { color: var(--primary); text-underline-offset: .2em; }
a:focus-visible { outline: 3px solid var(--primary); outline-offset: 2px; border-radius: 4px; }
ol { list-style: none; padding: 0; display: grid; gap: .875rem; }
article { background: var(--surface); border: 1px solid var(--line); border-radius: 1.25rem; padding: 1rem 1.125rem;
  box-shadow: 0 1px 2px rgb(16 35 30 / 6%), 0 4px 14px rgb(16 35 30 / 6%); }
article header { padding: 0; display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: center; font-size: .9375rem;
  color: var(--soft); }
.kind { background: var(--primary-soft); color: var(--primary); font-weight: 600; border-radius: 99px; padding: 0 .6rem; }
.to { order: 1; flex-basis: 100%; overflow-wrap: anywhere; }
time { margin-inline-start: auto; font-variant-numeric: tabular-nums; }
h2 { font-size: 1.1875rem; line-height: 1.35; margin-top: .6rem; overflow-wrap: anywhere; }
.code { display: inline-block; background: var(--tag-soft); color: var(--on-tag-soft); font: 700 1.75rem/1.3 ui-monospace,
  "SF Mono", Consolas, monospace; letter-spacing: .18em; border-radius: .875rem; padding: .25rem .75rem; margin-top: .6rem; }
pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin-top: .6rem; }
.empty { border: 2px dashed var(--line); border-radius: 1.25rem; padding: 3rem 1.25rem; text-align: center; color: var(--soft); }
.empty strong { display: block; color: var(--ink); font-size: 1.1875rem; }
`;

/** Updates the page without a reload; without scripts it must be reloaded. */
export const OUTBOX_SCRIPT = `
const events = new EventSource('/dev/outbox/events');
let busy = false, again = false;
const show = async () => {
  if (busy) { again = true; return; }
  busy = true;
  try {
    const answer = await fetch('/dev/outbox', { cache: 'no-store' });
    if (answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
      document.querySelector('main').replaceChildren(...fresh.querySelector('main').childNodes);
    }
  } finally { busy = false; }
  if (again) { again = false; show(); }
};
events.onmessage = show;
let opened = false;
events.onopen = () => { if (opened) show(); opened = true; };
`;
