import { expect, it } from 'vitest';
import { createStaleIfError } from './stale-if-error.ts';

const fails = async () => {
  throw new Error('away');
};

it('gives what was loaded last while it cannot be loaded, to the same user and on the same screen alone', async () => {
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

it('keeps data for the user it was loaded for, where that is not the stored one', async () => {
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
