import type { Item } from '#app/data/items.ts';
import { classNames } from '#app/ui/class-names.ts';
import { isolateName } from '#domain/isolate-name.ts';
import { PictureControls } from './picture-controls.tsx';
import { useItemPhoto } from './use-item-photo.ts';

interface ItemPhotoProps {
  readonly item: Item;
  /** Whether a photo can be replaced and removed. */
  readonly isEditing: boolean;
}

/** The photo of an item that finders see, at the top of a card, with controls to set, replace and remove it. */
export function ItemPhoto({ item, isEditing }: ItemPhotoProps) {
  const { shown, isArriving, controls } = useItemPhoto(item);
  const { texts } = controls;
  // What was begun stays in view.
  const isUnderWay = controls.upload.state.step !== 'idle' || controls.removing;
  const areOffered = item.photo === null || isEditing || isUnderWay;
  return (
    <>
      {shown !== null && (
        <div
          className={classNames(
            'relative -mx-5 -mt-5 aspect-4/3 overflow-hidden bg-sunken transition-opacity sm:-mx-7 sm:-mt-7',
            isArriving && 'opacity-60',
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
      {areOffered && (
        <div className="flex flex-col gap-3">
          <PictureControls {...controls} />
          <p className="text-ink-soft text-sm">{texts.hint}</p>
        </div>
      )}
    </>
  );
}
