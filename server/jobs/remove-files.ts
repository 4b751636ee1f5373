import * as v from 'valibot';
import type { Dependencies } from '#server/dependencies.ts';

const payloadSchema = v.object({ files: v.array(v.pipe(v.string(), v.uuid())) });

/**
 * Removes the files of an object whose row is gone or has another content by now. Files that SQL made up without the
 * service, under names of its own, were never there. Done again it does no harm.
 */
export async function removeFiles(
  { files: { blobs }, log }: Pick<Dependencies, 'files' | 'log'>,
  payload: unknown,
): Promise<void> {
  const parsed = v.safeParse(payloadSchema, payload);
  if (!parsed.success) {
    log.error({}, 'A job without names of files was dropped.');
    return;
  }
  for (const key of parsed.output.files) await blobs.remove(key);
}
