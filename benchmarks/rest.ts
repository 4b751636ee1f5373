import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SignJWT } from 'jose';
import { Client } from 'pg';
import { cpuTimeOf, parentOf } from './support/cpu-time.ts';
import { drive } from './support/drive.ts';
import { seedItems } from './support/seeds/seed-items.ts';
import { type BenchmarkDatabase, startDatabase } from './support/start-database.ts';
import { startProgram } from './support/start-program.ts';
import { startService } from './support/start-service.ts';

/**
 * Measures three requests of a signed-in user: selecting own items, inserting with returning, and rpc. Through the
 * whole server, compared with the same statements behind a bare `node:http` server (once as the same signed-in
 * transactions and once as single statements of the tables' owner) and with @supabase/lite, all on one PostgreSQL, in
 * turns. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/rest.ts [--profile]
 */
const ITEMS = Number(process.env.BENCHMARK_ITEMS ?? 1_000_000);
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 5);
/** Of as many requests as a round: a server's code is fully compiled only after many. */
const WARM_UPS = Number(process.env.BENCHMARK_WARM_UPS ?? 6);
const REQUESTS = 2_000;
const CONNECTIONS = 16;
const MOST_OF_BARE = 2.5;
const MOST_OF_LITE = 0.2;
const LITE = ['@supabase/lite@0.10.0', 'postgres@3.4.9', '@hono/node-server@1.19.9'];

interface Owner {
  readonly id: string;
  readonly token: string;
  readonly liteToken: string;
}

interface Contender {
  readonly name: string;
  /** The highest ratio of our CPU time to this contender's; null where the ratio is only printed. */
  readonly most: number | null;
  readonly pid: number;
  readonly port: number;
  request(call: Call, owner: Owner, code: string): string;
  stop(): Promise<void>;
}

/** Microseconds of CPU time a request. */
interface Figure {
  readonly server: number;
  readonly postgres: number;
  readonly whole: number;
}

const CALLS = ['select', 'insert', 'rpc'] as const;
type Call = (typeof CALLS)[number];

const isRight = (response: string) =>
  /^HTTP\/1\.1 20[01] /.test(response) && /"(item_name|body)" ?: ?"Keys/.test(response);
const profile = process.argv.includes('--profile');
const median = (figures: readonly number[]) => figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

