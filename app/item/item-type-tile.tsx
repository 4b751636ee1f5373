import { classNames } from '#app/ui/class-names.ts';
import type { TaggingForm } from '#domain/item/describe-tagging.ts';
import { ItemIcon } from './item-icon.tsx';

interface ItemTypeTileProps {
  readonly type: NonNullable<TaggingForm['chosen']>;
  readonly name: string;
  readonly chosen: boolean;
  readonly onChoose: () => void;
  /** Its size and its text. */
  readonly look: string;
  /** How much of it the radio button covers. */
  readonly cover: string;
  /** In pixels. */
  readonly iconSize: number;
  readonly nameLook?: string;
}

/** A type of the catalogue: a radio button styled as a tile. */
export function ItemTypeTile(props: ItemTypeTileProps) {
  const { type, name, chosen, onChoose, look, cover, iconSize, nameLook } = props;
  return (
    <label
      className={classNames(
        'relative flex cursor-pointer items-center justify-center rounded-md border text-center transition-[border-color,background-color]',
        'has-focus-visible:outline-3 has-focus-visible:outline-primary has-focus-visible:outline-offset-2',
        look,
        chosen
          ? 'border-primary bg-primary text-on-primary forced-colors:border-4 forced-colors:border-[Highlight]'
          : 'border-line-strong bg-surface hover:border-primary hover:text-primary',
      )}
    >
      <input
        type="radio"
        name="item-type"
        value={type}
        checked={chosen}
        onChange={onChoose}
        className={classNames('absolute start-0 top-0 cursor-pointer opacity-0', cover)}
      />
      <ItemIcon type={type} size={iconSize} />
      <span className={classNames('max-w-full leading-tight', nameLook)}>{name}</span>
    </label>
  );
}
