import { access, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BenchmarkDatabase, startDatabase } from '../start-database.ts';
import { addMessages } from './add-messages.ts';
import { addPhotos } from './add-photos.ts';
import { addItems } from './seed-items.ts';

export interface SeededSize {
  readonly items: number;
  readonly owners: number;
}

/** Nothing is lost that could not be seeded again, and 10,000,000 items take minutes in place of an hour. */
const WITHOUT_DURABILITY = {
  fsync: 'off',
  full_page_writes: 'off',
  max_wal_size: '32GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
};

/**
 * Starts a database of so many items, each with a photo and a message, in this folder. It is seeded where it has not been
 * completely before. The folder stays. `settings` are PostgreSQL's, in addition to those of the product.
 */
export async function openSeeded(
  folder: string,
  { items, owners }: SeededSize,
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchmarkDatabase> {
  const done = join(folder, 'seeded');
  const isSeeded = await access(done).then(
    () => true,
    () => false,
  );
  if (!isSeeded) {
    await rm(folder, { recursive: true, force: true });
    console.log(`Seeding ${items.toLocaleString('en')} items with photos and messages …`);
    const { address, stop } = await startDatabase({ kept: folder, settings: WITHOUT_DURABILITY });
    await addItems(address, items, { owners, photos: true });
    await addMessages(address);
    await addPhotos(address);
    await stop();
    await writeFile(done, '');
  }
  return startDatabase({ kept: folder, settings });
}
