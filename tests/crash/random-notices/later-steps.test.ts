import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { anEmail } from '#tests/support/factories/contact-details.ts';
import { createItem, type TestItem } from '#tests/support/factories/create-item.ts';
import { createOwner, type TestOwner } from '#tests/support/factories/create-owner.ts';
import { sendMessage } from '#tests/support/factories/send-message.ts';
import { seededRandom } from '#tests/support/seeded-random.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { letTimePass } from '#tests/support/unseen-notices.ts';
import { startReceivers } from './failing-receivers.ts';
import { startServers } from './killed-servers.ts';
import {
  type Act,
  AGAIN_AFTER_A_KILL,
  doAct,
  everyNoticeIsDone,
  FAILURES,
  FIRST_STEPS,
  LATER_STEPS,
} from './notices.ts';

/** Owners whose messages stay unseen. Each has two items: a day's limit of a second contact is ten notices. */
const OWNERS = 20;
/** What the owner does with one item each. */
const ACTS = ['reads', 'mutes', 'deletes', 'returns'] as const;
/** How long the notices of an item have until those of the next one are due, in milliseconds. */
const PACE_MS = 200;

/** Repeats a run: `SEED=123 npx vitest run --project long-runs tests/crash/random-notices`. */
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1e6));
const random = seededRandom(seed);

const database = await createTestDatabase();

test(`unseen messages are reminded of, and second contacts notified, while mail fails and servers are killed (seed ${seed})`, async () => {
  const receivers = await startReceivers(random);
  const unseen: Watched[] = [];
  for (let count = 0; count < OWNERS; count += 1) unseen.push(...(await createWatched([null, null])));
  const ended = await createWatched(ACTS);
  const servers = await startServers(database, receivers, random);
  for (const { item } of [...unseen, ...ended]) await sendMessage(database, item);
  await everyNoticeIsDone(database, FIRST_STEPS);

  receivers.forget();
  receivers.fail(FAILURES);
  for (const { act, item } of ended) await doAct(database, act, item);
  let isPassing = true;
  const killing = servers.killWhile(() => isPassing);
  const all = [...ended, ...unseen];
  for (const [place, { item }] of all.entries()) {
    await letTimePass(database, item, '25 hours');
    await pause(PACE_MS);
    await servers.keepPace((place + 1) / all.length);
  }
  isPassing = false;
  const kills = await killing;
  receivers.fail(0);
  await everyNoticeIsDone(database, LATER_STEPS);

  const counts = (watched: readonly Watched[]) =>
    watched.flatMap(({ item, owner, contact }) =>
      [owner.email, contact].map((recipient) => receivers.mailsAbout(item, recipient)),
    );
  const sent = counts(unseen);
  expect(sent).toHaveLength(2 * unseen.length);
  expect(sent.filter((times) => times === 0)).toEqual([]);
  // Again only where a kill came between the response and its record.
  expect(sent.reduce((sum, times) => sum + times - 1, 0)).toBeLessThanOrEqual(kills * AGAIN_AFTER_A_KILL);
  expect(counts(ended).filter((times) => times > 0)).toEqual([]);
  const taken = await database.query<{ item_id: string }>(
    'select item_id from public.conversations where reminded_at is not null and contacted_at is not null',
  );
  expect(new Set(taken.map(({ item_id: id }) => id))).toEqual(new Set(unseen.map(({ item }) => item.id)));
});

/** An item whose owner has a second contact for everything. */
interface Watched {
  readonly owner: TestOwner;
  /** An email address. */
  readonly contact: string;
  readonly item: TestItem;
  readonly act: Act | null;
}

/** One owner with an item for each act. */
async function createWatched(acts: readonly (Act | null)[]): Promise<Watched[]> {
  const owner = await createOwner(database);
  const contact = anEmail();
  await database.query(
    'insert into public.second_contacts (owner_id, email, for_all, agreed_at) values ($1, $2, true, now())',
    [owner.id, contact],
  );
  const watched: Watched[] = [];
  for (const act of acts) watched.push({ owner, contact, item: await createItem(database, owner), act });
  return watched;
}
