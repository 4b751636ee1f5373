import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

interface LeaderProxyOptions {
  /** Where it listens, on 127.0.0.1. */
  readonly port: number;
  /** For its settings. */
  readonly folder: string;
  /** The ports of the PostgreSQL servers on this machine. */
  readonly servers: readonly number[];
  /** Whether the cluster software of this server says that it is the leader. */
  readonly isLeader: (port: number) => boolean;
}

/**
 * Starts HAProxy (`HAPROXY`) as in docs/operate/failover.md: connections go to the PostgreSQL whose cluster software
 * responds to `GET /primary` with 200, and end when it no longer does. That software is played here. Resolves with what
 * stops all of them.
 */
export async function startLeaderProxy({
  port,
  folder,
  servers,
  isLeader,
}: LeaderProxyOptions): Promise<() => Promise<void>> {
  const program = process.env.HAPROXY;
  if (program === undefined) throw new Error('HAPROXY must name the program of HAProxy.');
  const checks: Server[] = [];
  const lines: string[] = [];
  for (const server of servers) {
    const check = createServer((_, response) => response.writeHead(isLeader(server) ? 200 : 503).end());
    check.listen(0, '127.0.0.1');
    await once(check, 'listening');
    checks.push(check);
    // A server that listens on a port has an address of this form.
    const { port: checked } = check.address() as AddressInfo;
    lines.push(`  server db${server} 127.0.0.1:${server} check port ${checked}\n`);
  }
  const settings = join(folder, 'haproxy.cfg');
  await writeFile(
    settings,
    `global
  maxconn 500
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 500ms
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  http-check expect status 200
  default-server inter 100ms fall 2 rise 1 on-marked-down shutdown-sessions
${lines.join('')}`,
  );
  const proxy: ChildProcess = spawn(program, ['-db', '-f', settings], { stdio: 'ignore' });
  return async () => {
    const exited = once(proxy, 'exit');
    if (proxy.kill('SIGKILL')) await exited;
    for (const check of checks) {
      check.close();
      check.closeAllConnections();
    }
  };
}
