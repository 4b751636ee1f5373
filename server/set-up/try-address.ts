import { randomBytes } from 'node:crypto';
import { upgradeWebSocket } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { SetUpWords } from '#domain/words/compiled/types.ts';
import type { Html } from './page-frame.ts';

/** Where the address that was typed is asked whether it leads here. It has no secret: a mistyped one sees it, too. */
const PROBE = '/set-up-probe';

/** Responds to the tries of browsers, and returns by which text they know this service. */
export function serveProbe(routes: Hono): string {
  const id = randomBytes(12).toString('base64url');
  routes.get(PROBE, async (c: Context) => {
    if (c.req.header('upgrade')?.toLowerCase() === 'websocket') {
      return upgradeWebSocket(c, { onOpen: (_, socket) => socket.close() });
    }
    return c.text(id, 200, { 'Access-Control-Allow-Origin': '*' });
  });
  return id;
}

/** What the script below shows; without scripts nothing of it is. */
export function tryLines(id: string, { tries }: Pick<SetUpWords, 'tries'>): Html {
  return html`<div id="tries" data-id="${id}" role="status">
${Object.entries(tries).map(([name, text]) => html`<p class="hint" data-try="${name}" hidden>${text}</p>`)}</div>`;
}

/** Tries the typed address from the browser: whether it leads to this service, for pages and for live updates. */
export const TRY_SCRIPT = `
const [field, lines] = ['address', 'tries'].map((id) => document.getElementById(id));
if (field && lines) {
  const show = (...names) => {
    for (const line of lines.children) line.hidden = !names.includes(line.dataset.try);
  };
  const ask = (url, mode) => fetch(url, {
    mode, cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(8000),
  });
  const opens = (url) => new Promise((resolve) => {
    const socket = new WebSocket(Object.assign(new URL(url), { protocol: url.protocol.replace('http', 'ws') }));
    socket.onopen = () => resolve(true);
    socket.onerror = () => resolve(false);
    setTimeout(resolve, 8000, false);
  });
  const look = async (url) => {
    const found = await ask(url, 'cors').then((response) => response.text()).catch(() => null);
    if (found === lines.dataset.id) return (await opens(url)) ? 'reached' : 'noUpdates';
    return found !== null || (await ask(url, 'no-cors').catch(() => null)) ? 'elsewhere' : 'unreachable';
  };
  let last = 0;
  const start = async () => {
    const turn = ++last;
    show();
    if (!/^https?:/i.test(field.value) || !URL.canParse(field.value)) return;
    const url = new URL('${PROBE}', field.value);
    const plain = url.protocol === 'http:' && !/^(localhost|127\\..*|\\[::1\\])$/.test(url.hostname);
    show('trying');
    const result = await look(url);
    if (turn === last) show(result, plain && 'insecure');
  };
  field.addEventListener('change', start);
  start();
}
`;
