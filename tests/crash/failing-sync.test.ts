import { spawn, spawnSync } from 'node:child_process';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { loadSecrets } from '#server/start/secrets.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { whenDone } from '#tests/support/when-done.ts';

/** Not every machine has strace, or lets one program look at another. */
const canInject = spawnSync('strace', ['-qq', '-e', 'inject=fsync:error=EIO', 'true']).status === 0;

/** Until the function that it resolves with is called, every fsync of the process fails. */
async function failSyncs(pid: number): Promise<() => Promise<void>> {
  const strace = spawn('strace', ['-f', '-p', String(pid), '-e', 'trace=fsync', '-e', 'inject=fsync:error=EIO'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((done) => strace.once('exit', () => done()));
  const stop = () => {
    strace.kill('SIGINT');
    return ended;
  };
  whenDone(stop);
  await new Promise<void>((attached, failed) => {
    strace.stderr.on('data', (chunk) => String(chunk).includes('attached') && attached());
    void ended.then(() => failed(new Error('strace could not look at the server.')));
  });
  return stop;
}

test.skipIf(!canInject)('an upload is not acknowledged if syncing it to disk failed [I57]', async () => {
  const dataDirectory = await preparedFolder();
  const { secretKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: dataDirectory }));
  const service = await startServiceProcess({ dataDirectory });
  whenDone(() => service.end('SIGKILL'));
  const { storage } = createClient(service.url, secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  await storage.createBucket('files');
  const files = storage.from('files');
  expect((await files.upload('before.txt', 'kept')).error).toBeNull();

  const goOn = await failSyncs(service.child.pid ?? 0);
  expect((await files.upload('lost.txt', 'lost')).error).toMatchObject({ status: 503, code: 'ServiceUnavailable' });
  expect((await files.update('before.txt', 'lost')).error).toMatchObject({ status: 503 });
  expect((await files.copy('before.txt', 'copy.txt')).error).toMatchObject({ status: 503 });
  await goOn();

  expect((await files.list()).data?.map(({ name }) => name)).toEqual(['before.txt']);
  expect(await (await files.download('before.txt')).data?.text()).toBe('kept');
  expect((await files.upload('lost.txt', 'found')).error).toBeNull();
  expect(await service.end('SIGTERM')).toBe(0);
});
