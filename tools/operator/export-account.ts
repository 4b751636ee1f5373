import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from './connect-to-service.ts';
import { printable } from './print-table.ts';
import { asJson, writeNew } from './write-json.ts';

const exportSchema = v.looseObject({
  files: v.array(v.looseObject({ id: v.pipe(v.string(), v.uuid()), bucket_id: v.string(), name: v.string() })),
});

/** Everything that the service keeps about an account: what its owner could download. */
export type AccountExport = v.InferOutput<typeof exportSchema>;

/** Throws an OperatorError where the service does not return the data. */
export async function exportAccount({ client, url }: ServiceConnection, id: string): Promise<AccountExport> {
  const { data, error } = await client.rpc('export_account', { user_id_param: id });
  const exported = v.safeParse(exportSchema, data);
  if (error === null && exported.success) return exported.output;
  throw new OperatorError(`${url} did not give the data of ${id}: ${error?.message ?? 'there are none.'}`);
}

/** The result of exporting an account's files. */
export interface ExportedFiles {
  readonly written: number;
  /** One printable line per file that could not be exported, with the reason. */
  readonly failures: readonly string[];
}

const INDEX = 'index.json';

/**
 * Writes an account's files into a new folder, each under its id, because not every name the service accepts is a valid
 * file name. `index.json` lists the name and bucket of each. A file that cannot be downloaded is skipped. Throws an
 * OperatorError where the folder cannot be written.
 */
export async function exportFiles(
  { client }: Pick<ServiceConnection, 'client'>,
  { files }: AccountExport,
  folder: string,
): Promise<ExportedFiles> {
  await mkdir(folder, { mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    throw new OperatorError(`${folder} could not be created: ${cause.message}`, { cause });
  });
  const index: { file: string; bucket_id: string; name: string }[] = [];
  const failures: string[] = [];
  for (const { id, bucket_id, name } of files) {
    const file = id + extensionOf(name);
    try {
      const { data, error } = await client.storage.from(bucket_id).download(addressOf(name));
      if (error !== null) throw error;
      await writeWhole(join(folder, file), data);
      index.push({ file, bucket_id, name });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failures.push(printable(`${bucket_id}/${name} (${id}): ${reason}`));
    }
  }
  await writeNew(join(folder, INDEX), asJson(index));
  return { written: index.length, failures };
}

/** Writes the complete file or none. */
async function writeWhole(path: string, data: Blob): Promise<void> {
  try {
    await writeFile(path, data.stream(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** The client does not encode names in URLs; a question mark would end the path. */
function addressOf(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/');
}

/** Returns the extension of a name, such as `.webp`, where it is valid on every file system; else an empty string. */
function extensionOf(name: string): string {
  return /\.[a-z0-9]{1,10}$/i.exec(name)?.[0] ?? '';
}
