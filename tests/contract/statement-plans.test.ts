import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';
import { purgeExpired } from '#server/jobs/upkeep/purge-expired.ts';
import { sweepStorage } from '#server/storage/sweep-storage.ts';
import { dependenciesForJobs } from '#tests/jobs/dependencies-for-jobs.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { MEASURED_LABELS } from '#tests/support/factories/measured-labels.ts';
import { registerOwner } from '#tests/support/factories/register-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { jobsAtHand } from '#tests/support/jobs-at-hand.ts';
import { sendFinderEmails } from '#tests/support/reply-notices.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { letTimePass, stepsOf } from '#tests/support/unseen-notices.ts';
import { postForm } from '#tests/web/support/post-form.ts';
import { aPicture, aPictureName } from './storage/support/pictures.ts';
import { fillTables } from './support/fill-tables.ts';
import { EXPLAIN_EVERYTHING, type ExplainedStatement, readPlan, wholeTableReads } from './support/statement-plans.ts';

vi.setConfig({ testTimeout: 300_000 });

/**
 * Checks PostgreSQL's plan of each statement of the service, including those in functions and triggers: whole tables
 * may only be read where no index serves.
 */
const database = await createTestDatabase();
const name = database.address.database;
for (const [setting, value] of Object.entries(EXPLAIN_EVERYTHING)) {
  await database.query(`alter database ${name} set ${setting} = '${value}'`);
}
await fillTables(database, 5_000);

const statements: ExplainedStatement[] = [];
const emit = Client.prototype.emit;
vi.spyOn(Client.prototype, 'emit').mockImplementation(function (this: Client, event, ...rest) {
  const statement = event === 'notice' ? readPlan(String(rest[0]?.message)) : null;
  if (statement !== null) statements.push(statement);
  return emit.call(this, event, ...rest);
});

const server = await startTestServer(database);

/** Each statement of a job is explained too. */
const WHILE_EXPLAINED = { timeout: 120_000 };

/** What one step makes PostgreSQL read without an index. */
async function readsOf(step: () => Promise<unknown>): Promise<string[]> {
  statements.length = 0;
  await step();
  // Jobs of the step are a part of it.
  await expect.poll(() => jobsAtHand(database), WHILE_EXPLAINED).toEqual([]);
  expect(statements.length).toBeGreaterThan(0);
  return wholeTableReads(statements);
}

function must<Data>({ data, error }: { readonly data: Data; readonly error: unknown }): NonNullable<Data> {
  if (error !== null || data === null || data === undefined) throw error ?? new Error('There is no data.');
  return data;
}

