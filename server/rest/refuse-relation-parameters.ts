import { notEmbedded } from './errors.ts';
import type { Query } from './grammar/tree.ts';

/** `messages.order=…` speaks of a relation that the select list embeds; none can be embedded yet. Throws PGRST108. */
export function refuseRelationParameters({ relationParameters: [first] }: Query): void {
  if (first !== undefined) throw notEmbedded(first);
}
