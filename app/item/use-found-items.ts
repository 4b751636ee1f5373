import { useEffect, useState } from 'react';
import type { Item } from '#app/data/items.ts';
import { loadOnce } from '#app/ui/load-once.ts';
import { loadPart } from '#app/ui/load-part.ts';
import { findItems } from './find-items.ts';

/** For those who search: what derives the code on a sticker is larger than a list of items. */
const loadTypedCodes = loadOnce(() => loadPart(() => import('#domain/tag-code/derive-typed-code.ts')));

/** Returns the items that what is typed describes (`find-items.ts`). */
export function useFoundItems(items: readonly Item[], typed: string): readonly Item[] {
  const [codes, setCodes] = useState<Awaited<ReturnType<typeof loadTypedCodes>> | null>(null);
  const isSearching = typed !== '';
  useEffect(() => {
    // Names and descriptions are searched all the same. The next search tries again.
    if (isSearching) loadTypedCodes().then(setCodes, () => undefined);
  }, [isSearching]);
  return findItems(items, typed, codes?.typedCodeOf ?? null);
}
