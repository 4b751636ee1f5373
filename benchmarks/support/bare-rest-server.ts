import { createServer } from 'node:http';
import { Client, Pool, type QueryConfig } from 'pg';

/**
 * The statements of `benchmarks/rest.ts` straight to PostgreSQL, behind `node:http`: no keys, tokens, grammar, limits or
 * log. In one of two forms:
 *
 * - `owner`: one named statement for each request over one pipelined connection, as the account that owns the tables,
 *   so without role, claims or policies.
 * - `caller`: what a signed-in user's call is to PostgreSQL, begin, role and claims, the statement under the
 *   policies, commit, sent in one flight over a connection of a pool.
 *
 * A program of its own: `node bare-rest-server.ts owner|caller '{"host":…}'`; prints its port.
 */
const [, , form, addressText = '{}'] = process.argv;
// Our own benchmark wrote it.
const connection = { ...(JSON.parse(addressText) as object), pipeline: true };

const STATEMENTS: Readonly<Record<string, string>> = {
  select: `select coalesce(json_agg(page), '[]')::text as body from (
    select id, qr_id, item_name, description from public.items where user_id = $1 order by qr_id limit 20) as page`,
  insert: `with made as (insert into public.benchmark_notes (owner, body) values ($1, 'Keys, as a note') returning id, body)
    select json_agg(made)::text as body from made`,
  rpc: 'select public.find_item($1)::text as body',
};

interface Asked {
  /** A name of STATEMENTS. */
  readonly call: string;
  /** The account that calls. */
  readonly owner: string;
  /** What the statement is given. */
  readonly value: string;
}
type HttpResponse = (asked: Asked) => Promise<string>;

const named = (call: string, value: string): QueryConfig => ({
  name: call,
  text: STATEMENTS[call] ?? '',
  values: [value],
});
const bodyOf = ({ rows }: { rows: { body: string | null }[] }) => rows[0]?.body ?? 'null';

async function asOwner(): Promise<HttpResponse> {
  const client = new Client(connection);
  await client.connect();
  return async ({ call, value }) => bodyOf(await client.query(named(call, value)));
}

function asCaller(): HttpResponse {
  const pool = new Pool({ ...connection, options: '-c role=anon', max: 10 });
  return async ({ call, owner, value }) => {
    const client = await pool.connect();
    try {
      const [, , respond] = await Promise.all([
        client.query('begin'),
        client.query({
          name: 'open',
          text: `select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`,
          values: [JSON.stringify({ sub: owner, role: 'authenticated', aud: 'authenticated' })],
        }),
        client.query(named(call, value)),
        client.query('commit'),
      ]);
      return bodyOf(respond);
    } finally {
      client.release();
    }
  };
}

const respond = form === 'owner' ? await asOwner() : asCaller();

const server = createServer((request, response) => {
  const [, call = '', owner = '', code = ''] = (request.url ?? '').split('/');
  respond({ call, owner, value: call === 'rpc' ? code : owner }).then(
    (body) => {
      const status = call === 'insert' ? 201 : 200;
      response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
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
