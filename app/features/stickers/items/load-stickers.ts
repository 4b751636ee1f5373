import type { User } from '@supabase/supabase-js';
import { dataClient } from '#app/client/browser-client.ts';
import { loadEarly } from '#app/data/early/early-load.ts';
import { loadOwnItems } from '#app/data/items.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { loadPart } from '#app/ui/load-part.ts';
import { loadBlankCodes } from '../blank/blank-codes.ts';
import { loadFurtherStickers, withStickers } from './item-stickers.ts';

/** Apart from the route, whose code every owner's browser fetches in advance. */
export const loadStickersScreen = loadOnce(async () => {
  const [{ StickersScreen }, { keptLook }] = await Promise.all([
    loadPart(() => import('../stickers-screen.tsx')),
    loadPart(() => import('../kept-look.ts')),
  ]);
  return { StickersScreen, keptLook };
});
const loadLabels = loadOnce(() => loadPart(() => import('../measured/saved-labels.ts')));

/** Returns what the screen of stickers shows. Throws the service's error. */
async function loadStickers(user: User) {
  // Fetched meanwhile. The screen's loader reports a failure.
  loadStickersScreen().catch(() => undefined);
  const client = await dataClient();
  const [items, further, blank, labels] = await Promise.all([
    loadOwnItems(client, user.id),
    loadFurtherStickers(client, user.id),
    loadBlankCodes(client),
    loadLabels().then(({ loadSavedLabels }) => loadSavedLabels(client)),
  ]);
  return { userId: user.id, items: withStickers(items, further), blank, labels };
}

/** Returns a function that loads what the screen of stickers shows. */
export const stickersLoad = loadEarly((path) => (path === '/stickers' ? path : null), loadStickers);
