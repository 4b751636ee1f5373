import { expect, test } from 'vitest';
import { waitForHost } from './host-budget.ts';

/** Limits that count, and allow so many to each key. */
function countingLimits(most: Readonly<Record<string, number>>) {
  const taken = new Map<string, number>();
  return {
    taken,
    async take(name: string, key: string) {
      const count = (taken.get(`${name} ${key}`) ?? 0) + 1;
      taken.set(`${name} ${key}`, count);
      const allowed = count <= (most[name] ?? 0);
      return allowed ? ({ allowed } as const) : ({ allowed, retryAfterSeconds: 3_600 } as const);
    },
  };
}

test('five accounts with names below one domain send it 500 requests, and one each an hour [K55]', async () => {
  const limits = countingLimits({ requests_per_host: 500, requests_per_host_and_owner: 1 });
  let sent = 0;
  for (let count = 0; count < 1_512; count += 1) {
    const request = { url: `https://h${count}.victim.example/hook`, user_id: `account ${count % 5}` };
    if ((await waitForHost(limits, request)) === 0) sent += 1;
  }
  expect(sent).toBe(505);
});

test.each([
  'https://fcm.googleapis.com/fcm/send/abc',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://sg2p.notify.windows.com/w/?token=abc',
])('the push service of %s is not counted', async (url) => {
  const limits = countingLimits({});
  expect(await waitForHost(limits, { url, user_id: 'an owner' })).toBe(0);
  expect(limits.taken.size).toBe(0);
});

test.each([
  ['https://fcm.googleapis.com.victim.example/', 'victim.example'],
  ['https://xnotify.windows.com/', 'windows.com'],
  ['https://203.0.113.7/hook', '203.0.113.7'],
  ['https://[2001:db8::7]/hook', '[2001:db8::7]'],
  ['http://ntfy.lan:8080/topic', 'ntfy.lan'],
])('%s counts for %s', async (url, host) => {
  const limits = countingLimits({ requests_per_host: 500 });
  await waitForHost(limits, { url, user_id: 'an owner' });
  expect([...limits.taken.keys()]).toEqual([`requests_per_host ${host}`]);
});
