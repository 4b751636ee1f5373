import { createServer } from 'node:http';
import { Client, Pool, type QueryConfig } from 'pg';

/**
 * The lower bound of a lookup's cost in this language: `node:http`, the driver and the statement, without routes, keys,
 * limits, log or error handling. A separate program: `node bare-server.ts pooled|pipelined '{"host":…}' [bytes]`;
 * prints its port. With a number of bytes it responds with a prepared document of that size instead of the item.
 */
const [, , kind, addressText = '{}', bytes] = process.argv;
const document = bytes === undefined ? undefined : Buffer.alloc(Number(bytes), 'x');
// Our own benchmark wrote it.
const address = JSON.parse(addressText) as object;
const connection = { ...address, options: '-c role=anon' };

type Query = (config: QueryConfig) => Promise<{ rows: { item: string | null }[] }>;

/**
 * The driver's two modes: a pool of connections, and one connection that pipelines statements, which measured cheaper
 * than two or four of them.
 */
async function open(): Promise<Query> {
  if (kind === 'pooled') {
    const pool = new Pool({ ...connection, max: 10 });
    return (config) => pool.query(config);
  }
  const client = new Client({ ...connection, pipeline: true });
  await client.connect();
  return (config) => client.query(config);
}

const query = await open();
const text = 'select public.find_item($1)::text as item';

const server = createServer((request, response) => {
  const url = request.url ?? '';
  const code = url.slice(url.indexOf('=') + 1);
  query({ name: 'find', text, values: [code] }).then(
    ({ rows }) => {
      const body = document ?? rows[0]?.item ?? 'null';
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
      response.end(body);
    },
    () => {
      response.writeHead(500);
      response.end();
    },
  );
});
server.listen(0, '127.0.0.1', () => {
  const place = server.address();
  console.log(typeof place === 'object' ? place?.port : place);
});
