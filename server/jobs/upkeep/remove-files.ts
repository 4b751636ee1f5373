import * as v from 'valibot';
import type { Dependencies } from '#server/dependencies.ts';
import { purgeRemovedFiles } from '#server/storage/removed-files.ts';

const payloadSchema = v.object({ files: v.array(v.pipe(v.string(), v.uuid())) });

/**
 * Removes the files of an object whose row is gone or has new content, unless they are kept for a time, in which case
 * the sweep removes them later. File names that SQL inserted without the service never existed as files. Idempotent.
 */
export async function removeFiles(
  { files: { blobs }, database, config, log }: Pick<Dependencies, 'files' | 'database' | 'config' | 'log'>,
  payload: unknown,
): Promise<void> {
  const parsed = v.safeParse(payloadSchema, payload);
  if (!parsed.success) {
    log.error({}, 'A job without file names was dropped.');
    return;
  }
  if (config.storage.keepRemovedHours > 0) return;
  for (const key of parsed.output.files) await blobs.remove(key);
  await purgeRemovedFiles(database, parsed.output.files);
}
