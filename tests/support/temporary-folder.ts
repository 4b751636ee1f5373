import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { whenDone } from './when-done.ts';

/** A folder that is gone when the test that asked for it is done, or the file where it was asked for at the top. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reunite-test-'));
  whenDone(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
