import { PLAIN_PAGE_STYLE } from '#server/http/plain-pages/plain-page-style.ts';

/** The styles of the set-up pages. */
export const PAGE_STYLE = `${PLAIN_PAGE_STYLE}body { padding: max(1.25rem, env(safe-area-inset-top)) 1rem 3rem; overflow-wrap: break-word; }
main { max-width: 34rem; margin: 0 auto; }
.mark { display: block; width: 3rem; height: 3rem; margin-bottom: 1rem; }
h1 { font-size: clamp(1.625rem, 1.4rem + 1vw, 2rem); line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
h2 { font-size: 1.1875rem; line-height: 1.35; letter-spacing: -.015em; }
p { text-wrap: pretty; }
.soft, .hint { color: var(--soft); }
h1 + p { margin-top: .5rem; }
a { color: var(--primary); text-underline-offset: .2em; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--primary); outline-offset: 2px; border-radius: .25rem; }
section, .panel { background: var(--surface); border: 1px solid var(--line); border-radius: 1.25rem; box-shadow: var(--raised);
  padding: 1.125rem; margin-top: 1.125rem; scroll-margin-top: 1rem; }
.panel p + p { margin-top: .75rem; }
section > h2 + p { margin-top: .25rem; }
.field { margin-top: 1rem; }
.pair { display: grid; gap: 0 .875rem; }
@media (min-width: 30rem) { .pair { grid-template-columns: 1fr 1fr; } .pair.wide-first { grid-template-columns: 1.6fr 1fr; }
  section, .panel { padding: 1.375rem 1.5rem; } }
label { display: block; font-weight: 600; margin-bottom: .3rem; }
input, select, button { font: inherit; color: inherit; border-radius: .875rem; min-height: 3rem; width: 100%; }
input, select { background: var(--surface); border: 1px solid var(--strong-line); padding: .5rem .875rem; }
select { padding-inline-end: .5rem; text-overflow: ellipsis; }
:root[dir=rtl] input[dir=ltr] { text-align: right; }
input::placeholder { color: var(--soft); opacity: 1; }
input:focus-visible, select:focus-visible { outline-offset: 0; border-radius: .875rem; }
[aria-invalid="true"] { border: 2px solid var(--danger); }
.check { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; margin-top: .75rem; }
.check input { width: 1.375rem; min-height: 0; height: 1.375rem; flex: none; accent-color: var(--primary); }
section:has(.check input:checked) .mail, form:not(:has(.check input:checked)) .without-mail { display: none; }
.hint, .problem { font-size: .9375rem; line-height: 1.45; margin-top: .35rem; }
.problem { color: var(--danger); font-weight: 600; }
button { cursor: pointer; font-weight: 600; border: 2px solid transparent; padding: .5rem 1.25rem; }
button:focus-visible { border-radius: .875rem; }
.main { background: var(--primary); color: var(--on-primary); margin-top: 1.5rem; min-height: 3.25rem; }
.main:hover { background: var(--primary-strong); }
.other { background: transparent; border-color: var(--primary); color: var(--primary); margin-top: .875rem; }
.other:hover { background: var(--primary-soft); }
.default { position: absolute; width: 1px; min-height: 0; height: 1px; padding: 0; border: 0; opacity: 0; pointer-events: none; }
.trial { border-top: 1px solid var(--line); margin-top: 1.375rem; padding-top: 1.125rem; scroll-margin-top: 1rem; }
.trial h2 { font-size: 1.0625rem; }
.trial .field { margin-top: .625rem; }
.good, .bad { border-radius: .875rem; padding: .75rem .9375rem; margin-top: 1rem; }
.good { background: var(--primary-soft); }
.bad { background: var(--danger-soft); }
.bad strong { color: var(--danger); }
.reply { font: .875rem/1.45 ui-monospace, "SF Mono", Consolas, monospace; overflow-wrap: anywhere; margin-top: .35rem; }
.turning { width: 2.25rem; height: 2.25rem; border: .25rem solid var(--line); border-top-color: var(--primary);
  border-radius: 50%; margin-bottom: 1rem; animation: turn 1s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .turning { animation-duration: 6s; } }
`;

/** Opens the service when it is ready. Without scripts, the page is loaded again until then. */
export const WAITING_SCRIPT = `
const open = document.querySelector('[data-open]').href;
const look = async () => {
  const ready = await fetch('/health/ready', { cache: 'no-store' }).then((response) => response.ok, () => false);
  if (ready) location.replace(open);
  else setTimeout(look, 500);
};
look();
`;
