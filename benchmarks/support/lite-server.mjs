import { writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

/**
 * `@supabase/lite` on a PostgreSQL, served from Node as in its documentation. Not one of our packages; the benchmark
 * installs it in a folder: `node lite-server.mjs FOLDER '{"host":…}' SECRET`; prints its port.
 */
const [, , folder = '', addressText = '{}', secret = ''] = process.argv;
// A package is resolved from the location of the importing module.
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
const response = (request, { incoming }) => app.fetch(request, { peerAddress: incoming.socket.remoteAddress ?? null });
serve({ port: 0, hostname: '127.0.0.1', fetch: response }, (place) => console.log(place.port));
