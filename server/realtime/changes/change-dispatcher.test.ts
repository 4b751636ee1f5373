import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createChannel } from '#tests/support/create-channel.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { FanOut } from '../channels/fan-out.ts';
import { parseChange } from './change.ts';
import { ChangeDispatcher, type DispatcherOptions } from './change-dispatcher.ts';
import { Subscribers } from './subscribers.ts';
import type { Subscription } from './subscription.ts';

/** A subscription to every change of every table. */
const everyChange = (id: number): Subscription => ({
  id,
  event: '*',
  schema: '*',
  table: '*',
  filter: [],
  filterText: '',
  prefilter: () => true,
  select: null,
});

/**
 * Dispatches a change of a table that one channel subscribes to; resolves with the channels that are to reload.
 */
async function channelsLostBy(describe: DispatcherOptions['tables']['describe']): Promise<unknown[]> {
  const subscribers = new Subscribers();
  subscribers.add(createChannel(), [everyChange(2)]);
  const lost: unknown[] = [];
  const described = Promise.withResolvers<void>();
  const dispatcher = new ChangeDispatcher({
    // No statement is made where a table is not described.
    database: {} as DispatcherOptions['database'],
    tables: {
      describe: (...table) => {
        described.resolve();
        return describe(...table);
      },
    },
    subscribers,
    fanOut: new FanOut(),
    log: quietLog,
    onLost: (channels) => lost.push(channels === null ? 'all' : [...channels].map(({ id }) => id)),
  });
  const change = parseChange(
    '{"schema":"public","table":"hidden","type":"INSERT","at":"2026-01-02T03:04:05.678Z","record":{"id":1}}',
  );
  if (change === null) throw new Error('The change is none.');
  dispatcher.take(change);
  await described.promise;
  await turn();
  return lost;
}

test('a change of a table that its subscribers may not read makes no channel read again', async () => {
  expect(await channelsLostBy(async () => null)).toEqual([]);
});

test('a change whose check failed makes the channels concerned read again', async () => {
  expect(await channelsLostBy(() => Promise.reject(new Error('The database is away.')))).toEqual([[1]]);
});

test('of several tokens of one account the newest decides, once [K50]', async () => {
  const subscribers = new Subscribers();
  const delivered: number[] = [];
  for (const id of [1, 3, 2]) {
    const wire = { send: () => delivered.push(id) };
    subscribers.add(createChannel({ id, userId: 'dana', claims: { iat: id }, wire }), [everyChange(id)]);
  }
  const callers: unknown[] = [];
  const key = { name: 'id', identifier: 'id', type: 'int8', cast: 'bigint', exact: true, key: true, readable: true };
  const table = { schema: 'public', table: 'own', captured: true, identifier: 'public.own', alias: 'own' };
  const dispatcher = new ChangeDispatcher({
    // The one method that a decision calls.
    database: {
      asCaller: async (caller: unknown) => {
        callers.push(caller);
        return { rows: [{ passing: [true], old_visible: false }] };
      },
    } as unknown as DispatcherOptions['database'],
    tables: {
      describe: async () => ({ ...table, rowSecurity: true, visible: 'owned', oldValues: false, columns: [key] }),
    },
    subscribers,
    fanOut: new FanOut(),
    log: quietLog,
    onLost: () => delivered.push(0),
  });
  const change = parseChange(
    '{"schema":"public","table":"own","type":"INSERT","at":"2026-01-02T03:04:05.678Z","record":{"id":1}}',
  );
  if (change === null) throw new Error('The change is none.');
  dispatcher.take(change);
  await expect.poll(() => delivered.length).toBe(3);
  expect(callers).toEqual([{ role: 'authenticated', claims: { sub: 'dana', iat: 3 } }]);
});

test('a change is written within the time budget of each turn, and the next change after it', async () => {
  const subscribers = new Subscribers();
  const delivered: string[] = [];
  let now = 0;
  for (let id = 0; id < 3; id += 1) {
    const send = (_: unknown, payload: string) => {
      // Writing takes a millisecond of a clock that nothing else moves.
      now += 1;
      delivered.push(`${JSON.parse(payload).data.record.id} to ${id}`);
    };
    subscribers.add(createChannel({ id, wire: { send } }), [everyChange(id)]);
  }
  const dispatcher = new ChangeDispatcher({
    // Nor is one where every row may be read.
    database: {} as DispatcherOptions['database'],
    tables: {
      describe: async () => ({
        schema: 'public',
        table: 'open',
        captured: true,
        identifier: 'public.open',
        alias: 'open',
        rowSecurity: false,
        visible: null,
        oldValues: false,
        columns: [
          { name: 'id', identifier: 'id', type: 'int8', cast: 'bigint', exact: true, key: true, readable: true },
        ],
      }),
    },
    subscribers,
    fanOut: new FanOut({ budgetMs: 1, now: () => now }),
    log: quietLog,
    onLost: () => delivered.push('lost'),
  });
  for (const id of [1, 2]) {
    const change = parseChange(
      `{"schema":"public","table":"open","type":"INSERT","at":"2026-01-02T03:04:05.678Z","record":{"id":${id}}}`,
    );
    if (change === null) throw new Error('The change is none.');
    dispatcher.take(change);
  }
  const seen: number[] = [];
  for (let turns = 0; turns < 20 && delivered.length < 6; turns += 1) {
    seen.push(delivered.length);
    await turn();
  }
  expect(delivered).toEqual(['1 to 0', '1 to 1', '1 to 2', '2 to 0', '2 to 1', '2 to 2']);
  // One of each turn.
  expect(new Set(seen)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
});
