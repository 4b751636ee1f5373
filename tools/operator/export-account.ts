import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import * as v from 'valibot';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from './connect-to-service.ts';

const exportSchema = v.looseObject({
  files: v.array(v.looseObject({ bucket_id: v.string(), name: v.string() })),
});

/** Everything that the service keeps about an account: what its owner could download. */
export type AccountExport = v.InferOutput<typeof exportSchema>;

/** Throws an OperatorError where the service does not give it. */
export async function exportAccount({ client, url }: ServiceConnection, id: string): Promise<AccountExport> {
  const { data, error } = await client.rpc('export_account', { user_id_param: id });
  const exported = v.safeParse(exportSchema, data);
  if (error === null && exported.success) return exported.output;
  throw new OperatorError(`${url} did not give the data of ${id}: ${error?.message ?? 'there are none.'}`);
}

/** Writes the account's photos and other files into a new folder, each under its bucket. Returns how many. */
export async function exportFiles(
  { client, url }: ServiceConnection,
  { files }: AccountExport,
  folder: string,
): Promise<number> {
  await mkdir(folder, { mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    throw new OperatorError(`${folder} could not be made: ${cause.message}`, { cause });
  });
  for (const { bucket_id: bucket, name } of files) {
    const path = placeWithin(folder, bucket, name);
    const { data, error } = await client.storage.from(bucket).download(name);
    if (error !== null) throw new OperatorError(`${url} did not give ${bucket}/${name}: ${error.message}`);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, data.stream(), { flag: 'wx', mode: 0o600 });
  }
  return files.length;
}

/** The names are those that somebody chose who put a file up: none may lead out of the folder. */
function placeWithin(folder: string, bucket: string, name: string): string {
  const path = resolve(join(folder, bucket, name));
  if (!path.startsWith(resolve(folder) + sep)) {
    throw new OperatorError(`The name of a file leads out of the folder: ${JSON.stringify(`${bucket}/${name}`)}.`);
  }
  return path;
}
