import { randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlobStore } from '#server/storage/blobs/blob-store.ts';
import { type Digest, digestOf, digestOnTheWay } from './digest.ts';
import type { FilePlace } from './restore-backup.ts';

/**
 * Puts files into the blob store. One that is there with the same content stays. `arriving` is the folder for unfinished
 * files, which the service sweeps.
 */
export function restoreFiles(blobs: Pick<BlobStore, 'open' | 'put' | 'remove'>, arriving: string): FilePlace {
  const added: string[] = [];
  return {
    async put(name, parts) {
      await mkdir(arriving, { recursive: true, mode: 0o700 });
      const path = join(arriving, randomUUID());
      try {
        const { size, sha256 } = await write(path, parts);
        const present = await blobs.open(name);
        if (present !== null && (await digestOf(present)).sha256 === sha256) return;
        if (present === null) added.push(name);
        await blobs.put(name, { path, size, sha256 });
      } finally {
        await rm(path, { force: true });
      }
    },
    async undo() {
      for (const name of added.splice(0)) await blobs.remove(name);
    },
  };
}

async function write(path: string, parts: AsyncIterable<Buffer>): Promise<Digest> {
  let digest: Digest = { size: 0, sha256: '' };
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const part of digestOnTheWay(parts, (found) => (digest = found))) await file.writeFile(part);
  } finally {
    await file.close();
  }
  return digest;
}
