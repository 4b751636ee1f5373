import { createServer } from 'node:http';
import { Client, Pool, type QueryConfig } from 'pg';

/**
 * What a look-up costs at the least in this language: `node:http`, the driver, the statement, and nothing else: no
 * routes, keys, limits, log or answers to what is wrong. A program of its own:
 * `node bare-server.ts pooled|pipelined '{"host":…}' [bytes]`; prints its port. With a number of bytes it answers with a
 * document of that size, which is there already, in place of the item.
 */
const [, , kind, addressText = '{}', bytes] = process.argv;
const document = bytes === undefined ? undefined : Buffer.alloc(Number(bytes), 'x');
// Our own benchmark wrote it.
const address = JSON.parse(addressText) as object;
const connection = { ...address, options: '-c role=anon' };

type Query = (config: QueryConfig) => Promise<{ rows: { item: string | null }[] }>;

/**
 * The driver's two ways: a pool that hands out connections, and one connection that takes many statements at once,
 * which was measured to cost less than two or four of them.
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
