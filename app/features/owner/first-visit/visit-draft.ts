import * as v from 'valibot';
import { onSessionEnd } from '#app/client/browser-client.ts';
import { readSessionStorage, writeSessionStorage } from '#app/client/browser-storage.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { ITEM_TYPES } from '#domain/item/item-catalogue.ts';

const schema = v.object({
  itemId: v.string(),
  type: v.optional(v.nullable(v.picklist([...ITEM_TYPES, 'custom']))),
  name: v.optional(v.string()),
  choice: v.optional(v.nullable(v.picklist(['messagesOnly', 'keepAll']))),
});

/** What was chosen and typed in the first visit of an item, and is not saved yet. Survives a reload of this tab. */
export type VisitDraft = v.InferOutput<typeof schema>;

const key = () => `${readPublicConfig().storagePrefix}_first_visit`;

export function readVisitDraft(itemId: string): VisitDraft {
  try {
    const parsed = v.safeParse(schema, JSON.parse(readSessionStorage(key()) ?? 'null'));
    if (parsed.success && parsed.output.itemId === itemId) return parsed.output;
  } catch {
    // As without one.
  }
  return { itemId };
}

/** Keeps parts of it, or removes them where they are undefined. */
export function keepVisitDraft(itemId: string, changed: { [Part in keyof VisitDraft]?: VisitDraft[Part] | undefined }) {
  forgetAtSignOut();
  writeSessionStorage(key(), JSON.stringify({ ...readVisitDraft(itemId), ...changed }));
}

let isWatching = false;

/** The next user of this tab must not see it. */
function forgetAtSignOut(): void {
  if (isWatching) return;
  isWatching = true;
  onSessionEnd(() => writeSessionStorage(key(), null));
}
