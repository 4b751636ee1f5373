import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/**
 * `@supabase/lite` on a PostgreSQL, as its documentation serves it from Node. It stands outside of our packages, in a
 * folder where the benchmark has installed it: `node lite-server.mjs FOLDER '{"host":…}' SECRET`; prints its port.
 */
const [, , folder = '', addressText = '{}', secret = ''] = process.argv;
// A package is found from where the module stands that asks for it.
const loader = `${folder}/load.mjs`;
await writeFile(loader, 'export default (name) => import(name);');
const { default: load } = await import(pathToFileURL(loader).href);
const { App } = await load('@supabase/lite');
const { createPostgresConnection } = await load('@supabase/lite/postgres');
const { serve } = await load('@hono/node-server');

const { host, port, user, password, database } = JSON.parse(addressText);
const connection = await createPostgresConnection({
  url: `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@localhost:${port}/${database}`,
  postgresOptions: { host, port },
});
const app = new App({
  connection,
  auth: { enabled: true, jwt_secret: secret },
  options: { server: { apiKeys: false } },
});
const answer = (request, { incoming }) => app.fetch(request, { peerAddress: incoming.socket.remoteAddress ?? null });
serve({ port: 0, hostname: '127.0.0.1', fetch: answer }, (place) => console.log(place.port));
