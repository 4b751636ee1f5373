import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const READY_WITHIN_MS = 30_000;

export interface HaProxyOptions {
  /** Where it listens, on 127.0.0.1. */
  readonly port: number;
  /** For its settings. */
  readonly folder: string;
  /** The ports of the servers on this machine. */
  readonly servers: readonly number[];
  /**
   * Whether it leaves out servers that are not ready. Those that are slow on a busy machine lose their connections too.
   */
  readonly isChecking: boolean;
}

/**
 * Starts HAProxy (`HAPROXY`), which gives each request to the next of the servers. It adds the client's address to
 * `X-Forwarded-For`. Resolves with what kills it.
 */
export async function startHaProxy({
  port,
  folder,
  servers,
  isChecking,
}: HaProxyOptions): Promise<() => Promise<void>> {
  const program = process.env.HAPROXY;
  if (program === undefined) throw new Error('HAPROXY must name the program of HAProxy.');
  const settings = join(folder, 'haproxy.cfg');
  const lines = servers.map((of, at) => `  server s${at} 127.0.0.1:${of}${isChecking ? ' check' : ''}\n`);
  await writeFile(
    settings,
    `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  timeout check 2s
  option forwardfor
  option redispatch
  retries 3
listen reunite
  bind 127.0.0.1:${port}
  balance roundrobin
  option httpchk GET /health/ready
  default-server inter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${lines.join('')}`,
  );
  let printed = '';
  const proxy: ChildProcess = spawn(program, ['-db', '-f', settings], { stdio: ['ignore', 'ignore', 'pipe'] });
  proxy.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8');
  });
  const exited = once(proxy, 'exit');
  const end = async () => {
    proxy.kill('SIGKILL');
    await exited;
  };
  const startedAt = performance.now();
  while (!(await isReady(`http://127.0.0.1:${port}`))) {
    if (proxy.exitCode !== null) throw new Error(`HAProxy did not start:\n${printed}`);
    if (performance.now() - startedAt > READY_WITHIN_MS) {
      await end();
      throw new Error(`HAProxy was not ready in time:\n${printed}`);
    }
    await pause(20);
  }
  return end;
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
