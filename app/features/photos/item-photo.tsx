import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { withBrowserClient } from '#app/client/browser-client.ts';
import { type Item, saveItem } from '#app/data/items.ts';
import { photoAddress } from '#app/item/photo-address.ts';
import { retryUntilOnline } from '#app/resilience/retry-until-online.ts';
import { Card } from '#app/ui/card.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { announce } from '#app/ui/notice/announcer.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { isolateName } from '#domain/isolate-name.ts';
import { PictureControls } from './picture-controls.tsx';
import { usePhotoTexts } from './use-photo-texts.ts';
import { PictureRefused, usePictureUpload } from './use-picture-upload.ts';

/** The photo of an item that finders see, with controls to set, replace and remove it. */
export function ItemPhoto({ item }: { readonly item: Item }) {
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
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="font-bold text-xl">{texts.title}</h2>
      {shown !== null && (
        <div
          className={classNames(
            'relative aspect-4/3 overflow-hidden rounded-lg bg-sunken transition-opacity',
            arriving !== null && 'opacity-60',
          )}
        >
          {/* A portrait photo is shown whole, in front of an enlarged copy of itself. */}
          <img
            src={shown}
            alt=""
            aria-hidden="true"
            decoding="async"
            className="absolute inset-0 size-full scale-150 object-cover opacity-80 blur-xl"
          />
          <img
            src={shown}
            alt={texts.of(isolateName(item.itemName))}
            width={640}
            height={480}
            decoding="async"
            className="relative size-full object-contain"
          />
        </div>
      )}
      <p className="text-ink-soft text-sm">{texts.hint}</p>
      <PictureControls
        upload={upload}
        texts={texts}
        hasPicture={item.photo !== null}
        removing={removing}
        unreached={unreached}
        onRemove={() => void remove()}
      />
    </Card>
  );
}