const database = await startDatabase();
const contenders: Contender[] = [];
try {
  console.log(`Seeding ${ITEMS.toLocaleString('en')} items …`);
  const codes = await seedItems(database.address, ITEMS, 2_000);
  const secret = randomBytes(32).toString('hex');
  const { engine, owners: ids } = await prepare(database);
  const { contender: ours, tokenOf } = await wholeServer(database);
  // Started one by one, so that the others are stopped if one fails to start.
  contenders.push(ours);
  contenders.push(await bareServer(database, 'caller', MOST_OF_BARE));
  contenders.push(await bareServer(database, 'owner', null));
  contenders.push(await lite(database, secret));
  const owners = await Promise.all(
    ids.map(
      async ({ id, session }): Promise<Owner> => ({
        id,
        token: await tokenOf(id, session),
        liteToken: await new SignJWT({ role: 'authenticated', aud: 'authenticated' })
          .setProtectedHeader({ alg: 'HS256' })
          .setSubject(id)
          .setIssuedAt()
          .setExpirationTime('1h')
          .sign(new TextEncoder().encode(secret)),
      }),
    ),
  );

  const measure = async (contender: Contender, call: Call, requests: number, connections = CONNECTIONS) => {
    let sent = 0;
    const request = (code: string) => {
      const owner = owners[sent++ % owners.length];
      if (owner === undefined) throw new Error('There is no owner.');
      return contender.request(call, owner, code);
    };
    const before = [cpuTimeOf([contender.pid]), cpuTimeOf([engine])] as const;
    await drive({ port: contender.port, request, codes, connections, requests, isRight });
    const server = (cpuTimeOf([contender.pid]) - before[0]) / requests;
    const postgres = (cpuTimeOf([engine]) - before[1]) / requests;
    return { server, postgres, whole: server + postgres };
  };
  for (const call of CALLS) {
    for (const contender of contenders) {
      // A first request includes one-time work, and @supabase/lite fails where two arrive at once.
      await measure(contender, call, 1, 1);
      for (let warmUp = 0; warmUp < WARM_UPS; warmUp += 1) await measure(contender, call, REQUESTS);
    }
    const figures = new Map(contenders.map((contender): [Contender, Figure[]] => [contender, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      // Each round starts with a different contender, so that disturbances affect all contenders alike.
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const contender = contenders[(round + turn) % contenders.length];
        if (contender !== undefined) figures.get(contender)?.push(await measure(contender, call, REQUESTS));
      }
    }
    report(call, figures);
  }
} finally {
  for (const contender of contenders) await contender.stop();
  await database.stop();
}

function report(call: Call, figures: ReadonlyMap<Contender, readonly Figure[]>): void {
  const [[, ours] = [undefined, []]] = figures;
  for (const [{ name, most }, rounds] of figures) {
    const [whole, server, postgres] = (['whole', 'server', 'postgres'] as const).map((part) =>
      median(rounds.map((figure) => figure[part])).toFixed(0),
    );
    const spent = `${name} ${whole} µs CPU a request (${server} of the server, ${postgres} of PostgreSQL; medians)`;
    if (rounds === ours) {
      console.log(`${call}: ${spent}`);
      continue;
    }
    const ratio = median(ours.map((figure, round) => figure.whole / (rounds[round]?.whole ?? Number.NaN)));
    const verdict = most === null ? '    ' : ratio <= most ? 'PASS' : 'FAIL';
    console.log(`${verdict} ${ratio.toFixed(2)} × ${spent}${most === null ? '' : `; at most ${most}`}`);
    if (verdict === 'FAIL') process.exitCode = 1;
  }
}

/** Creates a table with its own policy to write to, and signed-in owners. */
async function prepare({ address }: BenchmarkDatabase) {
  const client = new Client(address);
  await client.connect();
  await client.query(`
    create table public.benchmark_notes (
      id uuid primary key default gen_random_uuid(), owner uuid not null default auth.uid(), body text
    );
    alter table public.benchmark_notes enable row level security;
    create policy "own" on public.benchmark_notes to authenticated
      using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
    grant select, insert on public.benchmark_notes to authenticated;
  `);
  const { rows: owners } = await client.query<{ id: string; session: string }>(
    `insert into auth.sessions (user_id) select distinct user_id from public.items limit 100 returning user_id as id, id as session`,
  );
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const engine = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return { engine, owners };
}

function ownItems(owner: string): string {
  return `/rest/v1/items?select=id,qr_id,item_name,description&user_id=eq.${owner}&order=qr_id&limit=20`;
}

/** A request as the official client sends it. */
function protocolRequest(call: Call, { id }: Owner, code: string, token: string, key: string): string {
  const body = {
    select: '',
    insert: JSON.stringify({ owner: id, body: 'Keys, as a note' }),
    rpc: JSON.stringify({ qr_id_param: code }),
  }[call];
  const path = {
    select: ownItems(id),
    insert: '/rest/v1/benchmark_notes?select=id,body',
    rpc: '/rest/v1/rpc/find_item',
  }[call];
  return [
    `${call === 'select' ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'Host: localhost',
    `apikey: ${key}`,
    `Authorization: Bearer ${token}`,
    'Accept: application/json',
    'X-Client-Info: supabase-js-web/2.119.0',
    ...(call === 'insert' ? ['Prefer: return=representation'] : []),
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    `\r\n${body}`,
  ].join('\r\n');
}

async function wholeServer(database: BenchmarkDatabase) {
  const { program, port, publishableKey, accessToken } = await startService(database, {
    runtime: profile ? ['--cpu-prof', '--cpu-prof-dir=.benchmark-profiles'] : [],
  });
  const contender: Contender = {
    name: 'the whole server',
    most: null,
    ...program,
    port,
    request: (call, owner, code) => protocolRequest(call, owner, code, owner.token, publishableKey),
  };
  return { contender, tokenOf: (sub: string, session_id: string) => accessToken({ sub, session_id }) };
}

async function bareServer(
  database: BenchmarkDatabase,
  form: 'caller' | 'owner',
  most: number | null,
): Promise<Contender> {
  const { program, found } = await startProgram(
    ['benchmarks/support/bare-rest-server.ts', form, JSON.stringify(database.address)],
    { output: join(database.folder, `bare-${form}.log`), ready: /^\d+$/m },
  );
  return {
    name: `bare node:http + pg, ${form === 'caller' ? 'the same signed-in call' : 'one statement of the owner'}:`,
    most,
    ...program,
    port: Number(found[0]),
    request: (call, { id }, code) => `GET /${call}/${id}/${code} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  };
}

/** Installed beside the database's folder, so that it is not one of our packages. */
async function lite(database: BenchmarkDatabase, secret: string): Promise<Contender> {
  const folder = process.env.BENCHMARK_LITE ?? join(database.folder, 'lite');
  if (process.env.BENCHMARK_LITE === undefined) {
    console.log('Installing @supabase/lite …');
    await mkdir(folder);
    await promisify(execFile)('npm', [
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      ...LITE,
    ]);
  }
  const { program, found } = await startProgram(
    ['benchmarks/support/lite-server.mjs', folder, JSON.stringify(database.address), secret],
    { output: join(database.folder, 'lite.log'), ready: /^\d+$/m },
  );
  return {
    name: '@supabase/lite:',
    most: MOST_OF_LITE,
    ...program,
    port: Number(found[0]),
    request: (call, owner, code) => protocolRequest(call, owner, code, owner.liteToken, owner.liteToken),
  };
}
