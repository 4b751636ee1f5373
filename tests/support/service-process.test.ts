import { expect, test } from 'vitest';
import { childrenOf } from './processes.ts';
import { startServiceProcess } from './service-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('a server that is not ready in time is not left running', async () => {
  const before = childrenOf(process.pid);
  const starting = startServiceProcess({ dataDirectory: await temporaryFolder(), startWithinMs: 100 });
  await expect(starting).rejects.toThrow('The server was not ready in time');
  await expect.poll(() => childrenOf(process.pid)).toEqual(before);
});
