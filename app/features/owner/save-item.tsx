import { useRef, useState } from 'react';
import { useRevalidator } from 'react-router';
import type { AppClient } from '#app/client/app-client.ts';
import { withBrowserClient } from '#app/client/browser-client.ts';
import { type Item, type ItemChange, type ItemSaveOutcome, saveItem } from '#app/data/items.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { retryUntilOnline, tryAgainNow } from '#app/resilience/retry-until-online.ts';
import { Alert } from '#app/ui/notice/alert.tsx';

/** `waiting`: the service is unreachable, and saving is retried. */
export type SaveState = 'idle' | 'saving' | 'waiting' | 'refused';

/** Makes changes of an item or of its conversations, retries until the service responds, and then shows the result. */
export function useSave() {
  const { revalidate } = useRevalidator();
  const [state, setState] = useState<SaveState>('idle');

  const running = useRef<AbortController | null>(null);

  const save = async (change: (client: AppClient) => Promise<ItemSaveOutcome>): Promise<boolean> => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setState('saving');
    const outcome = await retryUntilOnline(
      withBrowserClient(async (client) => (signal.aborted ? 'stopped' : change(client))),
      () => {
        if (!signal.aborted) setState('waiting');
      },
    );
    // Also where it was stopped during an attempt that succeeded all the same.
    if (outcome === 'saved') await revalidate();
    if (signal.aborted) return false;
    setState(outcome === 'saved' ? 'idle' : 'refused');
    return outcome === 'saved';
  };
  /** Retries no more; `save` then resolves with false. */
  const stop = () => {
    running.current?.abort();
    if (state === 'waiting') tryAgainNow();
    setState('idle');
  };

  return { save, stop, state, isBusy: state === 'saving' || state === 'waiting' };
}

/** As `useSave`, for changes of one item. */
export function useSaveItem(itemId: string) {
  const { save, ...rest } = useSave();
  return { ...rest, save: (change: ItemChange) => save((client) => saveItem(client, itemId, change)) };
}

type Edited = Pick<Item, 'itemType' | 'itemName' | 'description' | 'noteToFinders' | 'reward'>;

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
    ...(now.reward !== before.reward && { reward: now.reward }),
  };
}

/** The state of a change that was not saved at once. */
export function SaveStatus({ state }: { readonly state: SaveState }) {
  const { common, itemEditing } = useTexts();
  if (state === 'refused') return <Alert>{itemEditing.refused}</Alert>;
  if (state !== 'waiting') return null;
  return <Alert tone="warning">{navigator.onLine ? itemEditing.waiting : common.offline}</Alert>;
}
