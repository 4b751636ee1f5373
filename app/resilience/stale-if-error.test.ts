import { expect, it } from 'vitest';
import { createStaleIfError } from './stale-if-error.ts';

const fails = async () => {
  throw new Error('away');
};

it('returns stale data while loading fails, only to the same user on the same screen', async () => {
  const load = createStaleIfError<{ userId: string | null; items: string[] }>();
  await expect(load('dana', 'items', fails)).rejects.toThrow('away');
  const loaded = await load('dana', 'items', async () => ({ userId: 'dana', items: ['keys'] }));
  expect(loaded).toEqual({ userId: 'dana', items: ['keys'], isStale: false, loadedAt: expect.any(Number) });
  // Content kept after a failure keeps its age.
  expect(await load('dana', 'items', fails)).toEqual({ ...loaded, isStale: true });
  await expect(load('dana', 'profile', fails)).rejects.toThrow('away');
  await expect(load('noa', 'items', fails)).rejects.toThrow('away');
  await expect(load(null, 'items', fails)).rejects.toThrow('away');
});

it('stores data under the user it was loaded for, even if another one is signed in now', async () => {
  const load = createStaleIfError<{ userId: string | null }>();
  // Noa signed in while this was loading.
  await load('dana', 'items', async () => ({ userId: 'noa' }));
  await expect(load('dana', 'items', fails)).rejects.toThrow('away');
  // A browser without storage.
  await load(null, 'items', async () => ({ userId: 'dana' }));
  await expect(load(null, 'items', fails)).rejects.toThrow('away');
});

it('lets a redirect through', async () => {
  const load = createStaleIfError<{ userId: string | null }>();
  await load('dana', 'items', async () => ({ userId: 'dana' }));
  const redirect = new Response(null, { status: 302 });
  const leads = async () => {
    throw redirect;
  };
  await expect(load('dana', 'items', leads)).rejects.toBe(redirect);
});
