import type { Database } from '#server/postgres/database.ts';

/** Makes the profile of an item's owner again where it is missing. Every server then drops the page that lacked it. */
export async function repairOwnerProfile(database: Pick<Database, 'asService'>, code: string): Promise<void> {
  await database.asService({
    name: 'repair_profile_of_owner',
    text: 'select internal.repair_profile_of_owner($1)',
    values: [code],
  });
}
