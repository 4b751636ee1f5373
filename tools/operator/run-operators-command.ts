import * as v from 'valibot';
import { OperatorError } from '#server/operator-error.ts';
import { findAccount } from './find-account.ts';
import { formatTable } from './print-table.ts';
import { type Call, readOptions, readWord, refuseWords } from './read-options.ts';
import { dataOf } from './stickers/batches.ts';
import { asJson } from './write-json.ts';

const OPTIONS = { list: { json: 'boolean' }, add: { json: 'boolean' }, remove: { json: 'boolean' } } as const;

/** The accounts with the role, as the service lists them. */
const operators = v.array(
  v.object({ id: v.string(), email: v.nullable(v.string()), since: v.string(), has_second_factor: v.boolean() }),
);

export async function runOperatorsCommand(call: Call): Promise<void> {
  const { name, flags, words } = readOptions(OPTIONS, call);
  const json = flags.has('json');
  const print = (text: string) => void call.stdout.write(text);
  if (name === 'list') {
    refuseWords(words, 'operators list takes no arguments.');
    const service = await call.connect();
    const listed = v.parse(operators, dataOf(service, await service.client.rpc('list_operators')));
    if (json) return print(asJson(listed));
    if (listed.length === 0) return print('There are no operators. "operators add <account>" makes one.\n');
    const rows = listed.map(({ id, email, since, has_second_factor: has }) => [
      id,
      email ?? '–',
      since,
      has ? 'yes' : 'no',
    ]);
    return print(formatTable(['ACCOUNT', 'EMAIL', 'SINCE', 'SECOND FACTOR'], rows));
  }
  const account = readWord(words, `operators ${name} takes one account: an id or an email address.`);
  const service = await call.connect();
  const { id } = await findAccount(service, account);
  const changed = dataOf(service, await service.client.rpc(`${name}_operator`, { user_id_param: id }));
  if (name === 'remove') {
    if (!v.parse(v.boolean(), changed)) throw new OperatorError(`${id} is no operator.`);
    return print(json ? asJson({ removed: id }) : `${id} is no longer an operator.\n`);
  }
  if (json) return print(asJson({ added: id }));
  print(
    `${id} is an operator. The console is at ${service.publicUrl}/operate, after a sign-in with a second factor.\n`,
  );
}
