import { expect, test } from 'vitest';
import { createPasswordHasher } from './password-hasher.ts';

const passwords = createPasswordHasher();

test('a hash has the parameters that OWASP names and a salt of its own', async () => {
  const [one, other] = await Promise.all([passwords.hash('correct horse'), passwords.hash('correct horse')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
  expect(await passwords.matches('correct horse', one)).toBe(true);
  expect(await passwords.matches('correct horsf', one)).toBe(false);
});

test('nobody has no password, not even an empty one, and costs as much as somebody', async () => {
  const phc = await passwords.hash('correct horse');
  const time = async (hash: string | null) => {
    const began = performance.now();
    expect(await passwords.matches('wrong', hash)).toBe(false);
    return performance.now() - began;
  };
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const [somebody, nobody]: number[][] = [[], []];
  for (let round = 0; round < 15; round += 1) {
    somebody?.push(await time(phc));
    nobody?.push(await time(null));
  }
  expect(await passwords.matches('', null)).toBe(false);
  const ratio = median(nobody ?? []) / median(somebody ?? []);
  expect(ratio).toBeGreaterThan(0.5);
  expect(ratio).toBeLessThan(2);
});

test('as many at once as it was told, a few that wait, and 503 with a time for the rest', async () => {
  const small = createPasswordHasher({ atOnce: 2, waiting: 3 });
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => small.hash('correct horse')));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  for (const outcome of outcomes.slice(5)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503, retryAfterSeconds: 2 } });
  }
  // Every place is free again.
  const again = await Promise.allSettled(Array.from({ length: 5 }, () => small.hash('correct horse')));
  expect(again.every(({ status }) => status === 'fulfilled')).toBe(true);
});

test('the event loop stays free while passwords are hashed', async () => {
  const work = Promise.all(Array.from({ length: 12 }, () => passwords.hash('correct horse')));
  let longest = 0;
  let last = performance.now();
  const ticking = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  await work;
  clearInterval(ticking);
  // One hash takes about 25 ms; all of them on the loop would be ten times that.
  expect(longest).toBeLessThan(150);
});
