import * as v from 'valibot';
import type { GivenBefore } from '#app/data/transfers/given-items.ts';

const schema = v.object({ givenAt: v.pipe(v.string(), v.isoTimestamp()), id: v.pipe(v.string(), v.uuid()) });

/** Returns where the page of records at an address begins; null for the newest ones. */
export function givenBefore({ searchParams }: URL): GivenBefore | null {
  const asked = v.safeParse(schema, { givenAt: searchParams.get('before'), id: searchParams.get('id') });
  return asked.success ? asked.output : null;
}

/** The address of the page that begins there. */
export function addressOfEarlier({ givenAt, id }: GivenBefore): string {
  return `/given?${new URLSearchParams({ before: givenAt, id })}`;
}
