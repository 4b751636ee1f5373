import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Client } from 'pg';
import { type PgBouncer, startPgBouncer } from '#tests/support/clusters/start-pgbouncer.ts';
import { anAddress } from '#tests/support/network-address.ts';
import { chosenCalls } from './support/chosen-calls.ts';
import { isResponse, postmasterOf } from './support/contender.ts';
import { cpuTimeOf, descendantsOf } from './support/cpu-time.ts';
import { drive } from './support/drive.ts';
import { median, medianRatio } from './support/figures/median.ts';
import { sendNoNotices } from './support/notices/send-no-notices.ts';
import { seedItems } from './support/seeds/seed-items.ts';
import { connectionString, startDatabase } from './support/start-database.ts';
import { type BenchmarkService, requireBuiltPages, startService } from './support/start-service.ts';
import { transferredBy } from './support/transferred.ts';

/**
 * Measures what a request costs in servers that differ in their settings or their build, in turns: the look-up, the
 * finder's document, an owner's items, an insert, and a finder's message. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/scale.ts
 *
 * BENCHMARK_CALLS chooses some of the calls. BENCHMARK_BASELINE names another built copy of the project, which is measured
 * in turns, and PGBOUNCER the program of PgBouncer, behind which one more server is measured.
 */
const ITEMS = Number(process.env.BENCHMARK_ITEMS ?? 200_000);
const ROUNDS = Number(process.env.BENCHMARK_ROUNDS ?? 7);
const WARM_UP_ROUNDS = Number(process.env.BENCHMARK_WARM_UP_ROUNDS ?? 5);
/** Of each call to a server. Without it, as many as the server manages. */
const PER_SECOND = Number(process.env.BENCHMARK_PER_SECOND ?? Infinity);
const CODES = 50_000;
const REQUESTS = { 'look-up': 6_000, document: 3_000, 'own items': 3_000, insert: 3_000, message: 1_500 } as const;
const CONNECTIONS = 32;
/** As many as a server has for calls without a pooler. */
const POOLED_SESSIONS = 9;

type Call = keyof typeof REQUESTS;
const ALL = Object.keys(REQUESTS) as readonly Call[]; // The keys of the object literal above.
const CALLS = chosenCalls(ALL);

interface Contender {
  readonly name: string;
  /** One; or several that share the requests, each for itself. */
  readonly services: readonly BenchmarkService[];
  /** How many clients send the next request when they have the response to the one before. */
  readonly connections: number;
  /** Of other programs that its requests go through. */
  readonly pids: readonly number[];
  readonly figures: Record<
    Call,
    {
      readonly cpuTimes: number[];
      /** The part of PostgreSQL. */
      readonly engineTimes: number[];
      readonly throughputs: number[];
      /** Bytes of PostgreSQL's log, and of the server's. */
      readonly logs: number[];
      readonly lines: number[];
      /** Bytes to and from the client, and to and from PostgreSQL. */
      readonly network: readonly [number[], number[], number[], number[]];
    }
  >;
}

