import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { THROW_AWAY_PLACE } from './throw-away-place.ts';
import { whenDone } from './when-done.ts';

/** Creates a folder that is removed when the test is done, or the file if created at its top. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(THROW_AWAY_PLACE, 'reunite-test-'));
  whenDone(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return folder;
}
