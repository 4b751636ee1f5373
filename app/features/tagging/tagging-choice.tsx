import { useLanguage } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { taggingWords } from '#words/tagging.ts';

/** Where a sticker goes. */
export type Target = 'new' | 'existing';

interface TaggingChoiceProps {
  readonly chosen: Target;
  readonly onChange: (target: Target) => void;
}

/** Asks whether a sticker is for a new item. */
export function TaggingChoice({ chosen, onChange }: TaggingChoiceProps) {
  const { tagging } = taggingWords(useLanguage());
  return (
    <fieldset className="grid min-w-0 gap-2 sm:grid-cols-2">
      <legend className="sr-only">{tagging.targets.legend}</legend>
      {(['new', 'existing'] as const).map((target) => (
        <label
          key={target}
          className={classNames(
            'flex min-h-12 cursor-pointer items-center gap-3 rounded-md border px-4 py-2.5 font-semibold',
            'has-focus-visible:outline-3 has-focus-visible:outline-primary has-focus-visible:outline-offset-2',
            target === chosen
              ? 'border-primary bg-primary-soft forced-colors:border-4 forced-colors:border-[Highlight]'
              : 'border-line-strong bg-surface hover:border-primary',
          )}
        >
          <input
            type="radio"
            name="target"
            checked={target === chosen}
            onChange={() => onChange(target)}
            className="size-5 shrink-0 accent-primary"
          />
          {tagging.targets[target]}
        </label>
      ))}
    </fieldset>
  );
}