await requireBuiltPages();
// For all contenders together.
const database = await startDatabase({ settings: { max_connections: '200' } });
const operator = new Client(database.address);
await operator.connect();
const contenders: Contender[] = [];
let pooler: PgBouncer | undefined;
try {
  console.log(`Seeding ${ITEMS.toLocaleString('en')} items …`);
  const codes = await seedItems(database.address, ITEMS, CODES);
  await sendNoNotices(database);
  const owners = await prepare();
  const engine = await postmasterOf(database);
  const add = async (
    name: string,
    options: Parameters<typeof startService>[1],
    {
      pids = [],
      connections = CONNECTIONS,
      servers = 1,
    }: Partial<Pick<Contender, 'pids' | 'connections'>> & { readonly servers?: number } = {},
  ) => {
    const services: BenchmarkService[] = [];
    // One after the other, for the ports.
    for (let server = 0; server < servers; server += 1) services.push(await startService(database, options));
    const figures = Object.fromEntries(
      CALLS.map((call) => [
        call,
        { cpuTimes: [], engineTimes: [], throughputs: [], logs: [], lines: [], network: [[], [], [], []] },
      ]),
    );
    // One entry for each of CALLS.
    contenders.push({ name, services, connections, pids, figures: figures as unknown as Contender['figures'] });
  };
  await add('this build', {});
  const two = { environment: { WEB_PROCESSES: '2' } };
  await add('two processes', two);
  // Each of them then has as much to do at the same time as the single one.
  await add('two processes with twice the clients', two, { connections: 2 * CONNECTIONS });
  // What two cost by themselves, where they share nothing but PostgreSQL and the cores.
  await add('two servers', {}, { servers: 2 });
  if (process.env.PGBOUNCER !== undefined) {
    pooler = await startPgBouncer(database.address, { folder: database.folder, sessions: POOLED_SESSIONS });
    const { host, port, user } = pooler.address;
    const DATABASE_URL = `postgres://${user}@${host}:${port}/${database.address.database}`;
    const DATABASE_DIRECT_URL = connectionString(database.address);
    await add('behind PgBouncer', { environment: { DATABASE_URL, DATABASE_DIRECT_URL } }, { pids: [pooler.pid()] });
  }
  const baseline = process.env.BENCHMARK_BASELINE;
  if (baseline !== undefined) await add('the build before', { root: resolve(baseline) });

  let at = 0;
  const measure = async ({ services, connections, pids, figures }: Contender, call: Call, isCounted: boolean) => {
    const requests = REQUESTS[call];
    const asked = Array.from({ length: requests }, (_, index) => codes[(at + index) % codes.length] ?? '');
    at += requests;
    const servers = services.map(({ program }) => program.pid);
    const serving = servers.flatMap((pid) => [pid, ...descendantsOf(pid).map((process) => process.pid)]);
    const programs = [...servers, engine, ...pids];
    const sent = await Promise.all(services.map((service) => requestOf(call, service, owners)));
    const logBefore = await logWritten();
    const linesBefore = await linesWritten(services);
    const bytesBefore = transferredBy(serving);
    const before = cpuTimeOf(programs);
    const engineBefore = cpuTimeOf([engine]);
    const driven = await Promise.all(
      services.map(({ port }, index) =>
        drive({
          port,
          request: sent[index] ?? (() => ''),
          codes: asked,
          connections: connections / services.length,
          requests: requests / services.length,
          perSecond: isCounted ? PER_SECOND / services.length : Infinity,
          isRight: call === 'document' ? isResponse : isSuccess,
        }),
      ),
    );
    if (!isCounted) return;
    figures[call].engineTimes.push((cpuTimeOf([engine]) - engineBefore) / requests);
    figures[call].cpuTimes.push((cpuTimeOf(programs) - before) / requests);
    figures[call].throughputs.push(requests / Math.max(...driven.map(({ seconds }) => seconds)));
    figures[call].logs.push(((await logWritten()) - logBefore) / requests);
    const lines = (await linesWritten(services)) - linesBefore;
    figures[call].lines.push(lines / requests);
    const total = (direction: 'sent' | 'received') => driven.reduce((sum, each) => sum + each[direction], 0);
    const { read, written } = transferredBy(serving);
    const toPostgres = written - bytesBefore.written - total('received') - lines;
    const fromPostgres = read - bytesBefore.read - total('sent');
    for (const [index, bytes] of [total('sent'), total('received'), toPostgres, fromPostgres].entries()) {
      figures[call].network[index]?.push(bytes / requests);
    }
  };
  for (const call of CALLS) {
    // Each process has to compile its code, and has only its share of the requests.
    for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
      for (const contender of contenders) await measure(contender, call, false);
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      // Each round starts with a different contender, so that disturbances affect all contenders alike.
      for (let turn = 0; turn < contenders.length; turn += 1) {
        const contender = contenders[(round + turn) % contenders.length];
        if (contender !== undefined) await measure(contender, call, true);
      }
    }
    report(call);
  }
} finally {
  for (const { program } of contenders.flatMap(({ services }) => services)) await program.stop();
  await pooler?.kill();
  await operator.end();
  await database.stop();
}

