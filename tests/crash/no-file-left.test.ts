import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { loadSecrets } from '#server/start/secrets.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { whenDone } from '#tests/support/when-done.ts';

/** A program of util-linux that changes the limits of a running process. */
const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;

function openFilesOf(pid: number): Set<number> {
  return new Set(readdirSync(`/proc/${pid}/fd`).map(Number));
}

/** The process can open no further files; open ones stay open. */
function limitFiles(pid: number, most: number): void {
  expect(spawnSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`]).status).toBe(0);
}

test.skipIf(!hasPrlimit)(
  'a client that needs a file or socket when none is left gets a retry time, and is then served [I57]',
  async () => {
    const dataDirectory = await preparedFolder();
    const { secretKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: dataDirectory }));
    const service = await startServiceProcess({ dataDirectory });
    whenDone(() => service.end('SIGKILL'));
    const pid = service.child.pid ?? 0;
    const { storage } = createClient(service.url, secretKey, {
      auth: { persistSession: false, autoRefreshToken: false },
    });
    await storage.createBucket('files');
    const files = storage.from('files');
    const asked = [
      '/health/live',
      '/favicon.ico',
      '/',
      '/rest/v1/items',
      '/auth/v1/settings',
      '/item/tgt-nobodyhasthisone',
    ];
    const ask = async (path: string) => {
      const response = await fetch(service.url + path);
      await response.arrayBuffer();
      return response.status;
    };
    // One after the other, over the connection that the first opens and each leaves free for the next.
    const statuses = async () => {
      const said: number[] = [];
      for (const path of asked) said.push(await ask(path));
      return said;
    };
    await ask('/health/live');

    const open = openFilesOf(pid);
    let free = 0;
    while (open.has(free)) free += 1;
    limitFiles(pid, free);
    const meanwhile = await statuses();
    expect(meanwhile.filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect(meanwhile, 'something needed one').toContain(503);
    expect(meanwhile[0], 'nothing needs one to say that it is alive').toBe(200);
    expect((await files.upload('a.txt', 'x')).error).toMatchObject({ status: 503 });

    limitFiles(pid, 1_024);
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 404]);
    expect((await files.upload('a.txt', 'x')).error).toBeNull();
    expect(await service.end('SIGTERM')).toBe(0);
  },
);
