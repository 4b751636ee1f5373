import { readOptions } from '../read-options.ts';
import { UsageError } from '../usage-error.ts';

const NAMES = ['show', 'deliveries', 'returns'] as const;

export interface ServiceCommand {
  readonly name: (typeof NAMES)[number];
  readonly json: boolean;
}

/** Throws a UsageError for an unknown command or an unknown option. */
export function readServiceCommand(given: string, rest: readonly string[]): ServiceCommand {
  const name = NAMES.find((known) => known === given);
  if (name === undefined) throw new UsageError(`There is no command "service ${given}".`);
  const { flags, words } = readOptions({ json: 'boolean' }, rest);
  if (words.length > 0) throw new UsageError(`service ${name} takes no arguments.`);
  return { name, json: flags.has('json') };
}