test('what finders and owners do uses an index on every table that grows', async () => {
  const visitor = server.client();
  const reads = await readsOf(async () => {
    const owner = await registerOwner(server);
    const { client, user } = owner;
    const qrId = createTagCode();
    const item = { qr_id: qrId, user_id: user.id, item_type: 'keys', item_name: 'Keys' };
    const { id } = must(await client.from('items').insert(item).select().single());
    must(await client.from('items').select().eq('user_id', user.id).order('created_at', { ascending: false }));
    must(await client.from('items').select().eq('qr_id', qrId));
    must(await client.from('profiles').select().eq('id', user.id).single());
    must(await visitor.rpc('find_item', { qr_id_param: qrId }));
    await visitor.rpc('get_qr_code_owner', { qr_id_param: qrId });
    await visitor.rpc('check_user_exists', { email_param: owner.email });
    const sticker = createTagCode();
    for (const qr_id_param of [sticker, createTagCode()]) {
      await client.rpc('attach_qr_code', { qr_id_param, item_id_param: id }).throwOnError();
    }
    must(await client.from('qr_codes').select('qr_id, claimed_at').or(`qr_id.eq.${qrId},stands_for.eq.${qrId}`));
    must(await visitor.rpc('find_item', { qr_id_param: sticker }));
    const [made] = must(await client.rpc('make_blank_codes', { count_param: 2 }));
    await client.from('measured_labels').insert(MEASURED_LABELS).throwOnError();
    must(await client.from('measured_labels').select().order('name'));
    await client.from('measured_labels').delete().eq('name', MEASURED_LABELS.name).throwOnError();
    await client.rpc('discard_blank_codes', { qr_ids_param: [made.qr_id] }).throwOnError();
    await server.request(`/${qrId}`);
    await server.request(`/item/${qrId}`);
    await server.request(`/item/${createTagCode()}`);

    const finder_key_param = `key-${randomBytes(24).toString('base64url')}`;
    must(await visitor.rpc('send_message', { qr_id_param: qrId, body_param: 'Found', finder_key_param }));
    const conversation = must(await client.from('conversations').select('id').eq('owner_id', user.id).single());
    must(await client.from('messages').select().eq('owner_id', user.id).order('created_at', { ascending: false }));
    await client.rpc('confirm_delivery').throwOnError();
    const { conversations } = must(await client.rpc('list_conversations'));
    const before = { before_newest_at_param: conversations[0].newest_at, before_id_param: conversations[0].id };
    must(await client.rpc('list_conversations', before));
    must(await client.rpc('item_news'));
    must(await client.from('messages').update({ read_at: new Date().toISOString() }).eq('item_id', id).select());
    must(await client.rpc('send_reply', { conversation_id_param: conversation.id, body_param: 'Thanks' }));
    const reported = { conversation_id_param: conversation.id, kind_param: 'other', body_param: 'Rude' };
    for (let time = 0; time < 2; time += 1) await client.rpc('report_finder', reported).throwOnError();
    expect(
      (await client.rpc('take_back_item', { item_id_param: id, conversation_id_param: conversation.id })).error,
    ).toBeNull();
    must(await visitor.rpc('read_conversation', { qr_id_param: qrId, finder_key_param }));
    await server.request(`/item/${qrId}`, { headers: { Cookie: `reunite_finder_key=${finder_key_param}` } });
    const [{ return_code }] = must(await client.rpc('list_return_codes', { item_id_param: id }));
    await postForm(server, `/item/${qrId}/back`, { return_code });
    await postForm(server, `/item/${sticker}/message`, { body: 'By the other sticker' });
    await client.rpc('detach_qr_code', { qr_id_param: qrId }).throwOnError();
    await server.request(`/item/${sticker}/contact`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'channel=call',
    });

    for (const [bucket, table, column, key] of [
      ['item-photos', 'items', 'photo', id],
      ['avatars', 'profiles', 'avatar', user.id],
    ] as const) {
      for (const picture of [aPictureName(), aPictureName()]) {
        must(await client.storage.from(bucket).upload(picture, await aPicture().jpeg().toBuffer()));
        must(
          await client
            .from(table)
            .update({ [column]: picture })
            .eq('id', key)
            .select(),
        );
      }
      const spare = aPictureName();
      must(await client.storage.from(bucket).upload(spare, await aPicture().jpeg().toBuffer()));
      must(await client.storage.from(bucket).remove([spare]));
      must(await client.storage.from(bucket).list());
    }
    must(await client.from('items').update({ item_name: 'Found keys' }).eq('id', id).select());

    await client.auth.refreshSession();
    await server.client().auth.signInWithPassword({ email: owner.email, password: owner.password });
    await server.client().auth.resetPasswordForEmail(owner.email);
    await server.client().auth.signInWithOtp({ email: owner.email, options: { shouldCreateUser: false } });
    must(await client.rpc('list_sessions'));
    must(await client.rpc('export_my_data'));
    must(await client.from('items').delete().eq('id', id).select());
    await client.auth.signOut();
  });
  expect(reads).toEqual([]);
});

test('emails to finders use an index on every table that grows', async () => {
  const owner = await registerOwner(server);
  const item = await createItem(database, owner.user);
  const reads = await readsOf(async () => {
    const written = await postForm(server, `/item/${item.qrId}/message`, { body: 'Found' });
    const headers = { Cookie: written.headers.get('set-cookie')?.split(';')[0] ?? '' };
    const form = `/item/${item.qrId}/email`;
    await postForm(server, form, { email: 'finder@example.net' }, { headers });
    await sendFinderEmails(database, WHILE_EXPLAINED);
    const { text } = await server.delivery.takeEmailTo('finder@example.net');
    const linkTo = (purpose: string) => new RegExp(`/replies/${purpose}/\\S+`).exec(text)?.[0] ?? 'missing';
    await postForm(server, linkTo('confirm'), {});
    const { data } = await owner.client.from('conversations').select('id').eq('item_id', item.id).single();
    must(await owner.client.rpc('send_reply', { conversation_id_param: data?.id, body_param: 'Thanks' }));
    await sendFinderEmails(database, WHILE_EXPLAINED);
    expect((await server.delivery.takeEmailTo('finder@example.net')).key).toMatch(/^reply:/);
    await server.request(`/item/${item.qrId}`, { headers });
    await server.request(form, { headers });
    await postForm(server, `${form}/remove`, {}, { headers });
    await postForm(server, linkTo('stop'), {});
  });
  expect(reads).toEqual([]);
});

