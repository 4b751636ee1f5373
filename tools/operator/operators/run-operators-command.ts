import * as v from 'valibot';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from '../connect-to-service.ts';
import { findAccount } from '../find-account.ts';
import { formatTable } from '../print-table.ts';
import type { Output } from '../run-users-command.ts';
import { dataOf } from '../stickers/batches.ts';
import { asJson } from '../write-json.ts';
import type { OperatorsCommand } from './read-operators-command.ts';

/** The accounts with the role, as the service lists them. */
const operators = v.array(
  v.object({ id: v.string(), email: v.nullable(v.string()), since: v.string(), has_second_factor: v.boolean() }),
);

/** Runs the command and prints its result. Throws an OperatorError if the service refuses. */
export async function runOperatorsCommand(
  service: ServiceConnection,
  command: OperatorsCommand,
  { stdout }: Output,
): Promise<void> {
  const print = (text: string) => void stdout.write(text);
  if (command.name === 'list') {
    const listed = v.parse(operators, dataOf(service, await service.client.rpc('list_operators')));
    if (command.json) return print(asJson(listed));
    if (listed.length === 0) return print('There are no operators. "operators add <account>" makes one.\n');
    const rows = listed.map(({ id, email, since, has_second_factor: has }) => [
      id,
      email ?? '–',
      since,
      has ? 'yes' : 'no',
    ]);
    return print(formatTable(['ACCOUNT', 'EMAIL', 'SINCE', 'SECOND FACTOR'], rows));
  }
  const { id } = await findAccount(service, command.account);
  const changed = v.parse(
    v.boolean(),
    dataOf(service, await service.client.rpc(`${command.name}_operator`, { user_id_param: id })),
  );
  if (command.name === 'remove') {
    if (!changed) throw new OperatorError(`${id} is no operator.`);
    return print(command.json ? asJson({ removed: id }) : `${id} is no longer an operator.\n`);
  }
  if (command.json) return print(asJson({ added: id }));
  print(
    `${id} is an operator. The console is at ${service.publicUrl}/operate, after a sign-in with a second factor.\n`,
  );
}
