import * as v from 'valibot';

/** The Network Information API, which Safari and Firefox do not have. */
const connectionSchema = v.object({
  saveData: v.optional(v.boolean(), false),
  effectiveType: v.optional(v.string(), '4g'),
});

/**
 * Whether the connection is good enough, and the user willing, to fetch what may be needed later. A browser that does not
 * tell counts as good.
 */
export function mayFetchAhead(): boolean {
  const connection = v.safeParse(connectionSchema, Reflect.get(navigator, 'connection'));
  return !connection.success || (!connection.output.saveData && connection.output.effectiveType === '4g');
}
