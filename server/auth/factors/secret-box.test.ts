import { expect, test } from 'vitest';
import { createSecretBox } from './secret-box.ts';

const box = createSecretBox('a secret of at least 32 characters');
const plain = Buffer.from('twenty bytes of TOTP');

test('what was sealed opens again, and is different every time', () => {
  const [first, second] = [box.seal(plain, 'factor 1'), box.seal(plain, 'factor 1')];
  expect(box.open(first, 'factor 1')).toEqual(plain);
  expect(first).not.toEqual(second);
  expect(first.includes(plain)).toBe(false);
});

test('it does not open for another row, with another secret, or with a bit changed', () => {
  const sealed = box.seal(plain, 'factor 1');
  expect(() => box.open(sealed, 'factor 2')).toThrow();
  expect(() => createSecretBox('another secret of 32 characters..').open(sealed, 'factor 1')).toThrow();
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(() => box.open(changed, 'factor 1')).toThrow();
  }
});