function report(call: Call): void {
  const [first] = contenders;
  for (const { name, figures } of contenders) {
    const { cpuTimes, engineTimes, throughputs, logs, lines, network } = figures[call];
    const [sent, received, toPostgres, fromPostgres] = network.map((bytes) => median(bytes).toFixed(0));
    const ratios =
      first === undefined || name === first.name
        ? ''
        : `; ${medianRatio(first.figures[call].cpuTimes, cpuTimes).toFixed(2)} × CPU time and ${medianRatio(
            first.figures[call].throughputs,
            throughputs,
          ).toFixed(2)} × throughput of ${first.name} against it`;
    console.log(
      `${call}, ${name}: ${median(cpuTimes).toFixed(0)} µs CPU, ${median(engineTimes).toFixed(0)} of them PostgreSQL's, and ${median(logs).toFixed(0)} bytes of PostgreSQL's log and ${median(lines).toFixed(0)} of its own a request, ${median(throughputs).toFixed(0)} requests/s${ratios}`,
    );
    console.log(
      `  bytes of the network a request: ${sent} from the client and ${received} to it, ${toPostgres} to PostgreSQL and ${fromPostgres} from it`,
    );
  }
}

/** How many bytes PostgreSQL has written to its log (WAL). */
async function logWritten(): Promise<number> {
  const { rows } = await operator.query<{ bytes: number }>(
    "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as bytes",
  );
  return rows[0]?.bytes ?? 0;
}

/** How many bytes the servers have written to their logs. */
async function linesWritten(services: readonly BenchmarkService[]): Promise<number> {
  const files = await Promise.all(services.map(({ log }) => stat(log)));
  return files.reduce((sum, { size }) => sum + size, 0);
}

function isSuccess(response: string): boolean {
  return /^HTTP\/1\.1 20[01] /.test(response);
}

interface Owner {
  readonly id: string;
  readonly session: string;
}

/** Creates a table with its own policy to write to, and signed-in owners. */
async function prepare(): Promise<readonly Owner[]> {
  const client = new Client(database.address);
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
  const { rows } = await client.query<Owner>(
    `insert into auth.sessions (user_id) select distinct user_id from public.items limit 100
       returning user_id as id, id as session`,
  );
  await client.end();
  return rows;
}

/** Returns the request of a call for one code, in turns from different owners or addresses. */
async function requestOf(
  call: Call,
  service: BenchmarkService,
  owners: readonly Owner[],
): Promise<(code: string) => string> {
  const key = service.publishableKey;
  if (call === 'document') {
    return (code) =>
      `GET /item/${code} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\r\n`;
  }
  const rest = (method: string, path: string, body: object | null, more: readonly string[] = []) => {
    const text = body === null ? '' : JSON.stringify(body);
    const sent = body === null ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`];
    const head = [`${method} /rest/v1${path} HTTP/1.1`, 'Host: localhost', `apikey: ${key}`, ...more, ...sent];
    return `${head.join('\r\n')}\r\n\r\n${text}`;
  };
  if (call === 'look-up') return (code) => rest('GET', `/rpc/find_item?qr_id_param=${code}`, null);
  if (call === 'message') {
    return (code) =>
      rest(
        'POST',
        '/rpc/send_message',
        { qr_id_param: code, body_param: 'I found it.', finder_key_param: randomBytes(24).toString('base64url') },
        [`X-Forwarded-For: ${anAddress()}`],
      );
  }
  const tokens = await Promise.all(
    owners.map(({ id, session }) => service.accessToken({ sub: id, session_id: session })),
  );
  let turn = 0;
  return () => {
    turn = (turn + 1) % owners.length;
    const token = [`Authorization: Bearer ${tokens[turn]}`];
    if (call === 'insert') {
      return rest('POST', '/benchmark_notes?select=id', { body: 'Keys' }, [...token, 'Prefer: return=representation']);
    }
    const own = `user_id=eq.${owners[turn]?.id}`;
    return rest('GET', `/items?select=id,qr_id,item_name,description&${own}&order=qr_id&limit=20`, null, token);
  };
}
