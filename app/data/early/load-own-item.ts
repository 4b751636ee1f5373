import type { User } from '@supabase/supabase-js';
import { dataClient } from '#app/client/browser-client.ts';
import { loadAccountContactMethods, loadOpenings } from '../contact-methods.ts';
import { loadConversationStates } from '../conversation-states.ts';
import { findOwnItem } from '../items.ts';
import { loadMessages } from '../messages.ts';
import { loadReturnCodes } from '../return-codes.ts';
import { loadStickers } from '../stickers.ts';
import { loadMadeOffer } from '../transfers/made-offers.ts';
import { loadEarly } from './early-load.ts';
import { loadThreadView } from './load-thread-view.ts';

/** Returns what the page of the user's item with this code shows; null for any other code. Throws the service's error. */
async function loadOwnItem(_user: User, code: string) {
  const loadedAt = performance.now();
  const client = await dataClient();
  const item = await findOwnItem(client, code);
  if (item === null) return null;
  const [stickers, messages, conversations, returnCodes, openings, contactMethods, offer] = await Promise.all([
    loadStickers(client, item),
    loadMessages(client, item.id),
    loadConversationStates(client, item.id),
    // The conversations are worth showing without them.
    loadReturnCodes(client, item.id).catch(() => new Map<string, string>()),
    loadOpenings(client, item.id),
    loadAccountContactMethods(client, item.userId),
    loadMadeOffer(client, item.id),
  ]);
  if (messages.length > 0) await loadThreadView();
  return { item, stickers, messages, conversations, returnCodes, openings, contactMethods, offer, loadedAt };
}

/** Returns a function that loads what the page of the user's own item with this code shows. */
export const ownItemLoad = loadEarly((path) => /^\/item\/(tgt-[\w-]+)$/.exec(path)?.[1] ?? null, loadOwnItem);
