import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { cpuTimeOf, parentOf } from './support/cpu-time.ts';
import { OwnerOnline } from './support/owner-online.ts';
import { seedItems } from './support/seeds/seed-items.ts';
import { startDatabase } from './support/start-database.ts';
import { type BenchmarkService, startService } from './support/start-service.ts';

/**
 * Measures a crash of the server with thousands of owners online, while messages continue to arrive: the time until
 * every official client has reconnected and read what it missed. `docs/benchmarks.md` explains the results.
 *
 * node benchmarks/reconnect.ts [--profile]
 */
const OWNERS = Number(process.env.BENCHMARK_SOCKETS ?? 5_000);
const CONNECTING_AT_ONCE = 50;
const BETWEEN_MESSAGES_MS = 50;
const MOST_SECONDS = 60;
const runtime = process.argv.includes('--profile') ? ['--cpu-prof', '--cpu-prof-dir=.benchmark-profiles'] : [];

interface Item {
  readonly owner: string;
  readonly item: string;
  readonly session: string;
}

const database = await startDatabase();
const writer = new Client(database.address);
const owners: OwnerOnline[] = [];
let service: BenchmarkService | undefined;
try {
  console.log('Seeding …');
  await seedItems(database.address, OWNERS * 2, 1);
  await writer.connect();
  const { rows: items } = await writer.query<Item>(
    `with chosen as (
       select distinct on (user_id) user_id as owner, id as item, gen_random_uuid() as session from public.items limit $1
     ), opened as (
       insert into auth.sessions (id, user_id) select session, owner from chosen
     )
     select owner, item, session from chosen`,
    [OWNERS],
  );
  service = await startService(database);
  const engine = await enginePid();

  let began = performance.now();
  for (let start = 0; start < items.length; start += CONNECTING_AT_ONCE) {
    const coming = items.slice(start, start + CONNECTING_AT_ONCE);
    owners.push(...(await Promise.all(coming.map((item, place) => goOnline(item, start + place)))));
  }
  const firstMegabytes = megabytesOf(service.program.pid);
  console.log(`${owners.length} owners online after ${secondsSince(began)} s; server ${firstMegabytes}`);

  const sent = new Map<string, string>();
  let writing = true;
  const messages = sendMessages(items, sent, () => writing);
  for (const owner of owners) owner.expectAnew();
  await service.program.kill();
  service = await startService(database, { runtime, before: service });
  began = performance.now();
  const cpuBefore = cpuTimeOf([service.program.pid, engine]);
  const back = (await Promise.all(owners.map((owner) => owner.back()))).map((at) => (at - began) / 1000);
  const recovered = Math.max(...back);
  const cpuSeconds = (cpuTimeOf([service.program.pid, engine]) - cpuBefore) / 1e6;
  writing = false;
  await messages;
  const lost = await stillMissing(sent);

  const at = (share: number) => back.toSorted((a, b) => a - b)[Math.floor((back.length - 1) * share)]?.toFixed(1);
  console.log(
    `after the new server was ready, back and read again: half ${at(0.5)} s, 99 % ${at(0.99)} s, all ${at(1)} s`,
  );
  console.log(
    `CPU time of server and PostgreSQL until then: ${cpuSeconds.toFixed(1)} s of 2 cores; server ${megabytesOf(service.program.pid)}`,
  );
  console.log(
    `${sent.size} messages came meanwhile, ${lost} of them unseen; ${OwnerOnline.refusals} reads had to be repeated`,
  );
  const passes = recovered <= MOST_SECONDS && lost === 0;
  console.log(`${passes ? 'PASS' : 'FAIL'}: all back within ${MOST_SECONDS} s, and nothing lost`);
  if (!passes) process.exitCode = 1;
} finally {
  await Promise.all(owners.map((owner) => owner.goOffline()));
  await writer.end();
  await service?.program.stop();
  await database.stop();
}

async function goOnline({ owner, session }: Item, place: number): Promise<OwnerOnline> {
  if (service === undefined) throw new Error('The service is not there.');
  const token = await service.accessToken({ sub: owner, session_id: session });
  const address = `10.${Math.trunc(place / 62_500)}.${Math.trunc(place / 250) % 250}.${(place % 250) + 1}`;
  const online = new OwnerOnline({ owner, token, address, ...service });
  await online.back();
  return online;
}

/**
 * Sends messages one by one to owners spread over the table, and records their ids and recipients, while `goesOn`
 * returns true.
 */
async function sendMessages(items: readonly Item[], sent: Map<string, string>, goesOn: () => boolean): Promise<void> {
  for (let turn = 0; goesOn(); turn += 1) {
    const to = items[(turn * 7919) % items.length];
    if (to === undefined) throw new Error('Nobody has an item.');
    const { rows } = await writer.query<{ id: string }>({
      name: 'write',
      text: `with conversation as (
          insert into public.conversations (item_id, owner_id) values ($1, $2) returning id
        )
        insert into public.messages (conversation_id, item_id, owner_id, sender, body)
          select id, $1, $2, 'finder', 'Your keys are at the front desk.' from conversation returning id`,
      values: [to.item, to.owner],
    });
    for (const { id } of rows) sent.set(id, to.owner);
    await pause(BETWEEN_MESSAGES_MS);
  }
}

/** Returns how many messages have not reached their owners after ten seconds. */
async function stillMissing(sent: ReadonlyMap<string, string>): Promise<number> {
  const byId = new Map(owners.map((online) => [online.id, online]));
  const missing = () => [...sent].filter(([id, owner]) => !byId.get(owner)?.seen.has(id)).length;
  for (const deadline = Date.now() + 10_000; missing() > 0 && Date.now() < deadline; ) await pause(100);
  return missing();
}

async function enginePid(): Promise<number> {
  const { rows } = await writer.query<{ pid: number }>('select pg_backend_pid() as pid');
  return parentOf(rows[0]?.pid ?? 0);
}

function megabytesOf(pid: number): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (field: string) => Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
  return `${of('VmRSS')} MB (at most ${of('VmHWM')})`;
}

function secondsSince(time: number): string {
  return ((performance.now() - time) / 1000).toFixed(1);
}
