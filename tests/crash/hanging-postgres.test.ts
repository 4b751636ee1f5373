import { expect, test } from 'vitest';
import { postgresProcessesIn } from '#server/postgres/embedded/processes.ts';
import { migrate } from '#server/postgres/migrate.ts';
import { DATABASE_FOLDER } from '#tests/support/clusters/make-template.ts';
import { startEmbeddedCluster } from '#tests/support/clusters/start-embedded-cluster.ts';
import { connectTo } from '#tests/support/connect-to.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { whenDone } from '#tests/support/when-done.ts';
import { postForm } from '#tests/web/support/post-form.ts';

const cluster = await startEmbeddedCluster();
whenDone(() => cluster.stop());

/** What the hidden fields of a page's form contain. */
function hiddenFieldsIn(html: string): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name = '', value = '']) => [name, value]));
}

/** Stops all processes of the cluster, or resumes them. */
function signalAll(signal: 'SIGSTOP' | 'SIGCONT'): void {
  // The socket's folder is the data's.
  const processes = postgresProcessesIn(cluster.address.host ?? '');
  expect(processes.length).toBeGreaterThan(3);
  for (const pid of processes) process.kill(pid, signal);
}

test.skipIf(process.platform !== 'linux')(
  'while the database hangs, finders get cached pages, and a time to retry for the others and for what they send [I58]',
  async () => {
    await migrate({ address: cluster.address, directory: DATABASE_FOLDER, log: quietLog });
    const client = await connectTo(cluster.address);
    const [known, unknown] = [createTagCode(), createTagCode()];
    await client.query(
      `with owner as (insert into auth.users (email, email_confirmed_at) values ('olive@example.com', now()) returning id)
       insert into public.items (qr_id, user_id, item_type, item_name)
         select code, id, 'keys', 'Keys' from owner, unnest($1::text[]) as code`,
      [[known, unknown]],
    );
    // Started after the writes, so that none of their notifications is on its way to it.
    const server = await startTestServer(cluster);
    expect((await server.request(`/item/${known}`)).status).toBe(200);
    const first = await postForm(server, `/item/${known}/message`, { body: 'I have it' });
    const Cookie = first.headers.get('set-cookie')?.split(';')[0] ?? '';
    /** The response, and how long it took. */
    const timed = async (requested: () => Promise<Response>) => {
      const began = performance.now();
      const response = await requested();
      const text = await response.text();
      return { response, text, ms: performance.now() - began };
    };
    const visit = (path: string) => timed(() => server.request(path, { headers: { Cookie } }));
    const post = (path: string, fields: Readonly<Record<string, string>>) =>
      timed(() => postForm(server, path, fields, { headers: { Cookie } }));
    const typed = { body: 'It is at the front desk', place: 'Front desk', kind: 'left_it' };
    let again: Record<string, string> = {};

    signalAll('SIGSTOP');
    try {
      // By then the cached item has expired.
      server.clock.advance(10_000);
      // The page's address, twice, and the sticker's.
      for (const path of [`/item/${known}`, `/item/${known}`, `/${known}`]) {
        const shown = await visit(path);
        expect(shown.response.status).toBe(200);
        expect(shown.text).toContain('Keys');
        expect(shown.ms).toBeLessThan(5_000);
      }
      const paths = [
        ...[`/item/${unknown}`, `/${unknown}`, `/item/${createTagCode()}`],
        ...['back', 'email', 'conversation', `back/${'k'.repeat(43)}`].map((page) => `/item/${known}/${page}`),
        `/contact/${'t'.repeat(22)}`,
      ];
      const [message, ...forms] = await Promise.all([
        post(`/item/${known}/message`, typed),
        post(`/item/${known}/contact`, { channel: 'whatsapp' }),
        post(`/item/${known}/email`, { email: 'finn@example.com' }),
        post(`/contact/${'t'.repeat(22)}/agree`, {}),
        ...paths.map(visit),
      ]);
      for (const { text } of [message, ...forms.slice(0, 3)]) expect(text).toContain('safe to try again');
      again = hiddenFieldsIn(message.text);
      expect(again).toMatchObject(typed);
      for (const { response, text, ms } of [message, ...forms]) {
        expect(response.status).toBe(503);
        expect(response.headers.get('retry-after')).toBe('2');
        expect(text).toContain('</html>');
        expect(ms).toBeLessThan(5_000);
      }
    } finally {
      signalAll('SIGCONT');
    }
    await expect.poll(async () => (await server.request(`/item/${unknown}`)).status).toBe(200);
    // Whether the first attempt was stored or not, and how often the finder tries again.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const { response } = await post(`/item/${known}/message`, again);
      expect([response.status, response.headers.get('location')]).toEqual([303, `/item/${known}?sent=1#message`]);
    }
    const { rows } = await client.query('select kind, place from public.messages where body = $1', [typed.body]);
    expect(rows).toEqual([{ kind: 'left_it', place: 'Front desk' }]);
  },
);
