import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { browserClient } from '#app/lib/browser-client.ts';
import { type Item, setItemPhoto } from '#app/lib/items.ts';
import { photoAddress } from '#app/lib/photo-address.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Card } from '#app/ui/card.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { showToast } from '#app/ui/toasts.tsx';
import { PictureControls } from './picture-controls.tsx';
import { usePictureUpload } from './use-picture-upload.ts';

/** The photo that finders of an item see, for its owner to take, replace and remove. */
export function ItemPhoto({ item }: { readonly item: Item }) {
  const { photos } = useMessages();
  const texts = photos.item;
  const { revalidate } = useRevalidator();
  const [removing, setRemoving] = useState(false);
  const upload = usePictureUpload('item-photos', async (name) => {
    await setItemPhoto(await browserClient(), item.id, name);
    await revalidate();
    showToast('success', texts.saved);
  });

  const remove = async () => {
    setRemoving(true);
    try {
      await setItemPhoto(await browserClient(), item.id, null);
      await revalidate();
      showToast('success', texts.removed);
    } catch {
      showToast('failure', photos.removeFailed);
    }
    setRemoving(false);
  };

  const arriving = upload.state.step === 'uploading' ? upload.state.preview : null;
  const shown = arriving ?? (item.photo === null ? null : photoAddress(item.photo));
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="font-bold text-xl">{texts.title}</h2>
      {shown !== null && (
        <img
          src={shown}
          alt={texts.of(item.itemName)}
          width={640}
          height={480}
          decoding="async"
          className={classNames(
            'aspect-4/3 w-full rounded-lg bg-sunken object-contain transition-opacity',
            arriving !== null && 'opacity-60',
          )}
        />
      )}
      <p className="text-ink-soft text-sm">{texts.hint}</p>
      <PictureControls
        upload={upload}
        texts={texts}
        hasPicture={item.photo !== null}
        removing={removing}
        onRemove={() => void remove()}
      />
    </Card>
  );
}
