import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createChannel } from '#tests/support/create-channel.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { FanOut } from '../channels/fan-out.ts';
import { Topics } from '../channels/topics.ts';
import { Presences, type PresencesOptions } from './presences.ts';

const BOTH = { read: true, write: true };

test('a presence change is delivered within the time budget of each turn, and to the rest in later turns', async () => {
  const topics = new Topics();
  const delivered: number[] = [];
  let now = 0;
  for (let id = 0; id < 5; id += 1) {
    const send = () => {
      // Writing takes a millisecond of a clock that nothing else moves.
      now += 1;
      delivered.push(id);
    };
    const channel = createChannel({ id, join: { config: { presence: { enabled: true } } }, wire: { send } });
    channel.access = { broadcast: BOTH, presence: BOTH };
    topics.join(channel);
  }
  const presences = new Presences({
    // No statement is made for what a server announces.
    database: {} as PresencesOptions['database'],
    topics,
    fanOut: new FanOut({ budgetMs: 2, now: () => now }),
    log: quietLog,
    serverId: 'server',
    onLost: () => undefined,
  });
  presences.deliver('{"topic":"room","private":false,"key":"someone","joined":{"phx_ref":"1"}}');
  expect(delivered).toEqual([0, 1]);
  await turn();
  await turn();
  expect(delivered).toEqual([0, 1, 2, 3, 4]);
});