test('what follows a message that stays unseen uses an index on every table that grows', async () => {
  const { client, user } = await registerOwner(server);
  const item = await createItem(database, user);
  await client.from('notice_settings').upsert({ user_id: user.id, sms: true }).throwOnError();
  const friend = anEmail();
  const named = { email_param: friend, phone_param: null, for_all_param: true };
  const invitation = await readsOf(async () => {
    await client.rpc('invite_second_contact', named).throwOnError();
    const { text } = await server.delivery.takeEmailTo(friend);
    await postForm(server, `${/\/contact\/[\w%-]{22,24}/.exec(text)?.[0]}/agree`, {});
  });
  expect(invitation).toEqual([]);
  await sendMessage(database, item);
  await expect.poll(() => jobsAtHand(database)).toEqual([]);
  expect(await stepsOf(database, item)).toHaveLength(2);
  const reads = await readsOf(async () => {
    await letTimePass(database, item, '2 days');
    await expect.poll(() => stepsOf(database, item)).toEqual([]);
    // The second contact's notice waits after the SMS.
    await letTimePass(database, item, '2 days');
    const { text } = await server.delivery.takeEmailTo(friend);
    const thread = /\/contact\/[\w%-]{22,24}/.exec(text)?.[0] ?? '';
    expect((await server.request(thread)).status).toBe(200);
    expect((await postForm(server, `${thread}/reply`, { body: 'Thanks' })).status).toBe(303);
    expect((await postForm(server, `${thread}/leave`, {})).status).toBe(303);
  });
  expect(reads).toEqual([]);
  expect(server.delivery.texts.filter(({ key }) => key?.startsWith('sms:'))).toHaveLength(1);
});

test('giving an item to another account uses an index on every table that grows', async () => {
  const [giver, receiver] = [await registerOwner(server), await registerOwner(server)];
  const prove =
    'update auth.users set email = claimed_email, claimed_email = null, email_confirmed_at = now() where id = $1';
  await database.query(prove, [receiver.user.id]);
  const item = await createItem(database, giver.user);
  await giver.client.rpc('attach_qr_code', { qr_id_param: createTagCode(), item_id_param: item.id }).throwOnError();
  await sendMessage(database, item);
  await database.query('update public.conversations set blocked_at = now() where item_id = $1', [item.id]);
  await expect.poll(() => jobsAtHand(database)).toEqual([]);
  const picture = aPictureName();
  must(await giver.client.storage.from('item-photos').upload(picture, await aPicture().jpeg().toBuffer()));
  await giver.client.from('items').update({ photo: picture }).eq('id', item.id).throwOnError();
  const reads = await readsOf(async () => {
    const make = { item_id_param: item.id, email_param: receiver.email };
    const declined = must(await giver.client.rpc('offer_item', make));
    await receiver.client.rpc('decline_offer', { offer_id_param: declined.id }).throwOnError();
    const { id } = must(await giver.client.rpc('offer_item', make));
    must(await giver.client.from('item_offers').select('id, email').eq('item_id', item.id).is('accepted_at', null));
    must(await receiver.client.rpc('list_transfers'));
    must(await receiver.client.rpc('accept_offer', { offer_id_param: id }));
    must(await giver.client.rpc('list_transfers'));
    const { given } = must(await giver.client.rpc('list_given_items'));
    const before = { before_given_at_param: given[0].given_at, before_id_param: given[0].id };
    must(await giver.client.rpc('list_given_items', before));
    must(await giver.client.rpc('find_given_item', { item_id_param: item.id }));
    must(await giver.client.rpc('export_my_data'));
    must(await receiver.client.rpc('export_my_data'));
    await receiver.client.rpc('delete_my_account').throwOnError();
    await giver.client.rpc('delete_given_item', { item_id_param: item.id }).throwOnError();
  });
  expect(reads).toEqual([]);
});

