import { expect, test } from 'vitest';
import { createChannel } from '#tests/support/create-channel.ts';
import { BroadcastFrames } from '../broadcast/broadcast-frames.ts';
import { REALTIME_LIMITS } from '../limits.ts';

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
  const delivered: string[] = [];
  const channel = createChannel({
    join: { config: { private: true, broadcast: { replay: { since: 0 } } } },
    wire: { sendBroadcast: ({ id }) => void delivered.push(id) },
  });
  return { channel, delivered };
}

function failOnTooMany(): never {
  throw new Error('Too many are held.');
}

test('broadcasts that arrive during a replay follow it, and none is delivered twice', () => {
  const { channel, delivered } = joinWithReplay();
  channel.hold(failOnTooMany);
  channel.deliver(frames('in both'));
  channel.deliver(frames('meanwhile'));
  expect(delivered).toEqual([]);
  channel.release([frames('earlier'), frames('in both')]);
  channel.deliver(frames('later'));
  expect(delivered).toEqual(['earlier', 'in both', 'meanwhile', 'later']);
});

test('a broadcast that the replay already delivered is not delivered again', () => {
  const { channel, delivered } = joinWithReplay();
  channel.hold(failOnTooMany);
  channel.release([frames('early'), frames('seen first')]);
  channel.deliver(frames('seen first'));
  channel.deliver(frames('new'));
  expect(delivered).toEqual(['early', 'seen first', 'new']);
});

test.each([
  ['many small broadcasts', REALTIME_LIMITS.heldBroadcasts, '{}'],
  ['a few large ones', 2, 'x'.repeat((REALTIME_LIMITS.heldBroadcasts / 2) * REALTIME_LIMITS.broadcastUnitBytes)],
])('a channel holds %s, and ends with one more', (_case, most, payload) => {
  const { channel, delivered } = joinWithReplay();
  channel.hold(() => channel.end('phx_error'));
  for (let count = 0; count < most; count += 1) channel.deliver(frames(`${count}`, payload));
  expect(channel.closed).toBe(false);
  channel.deliver(frames('one more'));
  expect(channel.closed).toBe(true);
  expect(delivered).toEqual([]);
});
