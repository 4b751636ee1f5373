import { isUuid } from '#server/is-uuid.ts';
import { type OptionTypes, readNumber, readOptions, readText, VOID_REASON_LENGTH } from '../read-options.ts';
import { UsageError } from '../usage-error.ts';

export type ReportsCommand =
  | {
      readonly name: 'list';
      readonly json: boolean;
      readonly withClosed: boolean;
      readonly page: number;
      readonly perPage: number;
    }
  | { readonly name: 'show' | 'close' | 'put-back'; readonly json: boolean; readonly id: string }
  | { readonly name: 'take-down'; readonly json: boolean; readonly id: string; readonly reason: string };

const OPTIONS = {
  list: { all: 'boolean', page: 'string', 'per-page': 'string', json: 'boolean' },
  show: { json: 'boolean' },
  close: { json: 'boolean' },
  'take-down': { reason: 'string', json: 'boolean' },
  'put-back': { json: 'boolean' },
} as const satisfies Record<ReportsCommand['name'], OptionTypes>;

/** Throws a UsageError for an unknown command, an unknown option or an invalid value. */
export function readReportsCommand(name: string, rest: readonly string[]): ReportsCommand {
  if (!isReportsName(name)) throw new UsageError(`There is no command "reports ${name}".`);
  const { flags, texts, words } = readOptions(OPTIONS[name], rest);
  const json = flags.has('json');
  if (name === 'list') {
    if (words.length > 0) throw new UsageError('reports list takes no arguments.');
    const page = readNumber('--page', texts.get('page') ?? '1', 1_000_000);
    const perPage = readNumber('--per-page', texts.get('per-page') ?? '50', 1_000);
    return { name, json, withClosed: flags.has('all'), page, perPage };
  }
  const [id = '', ...others] = words;
  if (!isUuid(id) || others.length > 0) throw new UsageError(`reports ${name} takes one report: its id.`);
  if (name !== 'take-down') return { name, json, id };
  const reason = readText('reason', texts.get('reason') ?? '', VOID_REASON_LENGTH);
  if (reason === null) throw new UsageError('Add a --reason. The owner of the page reads it.');
  return { name, json, id, reason };
}

function isReportsName(name: string): name is ReportsCommand['name'] {
  return Object.hasOwn(OPTIONS, name);
}
