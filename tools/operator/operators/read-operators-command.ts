import { readOptions } from '../read-options.ts';
import { UsageError } from '../usage-error.ts';

export type OperatorsCommand =
  | { readonly name: 'list'; readonly json: boolean }
  | { readonly name: 'add' | 'remove'; readonly json: boolean; readonly account: string };

/** Throws a UsageError for an unknown command, an unknown option or an invalid value. */
export function readOperatorsCommand(name: string, rest: readonly string[]): OperatorsCommand {
  if (name !== 'list' && name !== 'add' && name !== 'remove')
    throw new UsageError(`There is no command "operators ${name}".`);
  const { flags, words } = readOptions({ json: 'boolean' }, rest);
  const json = flags.has('json');
  const [account = '', ...others] = words;
  if (name === 'list') {
    if (account !== '') throw new UsageError('operators list takes no arguments.');
    return { name, json };
  }
  if (account === '' || others.length > 0)
    throw new UsageError(`operators ${name} takes one account: an id or an email address.`);
  return { name, json, account };
}
