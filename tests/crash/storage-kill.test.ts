import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { loadSecrets } from '#server/start/secrets.ts';
import { rounds } from '#tests/support/long-runs.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { type ServiceProcess, startServiceProcess } from '#tests/support/service-process.ts';
import { whenDone } from '#tests/support/when-done.ts';

test('after kill -9 every acknowledged upload is complete, and every row has its file [E41] [I56]', async () => {
  const dataDirectory = await preparedFolder();
  const { secretKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: dataDirectory }));
  const filesOf = ({ url }: ServiceProcess) =>
    createClient(url, secretKey, { auth: { persistSession: false, autoRefreshToken: false } }).storage;
  const responded = new Map<string, string>();
  let service = await startServiceProcess({ dataDirectory });
  // Also where an expectation fails.
  whenDone(() => service.end('SIGKILL'));
  await filesOf(service).createBucket('files');

  let kills = 0;
  for (const kill of rounds(2, 10)) {
    kills += 1;
    const files = filesOf(service).from('files');
    let killed: Promise<unknown> | undefined;
    const upload = async (worker: number) => {
      for (let count = 0; killed === undefined; count += 1) {
        const name = `${kill}-${worker}-${count % 5}.txt`;
        const content = `${name} ${count} `.repeat(2_000);
        const { error } = await files.upload(name, content, { upsert: true });
        if (error === null) responded.set(name, content);
        // What was under way when it died may be the old content or the new one.
        else responded.delete(name);
        if (responded.size > (kill + 1) * 8) killed ??= service.end('SIGKILL');
      }
    };
    await Promise.all([0, 1, 2].map(upload));
    await killed;
    service = await startServiceProcess({ dataDirectory });
  }

  const files = filesOf(service).from('files');
  expect(responded.size).toBeGreaterThan(kills * 6);
  for (const [name, content] of responded) expect(await (await files.download(name)).data?.text(), name).toBe(content);
  const { data } = await files.list('', { limit: 1000 });
  for (const { name, metadata } of data ?? []) {
    const { data: blob, error } = await files.download(name);
    expect(error, name).toBeNull();
    expect(blob?.size).toBe(metadata?.size);
  }
  await service.end('SIGTERM');
});