test('an email about codes that an operator voided uses an index on every table that grows', async () => {
  const { user, email } = await registerOwner(server);
  const prove =
    'update auth.users set email = claimed_email, claimed_email = null, email_confirmed_at = now() where id = $1';
  await database.query(prove, [user.id]);
  const { qrId } = await createItem(database, user);
  const key = `send_void_mail:${user.id}`;
  const waits = () => database.query('select from graphile_worker.jobs where key = $1', [key]);
  const reads = await readsOf(async () => {
    await server
      .client({ key: server.secrets.secretKey })
      .rpc('void_code', { qr_id_param: qrId, reason_param: 'Stolen', claimed_too: true })
      .throwOnError();
    expect(await waits()).toHaveLength(1);
    await database.query('update graphile_worker._private_jobs set run_at = now() where key = $1', [key]);
    await expect.poll(waits).toEqual([]);
  });
  expect(reads).toEqual([]);
  const mails = server.delivery.emails.filter(({ to, subject }) => to === email && subject.includes('no longer works'));
  expect(mails).toHaveLength(1);
});

test('a request to send the code of a change again uses an index on every table that grows [K5]', async () => {
  const { client } = await registerOwner(server);
  const [email, phone] = [anEmail(), aPhone()];
  expect((await client.auth.updateUser({ email })).error).toBeNull();
  expect((await client.auth.updateUser({ phone })).error).toBeNull();
  const reads = await readsOf(async () => {
    await server.client().auth.resend({ type: 'email_change', email });
    await server.client().auth.resend({ type: 'email_change', email: anEmail() });
    await server.client().auth.resend({ type: 'phone_change', phone });
  });
  expect(reads).toEqual([]);
});

test('a guess at a code on a device with a cookie uses an index on every table that grows [K5]', async () => {
  const { client, email } = await registerOwner(server, { phone: '' });
  const reads = await readsOf(async () => {
    const { error } = await client.auth.verifyOtp({ email, token: '000000', type: 'email' });
    expect(error?.code).toBe('otp_expired');
  });
  expect(reads).toEqual([]);
});

test('voiding a batch and giving up its codes uses an index on every table that grows', async () => {
  const operator = server.client({ key: server.secrets.secretKey });
  const { client, user } = await registerOwner(server);
  const [{ id }] = must(
    await operator.from('sticker_batches').insert({ label: 'Plans', issued_by: 'olga', size: 2 }).select(),
  );
  const codes = [createTagCode(), createTagCode()];
  await operator.rpc('issue_codes', { batch_id_param: id, first_place: 0, codes }).throwOnError();
  for (const qrId of codes) await createItem(database, user, { qrId });
  const reads = await readsOf(async () => {
    await operator.rpc('void_batch', { batch_id_param: id, reason_param: 'Stolen' }).throwOnError();
    await client.from('items').delete().eq('qr_id', codes[0]).throwOnError();
    await client.rpc('delete_my_account').throwOnError();
  });
  expect(reads).toEqual([]);
  expect(must(await operator.rpc('restore_batch', { batch_id_param: id }))).toBe(2);
});

test('deleting an account uses an index on every table that grows', async () => {
  const { client } = await registerOwner(server);
  expect(await readsOf(async () => void (await client.rpc('delete_my_account')))).toEqual([]);
});

test('what is removed by the clock is found by an index', async () => {
  const { user } = await registerOwner(server);
  await createItem(database, user);
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  const key = randomUUID();
  const files = {
    spool: { sweep: async () => 0 },
    blobs: {
      remove: async () => undefined,
      async *list() {
        yield { key, storedAt: 0 };
      },
    },
  } as unknown as typeof dependencies.files;
  await database.query(
    `insert into storage.objects (bucket_id, name, owner, created_at) values
       ('item-photos', repeat('a', 22) || '.webp', $1, now() - interval '2 days'),
       ('avatars', repeat('b', 22) || '.webp', $1, now() - interval '2 days')`,
    [user.id],
  );
  try {
    expect(
      await readsOf(async () => {
        await purgeExpired(dependencies);
        await sweepStorage({ ...dependencies, files });
      }),
    ).toEqual([]);
  } finally {
    await dependencies.database.close();
  }
  expect(await database.query('select name from storage.objects where owner = $1', [user.id])).toEqual([]);
});

test('a read of a whole table is found, inside a function too', async () => {
  await database.query(`
    create function public.item_called(called text) returns bigint language sql stable security definer
      set search_path = '' as 'select count(*) from public.items where description = called';
    grant execute on function public.item_called(text) to service_role`);
  const dependencies = dependenciesForJobs(database.address, catchDelivery());
  try {
    const reads = await readsOf(() =>
      dependencies.database.asService({ text: "select public.item_called('nothing') as found" }),
    );
    expect(reads).toEqual([expect.stringContaining('public.items')]);
  } finally {
    await dependencies.database.close();
  }
});
