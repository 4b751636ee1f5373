import { useState } from 'react';
import { loadOnce } from '#app/ui/load-once.ts';
import { loadPart } from '#app/ui/load-part.ts';
import { useShortcut } from '#app/ui/use-shortcut.ts';

type List = typeof import('./shortcut-list.tsx').ShortcutList;

const loadList = loadOnce(async () => (await loadPart(() => import('./shortcut-list.tsx'))).ShortcutList);

/** The list of keyboard shortcuts, under `?`. Few look at it, so it is loaded then. */
export function Shortcuts() {
  const [List, setList] = useState<List | null>(null);
  useShortcut('?', () => {
    // What a press cannot show now, the next one may.
    loadList().then(
      (loaded) => setList(() => loaded),
      () => {},
    );
  });
  return List !== null && <List onClose={() => setList(null)} />;
}
