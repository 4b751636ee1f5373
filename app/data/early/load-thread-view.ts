import type { ThreadView } from '#app/features/owner/threads/thread-view.tsx';
import { loadOnce } from '#app/ui/load-once.ts';
import { loadPart } from '#app/ui/load-part.ts';

let loaded: typeof ThreadView | null = null;

/** Loads what shows a conversation, once there are messages: most items never have one. */
export const loadThreadView = loadOnce(async () => {
  ({ ThreadView: loaded } = await loadPart(() => import('#app/features/owner/threads/thread-view.tsx')));
});

/** Returns what shows a conversation; null until it is loaded. */
export function loadedThreadView(): typeof ThreadView | null {
  return loaded;
}
