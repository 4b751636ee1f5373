import { readFileSync, statSync } from 'node:fs';
import { OperatorError } from '#server/operator-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Far more than any setting needs. */
const MOST_BYTES = 1_048_576;

/**
 * Adds the settings that are named by a file: `NAME_FILE` holds the path of a file with the value of `NAME`, as
 * containers and systemd pass secrets. Whitespace around the value is dropped. Only the given names are looked for, so
 * that another program's `…_FILE` variable is left alone.
 *
 * @throws OperatorError where both variables are set, or a file is missing, empty or too large. The message never
 * contains the file's text.
 * @example
 * settingsFromFiles({ SECRET_KEY_FILE: '/run/secrets/secret_key' }, ['SECRET_KEY']); // { SECRET_KEY: 'sb_secret_…' }
 */
export function settingsFromFiles(environment: Environment, names: readonly string[]): Environment {
  const settings: Record<string, string | undefined> = { ...environment };
  const problems: string[] = [];
  for (const name of names) {
    const variable = `${name}_FILE`;
    const path = settings[variable]?.trim() ?? '';
    if (path === '') continue;
    delete settings[variable];
    if ((settings[name] ?? '').trim() !== '') {
      problems.push(`${name} and ${variable} are both set: use one of them.`);
      continue;
    }
    const file = readValue(path);
    if ('problem' in file) problems.push(`${variable} names ${path}, which ${file.problem}.`);
    else settings[name] = file.value;
  }
  if (problems.length > 0) throw new OperatorError(problems.join('\n'));
  return settings;
}

function readValue(path: string): { readonly value: string } | { readonly problem: string } {
  try {
    // A device could be endless.
    const found = statSync(path);
    if (!found.isFile()) return { problem: 'is not a file' };
    if (found.size > MOST_BYTES) return { problem: 'is larger than 1 MiB' };
    const value = readFileSync(path, 'utf8').trim();
    return value === '' ? { problem: 'is empty' } : { value };
  } catch (error) {
    return {
      problem: `cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'})`,
    };
  }
}
