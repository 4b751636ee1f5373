import { expect, test } from 'vitest';
import { FairQueue, QueueFull } from './fair-queue.ts';

/** A queue whose work ends on request, and the order in which it began. */
function setUp(mostWaiting: number) {
  const queue = new FairQueue({ mostWaiting });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (holder: string) =>
    queue.run(
      holder,
      () =>
        new Promise<void>((end) => {
          begun.push(holder);
          ends.push(end);
        }),
    );
  const endAll = async () => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await new Promise((turn) => setImmediate(turn));
    }
  };
  return { run, begun, endAll };
}

test('a holder with one piece waits for one of a holder with thirty', async () => {
  const { run, begun, endAll } = setUp(40);
  const all = Array.from({ length: 30 }, () => run('many'));
  all.push(run('one'));
  await endAll();
  await Promise.all(all);
  expect(begun.slice(0, 3)).toEqual(['many', 'one', 'many']);
  expect(begun).toHaveLength(31);
});

test('a full queue refuses the latest entry of the holder with the most, and of a holder that ties with another [K15]', async () => {
  const { run, begun, endAll } = setUp(3);
  const many = Array.from({ length: 4 }, () => run('many').then(() => 'done'));
  await expect(run('many')).rejects.toThrow(QueueFull);
  const one = run('one');
  await expect(many[3]).rejects.toThrow(QueueFull);
  await expect(run('one')).rejects.toThrow(QueueFull);
  await endAll();
  await Promise.all([...many.slice(0, 3), one]);
  expect(begun).toEqual(['many', 'one', 'many', 'many']);
});

test('a holder that has used no time goes before a crowd that has, and into a full queue [K22]', async () => {
  let time = 0;
  const queue = new FairQueue({ mostWaiting: 5, now: () => time });
  const order: string[] = [];
  const run = (holder: string, ms: number) =>
    queue.run(holder, async () => {
      await new Promise((turn) => setImmediate(turn));
      time += ms;
      order.push(holder);
    });
  for (let holder = 0; holder < 6; holder += 1) await run(`crowd ${holder}`, 1000);

  const crowd = Array.from({ length: 6 }, (_, holder) => run(`crowd ${holder}`, 1000));
  const refused = expect(crowd[5]).rejects.toThrow(QueueFull);
  await Promise.all([run('newcomer', 10), refused, ...crowd.filter((_, holder) => holder !== 5)]);
  expect(order.slice(6, 8)).toEqual(['crowd 0', 'newcomer']);
  expect(order).toHaveLength(12);
});

test('the recorded use of a holder fades with time [K22]', async () => {
  let time = 0;
  const queue = new FairQueue({ mostWaiting: 5, now: () => time });
  const order: string[] = [];
  const run = (holder: string, ms: number) =>
    queue.run(holder, async () => {
      await new Promise((turn) => setImmediate(turn));
      time += ms;
      order.push(holder);
    });
  await run('long ago', 1000);
  time += 600_000;
  await run('lately', 100);
  await Promise.all([run('first', 1), run('lately', 1), run('long ago', 1)]);
  expect(order).toEqual(['long ago', 'lately', 'first', 'long ago', 'lately']);
});

test('with several slots a holder with one piece still waits for only one turn of another', async () => {
  const queue = new FairQueue({ mostWaiting: 10, atOnce: 2 });
  const order: string[] = [];
  const run = (holder: string) =>
    queue.run(holder, async () => {
      order.push(holder);
      await new Promise((turn) => setImmediate(turn));
    });
  await Promise.all([...Array.from({ length: 6 }, () => run('many')), run('one'), run('other')]);
  expect(order.indexOf('one')).toBeLessThanOrEqual(3);
  expect(order.indexOf('other')).toBeLessThanOrEqual(4);
  expect(order).toHaveLength(8);
});

test('lanes take turns, and a full lane refuses no work in another [K21]', async () => {
  const queue = new FairQueue({ mostWaiting: 20 });
  const order: string[] = [];
  const run = (holder: string, lane: string) =>
    queue.run(
      holder,
      async () => {
        order.push(lane);
        await new Promise((turn) => setImmediate(turn));
      },
      lane,
    );
  const crowd = Array.from({ length: 21 }, (_, holder) => run(`${holder}`, 'strangers'));
  await expect(run('21', 'strangers')).rejects.toThrow(QueueFull);
  await Promise.all([...crowd, run('a', 'known'), run('b', 'known')]);
  expect(order.slice(0, 5).filter((lane) => lane === 'known')).toHaveLength(2);
  expect(order).toHaveLength(23);
});

test('failed work passes its turn on', async () => {
  const queue = new FairQueue({ mostWaiting: 1 });
  const failing = queue.run('a', () => Promise.reject(new Error('broken')));
  const next = queue.run('b', async () => 'done');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
});
