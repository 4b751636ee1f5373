import { expect, test } from 'vitest';
import { parseChange } from './change.ts';
import { NotificationParts } from './notification-parts.ts';

const change = {
  schema: 'public',
  table: 'messages',
  type: 'INSERT',
  at: '2026-01-02T03:04:05.678901Z',
  record: { id: 1, body: '🔑'.repeat(3000) },
  old_record: null,
  large: false,
};

function partsOf(value: object, size = 5700): string[] {
  const bytes = Buffer.from(JSON.stringify(value));
  const count = Math.ceil(bytes.length / size);
  return Array.from(
    { length: count },
    (_, index) => `x#${index + 1}/${count}#${bytes.subarray(index * size, (index + 1) * size).toString('base64')}`,
  );
}

/** Reads as a server does. */
function createReader(): (payload: string) => ReturnType<typeof parseChange> {
  const parts = new NotificationParts();
  return (payload) => {
    const text = parts.read(payload);
    return text === null ? null : parseChange(text);
  };
}

test('a change in one piece and the same change in parts are equal', () => {
  const read = createReader();
  const whole = read(JSON.stringify(change));
  const parts = partsOf(change);
  expect(parts.length).toBeGreaterThan(1);
  const responses = parts.map((part) => read(part));
  expect(responses.slice(0, -1).every((response) => response === null)).toBe(true);
  expect(responses.at(-1)).toEqual(whole);
  expect(whole?.source).toBe(JSON.stringify(change));
  expect(whole).toMatchObject({ at: '2026-01-02T03:04:05.678Z', record: change.record, oldRecord: null });
});

test('a change whose first part was missed is skipped, and the next one is read', () => {
  const read = createReader();
  const [first, ...rest] = partsOf(change);
  expect(rest.map((part) => read(part))).toEqual(rest.map(() => null));
  expect([first, ...rest].map((part) => read(part ?? '')).at(-1)).toMatchObject({ table: 'messages' });
});

test.each(['', 'nonsense', '[]', '{}', '{"schema":"a","table":"b","type":"TRUNCATE","at":""}', 'a#9/1#'])(
  'the payload %j is no change',
  (payload) => {
    expect(createReader()(payload)).toBeNull();
  },
);
