import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Returns a digest of files and folders (names and contents). Missing ones count as empty. */
export function digestOf(root, paths) {
  const hash = createHash('sha256');
  const add = (path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) {
      for (const name of readdirSync(path).sort()) add(join(path, name));
      return;
    }
    hash
      .update(`${relative(root, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  };
  for (const path of paths) add(join(root, path));
  return hash.digest('hex');
}

/** Whether the stamp says that this input was processed. */
export function isStamped(file, digest) {
  return existsSync(file) && readFileSync(file, 'utf8') === digest;
}

export function stamp(file, digest) {
  writeFileSync(file, digest);
}
