import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { loadSecrets } from '#server/start/secrets.ts';
import { aPicture, aPictureName } from '#tests/contract/storage/support/pictures.ts';
import { anEmail, aPhone } from '#tests/support/factories/contact-details.ts';
import { createTagCode } from '#tests/support/factories/create-tag-code.ts';
import { rounds } from '#tests/support/long-runs.ts';
import { preparedFolder } from '#tests/support/prepared-data/prepared-data.ts';
import { queryDatabase } from '#tests/support/query-database.ts';
import { startServiceProcess } from '#tests/support/service-process.ts';
import { whenDone } from '#tests/support/when-done.ts';

const WORKERS = 4;

/** What the service has acknowledged of one account. */
interface Life {
  readonly id: string;
  readonly itemId: string;
  photo: string | null;
  phone: string;
  /** A change that had no response when the server died may have been made or not. */
  underWay: 'photo' | 'phone' | 'deletion' | null;
  isDeleted: boolean;
}

test('kill -9 while photos are replaced, proved numbers change, and accounts are deleted leaves each as before or as after [K52]', async () => {
  const dataDirectory = await preparedFolder();
  const { secretKey, publishableKey } = await loadSecrets(readConfig({ DATA_DIRECTORY: dataDirectory }));
  const picture = await aPicture().jpeg().toBuffer();
  const lives: Life[] = [];
  let service = await startServiceProcess({ dataDirectory });
  whenDone(() => service.end('SIGKILL'));
  const open = (key: string) =>
    createClient(service.url, key, { auth: { persistSession: false, autoRefreshToken: false } });

  let changesUnderWay = 0;
  /**
   * Begins an account, and changes it until it is deleted; `changing` is called after each request was sent. Returns
   * false where the server went away.
   */
  async function live(changing: () => void): Promise<boolean> {
    const account = { email: anEmail(), password: 'correct horse', phone: aPhone() };
    const { data } = await open(secretKey).auth.admin.createUser({
      ...account,
      email_confirm: true,
      phone_confirm: true,
      user_metadata: { phone: account.phone },
    });
    const client = open(publishableKey);
    if (data.user === null || (await client.auth.signInWithPassword(account)).error !== null) return false;
    const row = { qr_id: createTagCode(), user_id: data.user.id, item_type: 'keys', item_name: 'Keys' };
    const item = await client.from('items').insert(row).select('id').single();
    if (item.data === null) return false;
    const life: Life = {
      id: data.user.id,
      itemId: item.data.id,
      photo: null,
      phone: account.phone,
      underWay: null,
      isDeleted: false,
    };
    lives.push(life);
    for (const change of [replacePhoto, replacePhoto, changePhone, deleteAccount]) {
      changesUnderWay += 1;
      const changed = change(client, life).finally(() => {
        changesUnderWay -= 1;
      });
      changing();
      if (!(await changed)) return false;
      life.underWay = null;
    }
    return true;
  }

  async function replacePhoto(client: SupabaseClient, life: Life): Promise<boolean> {
    life.underWay = 'photo';
    const name = aPictureName();
    const sent = await client.storage.from('item-photos').upload(name, picture, { contentType: 'image/jpeg' });
    if (sent.error !== null) return false;
    if ((await client.from('items').update({ photo: name }).eq('id', life.itemId)).error !== null) return false;
    life.photo = name;
    return true;
  }

  async function changePhone(client: SupabaseClient, life: Life): Promise<boolean> {
    life.underWay = 'phone';
    const phone = aPhone();
    if ((await client.auth.updateUser({ phone })).error !== null) return false;
    const shown = await fetch(`${service.url}/dev/outbox`).then(
      (response) => response.text(),
      () => '',
    );
    const token = new RegExp(`${phone.slice(1)}[^]*?\\b(\\d{6})\\b`).exec(shown)?.[1] ?? '';
    if ((await client.auth.verifyOtp({ phone, token, type: 'phone_change' })).error !== null) return false;
    life.phone = phone;
    return true;
  }

  async function deleteAccount(client: SupabaseClient, life: Life): Promise<boolean> {
    life.underWay = 'deletion';
    if ((await client.rpc('delete_my_account')).error !== null) return false;
    life.isDeleted = true;
    return true;
  }

  for (const _ of rounds(1, 20)) {
    let killed: Promise<unknown> | undefined;
    const enough = lives.filter(({ isDeleted }) => isDeleted).length + 3;
    // Signing up takes longer than the changes, so the moment is chosen: one change was sent just now, and another before.
    const killInTheMidst = () => {
      if (changesUnderWay < 2 || lives.filter(({ isDeleted }) => isDeleted).length < enough) return;
      killed ??= service.end('SIGKILL');
    };
    const work = async () => {
      while (killed === undefined) await live(killInTheMidst).catch(() => false);
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    await killed;
    service = await startServiceProcess({ dataDirectory });
  }

  expect(lives.filter(({ underWay }) => underWay !== null).length, 'some were interrupted').toBeGreaterThan(0);
  for (const life of lives) {
    const [account] = await queryDatabase<{ phone: string; shown: string; photo: string | null }>(
      service,
      `select account.phone, profile.phone as shown, item.photo from auth.users as account
         left join public.profiles as profile using (id) left join public.items as item on item.user_id = account.id
         where account.id = $1`,
      [life.id],
    );
    if (life.isDeleted) expect(account).toBeUndefined();
    else if (life.underWay !== 'deletion') expect(account).toBeDefined();
    if (account === undefined) continue;
    if (life.underWay !== 'phone') expect(account.phone).toBe(life.phone.slice(1));
    expect(account.shown, 'the number in the profile is the proved one').toBe(`+${account.phone}`);
    if (life.underWay !== 'photo') expect(account.photo).toBe(life.photo);
    if (account.photo === null) continue;
    const photo = await fetch(`${service.url}/storage/v1/object/public/item-photos/${account.photo}`);
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/webp']);
  }
  // Of accounts that are gone nothing is left, and every object has its file.
  for (const [table, column] of [
    ['public.profiles', 'id'],
    ['public.items', 'user_id'],
    ['storage.objects', 'owner'],
    ['auth.identities', 'user_id'],
    ['auth.sessions', 'user_id'],
    ['public.qr_codes', 'owner_id'],
  ]) {
    expect(
      await queryDatabase(service, `select ${column} from ${table} where ${column} not in (select id from auth.users)`),
      table,
    ).toEqual([]);
  }
  expect(await service.end('SIGTERM')).toBe(0);
});
