export interface Grant {
  readonly grantee: string;
  readonly privilege: string;
  /** Null where the grant covers the whole object. */
  readonly columns: readonly string[] | null;
}

/** Returns one line per account: `grant select, update (a, b) on table public.items to authenticated;`. */
export function describeGrants(
  kind: 'table' | 'function' | 'schema',
  name: string,
  grants: readonly Grant[],
): string[] {
  const byGrantee = new Map<string, string[]>();
  for (const { grantee, privilege, columns } of grants) {
    const granted = columns === null ? privilege : `${privilege} (${columns.join(', ')})`;
    byGrantee.set(grantee, [...(byGrantee.get(grantee) ?? []), granted]);
  }
  return [...byGrantee].map(([grantee, granted]) => `grant ${granted.join(', ')} on ${kind} ${name} to ${grantee};`);
}
