import { join } from 'node:path';
import { Client } from 'pg';
import { cpuTimeOf, parentOf } from './cpu-time.ts';
import { drive } from './drive.ts';
import type { BenchmarkDatabase } from './start-database.ts';
import { startProgram } from './start-program.ts';
import type { BenchmarkService } from './start-service.ts';

/** A measured server and its request. */
export interface Contender {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** The whole request for one code. */
  request(code: string): string;
  /** Whether the response is correct, where it is not the item's JSON. */
  isRight?(response: string): boolean;
  stop(): Promise<void>;
  /** One figure a round: microseconds of CPU time a request, and requests a second. */
  readonly cpuTimes: number[];
  readonly throughputs: number[];
}

const CONNECTIONS = 32;

/** Runs one round of a contender: each code is requested once. `engine` is the process of `postmasterOf`. */
export async function measure(
  { pid, port, request, isRight }: Contender,
  engine: number,
  codes: readonly string[],
): Promise<{ cpuTime: number; throughput: number }> {
  const requests = codes.length;
  const before = cpuTimeOf([pid, engine]);
  const { seconds } = await drive({
    port,
    request,
    codes,
    connections: CONNECTIONS,
    requests,
    ...(isRight && { isRight }),
  });
  return { cpuTime: (cpuTimeOf([pid, engine]) - before) / requests, throughput: requests / seconds };
}

export function keep({ cpuTimes, throughputs }: Contender, figures: { cpuTime: number; throughput: number }): void {
  cpuTimes.push(figures.cpuTime);
  throughputs.push(figures.throughput);
}

/** The look-up of an item through the whole server, with the headers that the official client sends. */
export function lookUpOf(name: string, { program, port, publishableKey }: BenchmarkService): Contender {
  return contender(name, program, port, (code) =>
    [
      `GET /rest/v1/rpc/find_item?qr_id_param=${code} HTTP/1.1`,
      'Host: localhost',
      `apikey: ${publishableKey}`,
      `Authorization: Bearer ${publishableKey}`,
      'Accept: application/json',
      'X-Client-Info: supabase-js-web/2.119.0',
      '\r\n',
    ].join('\r\n'),
  );
}

/** The same lookup by `bare-server.ts`, with the item or with a document of this many bytes as the response. */
export async function bareLookUp(
  database: BenchmarkDatabase,
  kind: 'pooled' | 'pipelined',
  bytes?: number,
): Promise<Contender> {
  const { program, found } = await startProgram(
    [
      'benchmarks/support/bare-server.ts',
      kind,
      JSON.stringify(database.address),
      ...(bytes === undefined ? [] : [String(bytes)]),
    ],
    {
      output: join(database.folder, `bare-${kind}-${bytes ?? 'item'}.log`),
      ready: /^\d+$/m,
    },
  );
  const bare = contender(
    `bare node:http + pg, ${kind}${bytes === undefined ? '' : `, ${bytes} bytes`}`,
    program,
    Number(found[0]),
    (code) => `GET /?code=${code} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  );
  return bytes === undefined ? bare : { ...bare, isRight: isResponse };
}

/** Accepts any 200, where the content is checked elsewhere. */
export function isResponse(response: string): boolean {
  return response.startsWith('HTTP/1.1 200 ');
}

export function contender(
  name: string,
  { pid, stop }: { pid: number; stop(): Promise<void> },
  port: number,
  request: (code: string) => string,
): Contender {
  return { name, pid, port, request, stop, cpuTimes: [], throughputs: [] };
}

/** Every backend is a child of the postmaster, so any backend leads to it. */
export async function postmasterOf({ address }: BenchmarkDatabase): Promise<number> {
  const client = new Client(address);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const engine = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  return engine;
}
