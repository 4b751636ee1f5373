import type { User } from '@supabase/supabase-js';
import * as v from 'valibot';
import { normalizeAddress } from '#server/delivery/email/email-address.ts';
import { OperatorError } from '#server/operator-error.ts';
import { describeAccount, describeAccounts } from './describe-account.ts';
import { exportAccount, exportFiles } from './export-account.ts';
import { findAccount } from './find-account.ts';
import { listAccounts } from './list-accounts.ts';
import { orThrow } from './or-throw.ts';
import { type Call, pageLine, readOptions, readPage, readWord, refuseWords } from './read-options.ts';
import { dataOf } from './stickers/batches.ts';
import { UsageError } from './usage-error.ts';
import { asJson, writeNew } from './write-json.ts';

const OPTIONS = {
  list: { filter: 'string', page: 'string', 'per-page': 'string', json: 'boolean' },
  show: { json: 'boolean' },
  ban: { for: 'string', json: 'boolean' },
  unban: { json: 'boolean' },
  'sign-out': { json: 'boolean' },
  'send-link': { json: 'boolean' },
  'make-link': { reason: 'string', json: 'boolean' },
  delete: { yes: 'boolean', soft: 'boolean', json: 'boolean' },
  export: { out: 'string', files: 'string', json: 'boolean' },
} as const;

/** A hundred years: until the account is unbanned. */
const UNTIL_UNBANNED = '876000h';

/** The response of the database function `make_link`. */
const madeLink = v.object({ kind: v.picklist(['invite', 'confirmation', 'recovery']), path: v.string() });

export async function runUsersCommand(call: Call): Promise<void> {
  const { name, flags, texts, words } = readOptions(OPTIONS, call);
  const json = flags.has('json');
  const print = (text: string) => void call.stdout.write(text);
  const printAccount = (user: User) => print(json ? asJson(user) : describeAccount(user, Date.now()));

  if (name === 'list') {
    refuseWords(words, 'users list takes no account. To look for one, use --filter.');
    const page = readPage(texts);
    const { users, total } = await listAccounts(await call.connect(), { filter: texts.get('filter') ?? '', ...page });
    if (json) return print(asJson({ users, total }));
    print(describeAccounts(users, Date.now()));
    return print(pageLine(page, 'accounts', total));
  }

  const account = readWord(words, `users ${name} takes one account: an id or an email address.`);
  const duration = texts.get('for') ?? UNTIL_UNBANNED;
  if (!/^(\d+(\.\d+)?(s|m|h))+$/.test(duration)) {
    throw new UsageError('--for must be a duration such as 90m, 24h, or 720h.');
  }
  if (name === 'delete' && !flags.has('yes')) {
    throw new UsageError("You can't undo this. To delete the account, add --yes.");
  }
  const service = await call.connect();
  const { client } = service;
  const { admin } = client.auth;
  if (name === 'make-link') {
    const values = { email_param: normalizeAddress(account), reason_param: texts.get('reason') ?? null };
    const { kind, path } = v.parse(madeLink, dataOf(service, await client.rpc('make_link', values)));
    const link = service.publicUrl + path;
    return print(json ? asJson({ kind, link }) : `${link}\n`);
  }

  const user = await findAccount(service, account);
  const act = async (act_param: string) =>
    dataOf(service, await client.rpc('act_on_account', { user_id_param: user.id, act_param }));
  switch (name) {
    case 'show':
      return printAccount(user);
    case 'ban':
    case 'unban': {
      const ban_duration = name === 'ban' ? duration : 'none';
      return printAccount(orThrow(service, await admin.updateUserById(user.id, { ban_duration })).user);
    }
    case 'sign-out':
      await act('end_sessions');
      return print(json ? asJson({ signedOut: user.id }) : `Signed out ${user.id}.\n`);
    case 'send-link': {
      if (!user.email) throw new OperatorError('The account has no email address.');
      await act('send_link');
      const options = { shouldCreateUser: false };
      orThrow(service, await client.auth.signInWithOtp({ email: user.email, options }));
      return print(json ? asJson({ sentTo: user.id }) : `Sent a sign-in link to ${user.id}.\n`);
    }
    case 'delete':
      orThrow(service, await admin.deleteUser(user.id, flags.has('soft')));
      return print(json ? asJson({ deleted: user.id }) : `Deleted ${user.id}.\n`);
    case 'export': {
      const exported = await exportAccount(service, user.id);
      const file = texts.get('out');
      const folder = texts.get('files');
      if (file === undefined) print(asJson(exported));
      else await writeNew(file, asJson(exported));
      if (file !== undefined) print(`Wrote ${file}.\n`);
      if (folder === undefined) return;
      const { written, failures } = await exportFiles(service, exported, folder);
      if (file !== undefined) print(`Wrote ${folder}, files: ${written}.\n`);
      if (failures.length > 0) throw new OperatorError(['Not in the folder:', ...failures].join('\n  '));
      return;
    }
  }
}
