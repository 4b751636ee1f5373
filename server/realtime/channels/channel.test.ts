import { expect, test } from 'vitest';
import { BroadcastFrames } from './broadcast-frames.ts';
import { Channel } from './channel.ts';
import { readJoinConfig } from './join-config.ts';
import { REALTIME_LIMITS } from './limits.ts';

function frames(id: string, payload = '{}'): BroadcastFrames {
  return new BroadcastFrames('realtime:room', {
    id,
    topic: 'room',
    isPrivate: true,
    event: 'shout',
    payload,
    metaJson: null,
    from: null,
  });
}

function joinWithReplay() {
  const config = readJoinConfig({ config: { private: true, broadcast: { replay: { since: 0 } } } });
  if (typeof config === 'string') throw new Error(config);
  const told: string[] = [];
  const channel = new Channel({
    id: 1,
    serverId: 'server',
    topic: 'realtime:room',
    joinRef: '1',
    config,
    ids: [],
    identity: { caller: { role: 'anon', claims: {} }, token: null },
    bytes: 0,
    checkedAt: 0,
    wire: { send: () => undefined, sendBroadcast: ({ id }) => void told.push(id) },
  });
  return { channel, told };
}

function failOnTooMany(): never {
  throw new Error('Too many are held.');
}

test('what is said while earlier broadcasts are read comes after them, and nothing comes twice', () => {
  const { channel, told } = joinWithReplay();
  channel.hold(failOnTooMany);
  channel.tell(frames('in both'));
  channel.tell(frames('meanwhile'));
  expect(told).toEqual([]);
  channel.release([frames('earlier'), frames('in both')]);
  channel.tell(frames('later'));
  expect(told).toEqual(['earlier', 'in both', 'meanwhile', 'later']);
});

test('a broadcast that the look-up saw first, and that arrives when it is over, is not told again', () => {
  const { channel, told } = joinWithReplay();
  channel.hold(failOnTooMany);
  channel.release([frames('early'), frames('seen first')]);
  channel.tell(frames('seen first'));
  channel.tell(frames('new'));
  expect(told).toEqual(['early', 'seen first', 'new']);
});

test.each([
  ['many small broadcasts', REALTIME_LIMITS.heldBroadcasts, '{}'],
  ['a few large ones', 2, 'x'.repeat((REALTIME_LIMITS.heldBroadcasts / 2) * REALTIME_LIMITS.broadcastUnitBytes)],
])('a channel holds %s, and ends with one more', (_case, most, payload) => {
  const { channel, told } = joinWithReplay();
  channel.hold(() => channel.end('phx_error'));
  for (let count = 0; count < most; count += 1) channel.tell(frames(`${count}`, payload));
  expect(channel.closed).toBe(false);
  channel.tell(frames('one more'));
  expect(channel.closed).toBe(true);
  expect(told).toEqual([]);
});
