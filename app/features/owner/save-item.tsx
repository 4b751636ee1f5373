import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { withBrowserClient } from '#app/client/browser-client.ts';
import { type Item, type ItemChange, saveItem } from '#app/data/items.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { retryUntilOnline } from '#app/resilience/retry-until-online.ts';
import { Alert } from '#app/ui/notice/alert.tsx';

/** `waiting`: the service is unreachable, and saving is retried. */
export type SaveState = 'idle' | 'saving' | 'waiting' | 'refused';

/** Saves changes of an item, retries until the service responds, and then shows the saved item. */
export function useSaveItem(itemId: string) {
  const { revalidate } = useRevalidator();
  const [state, setState] = useState<SaveState>('idle');

  const save = async (change: ItemChange): Promise<boolean> => {
    setState('saving');
    const outcome = await retryUntilOnline(
      withBrowserClient((client) => saveItem(client, itemId, change)),
      () => setState('waiting'),
    );
    if (outcome === 'saved') await revalidate();
    setState(outcome === 'saved' ? 'idle' : 'refused');
    return outcome === 'saved';
  };

  return { save, state, isBusy: state === 'saving' || state === 'waiting' };
}

type Edited = Pick<Item, 'itemType' | 'itemName' | 'description' | 'noteToFinders'>;

/**
 * Returns what the owner changed since the form was opened. Other fields are omitted, because another device may have
 * changed them in the meantime.
 */
export function changesOf(before: Edited, now: Edited): ItemChange {
  return {
    ...(now.itemType !== before.itemType && { itemType: now.itemType }),
    ...(now.itemName !== before.itemName && { itemName: now.itemName }),
    ...(now.description !== before.description && { description: now.description }),
    ...(now.noteToFinders !== before.noteToFinders && { noteToFinders: now.noteToFinders }),
  };
}

/** The state of a change that was not saved at once. */
export function SaveStatus({ state }: { readonly state: SaveState }) {
  const { common, itemEditing } = useTexts();
  if (state === 'refused') return <Alert>{itemEditing.refused}</Alert>;
  if (state !== 'waiting') return null;
  return <Alert tone="warning">{navigator.onLine ? itemEditing.waiting : common.offline}</Alert>;
}
