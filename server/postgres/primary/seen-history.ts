import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { replaceFile } from '#server/data-folder/whole-file.ts';

/** How long the history of a PostgreSQL is. */
export interface History {
  /** Common to a primary and its standbys; null where the server does not tell it. */
  readonly system: string | null;
  /** Each promotion begins one with a higher number. */
  readonly timeline: number;
}

const schema = v.object({ system: v.nullable(v.string()), timeline: v.pipe(v.number(), v.safeInteger()) });

/** Keeps the longest history that any process of a server has seen, beyond their ends, in a file of its data folder. */
export class SeenHistory {
  readonly path: string;

  constructor(dataDirectory: string) {
    this.path = join(dataDirectory, 'primary.json');
  }

  /** Returns null where nothing was seen yet, or where the file cannot be read. */
  async read(): Promise<History | null> {
    try {
      return v.parse(schema, JSON.parse(await readFile(this.path, 'utf8')));
    } catch {
      return null;
    }
  }

  /** Keeps a history that the caller has compared with the one before. Rejects where the folder cannot be written to. */
  async keep(history: History): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    await replaceFile(this.path, `${JSON.stringify(history)}\n`);
  }
}
