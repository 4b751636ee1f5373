import { createServer } from 'node:http';
import { Client } from 'pg';

/**
 * The statements of `benchmarks/rest.ts` straight to PostgreSQL: `node:http`, the driver with pipelining, and one named
 * statement for each request, as the account that owns the tables: no keys, tokens, roles, policies or grammar. A
 * program of its own: `node bare-rest-server.ts '{"host":…}'`; prints its port.
 */
const [, , addressText = '{}'] = process.argv;
// Our own benchmark wrote it.
const client = new Client({ ...(JSON.parse(addressText) as object), pipeline: true });
await client.connect();

const STATEMENTS: Readonly<Record<string, string>> = {
  select: `select coalesce(json_agg(page), '[]')::text as body from (
    select id, qr_id, item_name, description from public.items where user_id = $1 order by qr_id limit 20) as page`,
  insert: `with made as (insert into public.benchmark_notes (owner, body) values ($1, 'Keys, as a note') returning id, body)
    select json_agg(made)::text as body from made`,
  rpc: 'select public.find_item($1)::text as body',
};

const server = createServer((request, response) => {
  const [, name = '', value = ''] = (request.url ?? '').split('/');
  client.query<{ body: string }>({ name, text: STATEMENTS[name] ?? '', values: [value] }).then(
    ({ rows }) => {
      const body = rows[0]?.body ?? 'null';
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
