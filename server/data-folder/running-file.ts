import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { replaceFile } from './whole-file.ts';

const schema = v.object({ url: v.string(), pid: v.number() });

/** Where a development server listens, stored in its data folder for tools on this machine. */
export type Running = v.InferOutput<typeof schema>;

/**
 * Writes the URL of this process. The returned function removes the file, unless another server has written its own.
 */
export async function noteRunning(dataDirectory: string, url: string): Promise<() => Promise<void>> {
  const path = pathOf(dataDirectory);
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await replaceFile(path, `${JSON.stringify({ url, pid: process.pid } satisfies Running)}\n`);
  return async () => {
    if ((await readRunning(dataDirectory))?.pid === process.pid) await rm(path, { force: true });
  };
}

/** Returns what a server has written, or null. A killed server leaves its file behind. */
export async function readRunning(dataDirectory: string): Promise<Running | null> {
  try {
    return v.parse(schema, JSON.parse(await readFile(pathOf(dataDirectory), 'utf8')));
  } catch {
    return null;
  }
}

function pathOf(dataDirectory: string): string {
  return join(dataDirectory, 'running.json');
}
