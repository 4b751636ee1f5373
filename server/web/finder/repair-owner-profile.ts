import type { Database } from '#server/postgres/database.ts';

/** Recreates the missing profile of an item's owner. A notification then makes every server drop the cached page. */
export async function repairOwnerProfile(database: Pick<Database, 'asService'>, code: string): Promise<void> {
  await database.asService({
    name: 'repair_profile_of_owner',
    text: 'select internal.repair_profile_of_owner($1)',
    values: [code],
  });
}
