import { expect, test } from 'vitest';
import { BroadcastFrames } from './broadcast-frames.ts';
import { Channel } from './channel.ts';
import { readJoinConfig } from './join-config.ts';

function frames(id: string): BroadcastFrames {
  return new BroadcastFrames('realtime:room', {
    id,
    topic: 'room',
    isPrivate: true,
    event: 'shout',
    payload: '{}',
    metaJson: null,
    from: null,
  });
}

test('what is said while earlier broadcasts are read comes after them, and nothing comes twice', () => {
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
    checkedAt: 0,
    wire: { send: () => undefined, sendBroadcast: ({ id }) => void told.push(id) },
  });
  channel.hold();
  channel.tell(frames('in both'));
  channel.tell(frames('meanwhile'));
  expect(told).toEqual([]);
  channel.release([frames('earlier'), frames('in both')]);
  channel.tell(frames('later'));
  expect(told).toEqual(['earlier', 'in both', 'meanwhile', 'later']);
});
