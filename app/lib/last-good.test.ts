import { expect, it } from 'vitest';
import { rememberLastGood } from './last-good.ts';

const fails = async () => {
  throw new Error('away');
};

it('gives what was loaded last while it cannot be loaded, under the same key alone', async () => {
  const load = rememberLastGood<{ items: string[] }>();
  await expect(load('dana', fails)).rejects.toThrow('away');
  const loaded = await load('dana', async () => ({ items: ['keys'] }));
  expect(loaded).toEqual({ items: ['keys'], isStale: false, loadedAt: expect.any(Number) });
  // What is shown as it was is as old as it was.
  expect(await load('dana', fails)).toEqual({ ...loaded, isStale: true });
  await expect(load('noa', fails)).rejects.toThrow('away');
});

it('lets a redirect through', async () => {
  const load = rememberLastGood<object>();
  await load('dana', async () => ({}));
  const redirect = new Response(null, { status: 302 });
  const leads = async () => {
    throw redirect;
  };
  await expect(load('dana', leads)).rejects.toBe(redirect);
});
