import * as v from 'valibot';
import type { Dependencies } from '#server/dependencies.ts';
import { forgetRemovedFiles } from '#server/storage/removed-files.ts';

const payloadSchema = v.object({ files: v.array(v.pipe(v.string(), v.uuid())) });

/**
 * Removes the files of an object whose row is gone or has another content by now, where they are not kept for a time:
 * then the sweep removes them. Files that SQL made up without the service, under names of its own, were never there.
 * Done again it does no harm.
 */
export async function removeFiles(
  { files: { blobs }, database, config, log }: Pick<Dependencies, 'files' | 'database' | 'config' | 'log'>,
  payload: unknown,
): Promise<void> {
  const parsed = v.safeParse(payloadSchema, payload);
  if (!parsed.success) {
    log.error({}, 'A job without names of files was dropped.');
    return;
  }
  if (config.storage.keepRemovedHours > 0) return;
  for (const key of parsed.output.files) await blobs.remove(key);
  await forgetRemovedFiles(database, parsed.output.files);
}
