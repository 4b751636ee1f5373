import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { withBrowserClient } from '#app/client/browser-client.ts';
import { type Item, saveItem } from '#app/data/items.ts';
import { photoAddress } from '#app/item/photo-address.ts';
import { retryUntilOnline } from '#app/resilience/retry-until-online.ts';
import { announce } from '#app/ui/notice/announcer.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { usePhotoTexts } from './use-photo-texts.ts';
import { PictureRefused, usePictureUpload } from './use-picture-upload.ts';

/** The photo of an item, and what sets and removes it. `shown` is its address, also of one that is being uploaded. */
export function useItemPhoto(item: Item) {
  const photos = usePhotoTexts();
  const texts = photos.item;
  const { revalidate } = useRevalidator();
  const [removing, setRemoving] = useState(false);
  const [unreached, setUnreached] = useState(false);
  const save = async (photo: string | null, signal?: AbortSignal) => {
    const outcome = await retryUntilOnline(
      withBrowserClient(async (client) => (signal?.aborted ? 'refused' : saveItem(client, item.id, { photo }))),
      () => setUnreached(signal?.aborted !== true),
    );
    setUnreached(false);
    return outcome === 'saved';
  };
  const upload = usePictureUpload('item-photos', async (name, signal) => {
    if (!(await save(name, signal))) throw new PictureRefused();
    await revalidate();
    announce(texts.saved);
  });

  const remove = async () => {
    setRemoving(true);
    const isRemoved = await save(null);
    if (isRemoved) await revalidate();
    if (isRemoved) announce(texts.removed);
    else showToast('failure', photos.removeFailed);
    setRemoving(false);
  };

  const arriving = upload.state.step === 'uploading' ? upload.state.preview : null;
  const shown = arriving ?? (item.photo === null ? null : photoAddress(item.photo));
  const controls = {
    upload,
    texts,
    hasPicture: item.photo !== null,
    removing,
    unreached,
    onRemove: () => void remove(),
  };
  return { shown, isArriving: arriving !== null, controls };
}
