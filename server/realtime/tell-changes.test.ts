import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { quietLog } from '#tests/support/quiet-log.ts';
import { parseChange } from './change.ts';
import { Channel } from './channel.ts';
import { readJoinConfig } from './join-config.ts';
import { Subscribers } from './subscribers.ts';
import { ChangeTeller, type TellerOptions } from './tell-changes.ts';

/** Takes a change of a table that one channel listens to; resolves with the channels that were to read again. */
async function channelsLostBy(describe: TellerOptions['tables']['describe']): Promise<unknown[]> {
  const subscribers = new Subscribers();
  const config = readJoinConfig({});
  if (typeof config === 'string') throw new Error(config);
  const channel = new Channel({
    id: 1,
    serverId: 'server',
    topic: 'realtime:everything',
    joinRef: '1',
    config,
    ids: [],
    identity: { caller: { role: 'anon', claims: {} }, token: null },
    bytes: 0,
    checkedAt: 0,
    wire: { send: () => undefined, sendBroadcast: () => undefined },
  });
  subscribers.add(channel, [
    {
      id: 2,
      event: '*',
      schema: '*',
      table: '*',
      filter: [],
      filterText: '',
      prefilter: () => true,
      select: null,
    },
  ]);
  const lost: unknown[] = [];
  const described = Promise.withResolvers<void>();
  const teller = new ChangeTeller({
    // No statement is made where a table is not described.
    database: {} as TellerOptions['database'],
    tables: {
      describe: (...table) => {
        described.resolve();
        return describe(...table);
      },
    },
    subscribers,
    log: quietLog,
    onLost: (channels) => lost.push(channels === null ? 'all' : [...channels].map(({ id }) => id)),
  });
  const change = parseChange(
    '{"schema":"public","table":"hidden","type":"INSERT","at":"2026-01-02T03:04:05.678Z","record":{"id":1}}',
  );
  if (change === null) throw new Error('The change is none.');
  teller.take(change);
  await described.promise;
  await turn();
  return lost;
}

test('a change of a table that its subscribers may not read makes no channel read again', async () => {
  expect(await channelsLostBy(async () => null)).toEqual([]);
});

test('a change that could not be decided makes the channels that it concerns read again', async () => {
  expect(await channelsLostBy(() => Promise.reject(new Error('The database is away.')))).toEqual([[1]]);
});
