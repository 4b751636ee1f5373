import type { User } from '@supabase/supabase-js';
import * as v from 'valibot';
import { normalizeAddress } from '#server/delivery/email/email-address.ts';
import { OperatorError } from '#server/operator-error.ts';
import type { ServiceConnection } from './connect-to-service.ts';
import { describeAccount, describeAccounts } from './describe-account.ts';
import { exportAccount, exportFiles } from './export-account.ts';
import { findAccount } from './find-account.ts';
import { listAccounts } from './list-accounts.ts';
import { orThrow } from './or-throw.ts';
import type { UsersCommand } from './read-command-line.ts';
import { dataOf } from './stickers/batches.ts';
import { asJson, writeNew } from './write-json.ts';

/** The response of the database function `make_link`. */
const madeLink = v.object({ kind: v.picklist(['invite', 'confirmation', 'recovery']), path: v.string() });

export interface Output {
  readonly stdout: { write(text: string): unknown };
}

/** Runs the command and prints its result. Throws an OperatorError where the service refuses. */
export async function runUsersCommand(
  service: ServiceConnection,
  command: UsersCommand,
  { stdout }: Output,
): Promise<void> {
  const admin = service.client.auth.admin;
  const print = (text: string) => void stdout.write(text);
  const printAccount = (user: User, json: boolean) => print(json ? asJson(user) : describeAccount(user, Date.now()));

  if (command.name === 'list') {
    const { users, total } = await listAccounts(service, command);
    if (command.json) return print(asJson({ users, total }));
    const pages = Math.max(1, Math.ceil(total / command.perPage));
    print(describeAccounts(users, Date.now()));
    return print(`\nPage ${command.page} of ${pages}; accounts: ${total}\n`);
  }

  if (command.name === 'make-link') {
    const values = { email_param: normalizeAddress(command.account), reason_param: command.reason };
    const { kind, path } = v.parse(madeLink, dataOf(service, await service.client.rpc('make_link', values)));
    const link = service.publicUrl + path;
    return print(command.json ? asJson({ kind, link }) : `${link}\n`);
  }

  const user = await findAccount(service, command.account);
  switch (command.name) {
    case 'show':
      return printAccount(user, command.json);
    case 'ban':
    case 'unban': {
      const duration = command.name === 'ban' ? command.duration : 'none';
      const updated = orThrow(service, await admin.updateUserById(user.id, { ban_duration: duration })).user;
      return printAccount(updated, command.json);
    }
    case 'sign-out':
      dataOf(
        service,
        await service.client.rpc('act_on_account', { user_id_param: user.id, act_param: 'end_sessions' }),
      );
      return print(command.json ? asJson({ signedOut: user.id }) : `Signed out ${user.id}.\n`);
    case 'send-link': {
      if (!user.email) throw new OperatorError('The account has no email address.');
      dataOf(service, await service.client.rpc('act_on_account', { user_id_param: user.id, act_param: 'send_link' }));
      const options = { shouldCreateUser: false };
      orThrow(service, await service.client.auth.signInWithOtp({ email: user.email, options }));
      return print(command.json ? asJson({ sentTo: user.id }) : `Sent a sign-in link to ${user.id}.\n`);
    }
    case 'delete':
      orThrow(service, await admin.deleteUser(user.id, command.softly));
      return print(command.json ? asJson({ deleted: user.id }) : `Deleted ${user.id}.\n`);
    case 'export': {
      const exported = await exportAccount(service, user.id);
      const { file, folder } = command;
      if (file === null) print(asJson(exported));
      else await writeNew(file, asJson(exported));
      if (file !== null) print(`Wrote ${file}.\n`);
      if (folder === null) return;
      const { written, failures } = await exportFiles(service, exported, folder);
      if (file !== null) print(`Wrote ${folder}, files: ${written}.\n`);
      if (failures.length > 0) throw new OperatorError(['Not in the folder:', ...failures].join('\n  '));
      return;
    }
  }
}
