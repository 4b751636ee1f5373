import { type ReactNode, useId } from 'react';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { SelectField, TextField } from '#app/ui/field/fields.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { LONGEST_OWN_LINE } from '#domain/stickers/line-text.ts';
import { CALL_LANGUAGES } from '#domain/texts/stickers/sticker-calls.ts';
import { LogoChoice } from './logo/logo-choice.tsx';
import { isTooLight, type StickerLook } from './sticker-look.ts';
import { useStickerTexts } from './use-sticker-texts.ts';

/** Dark enough for every camera. */
const COLORS = { black: '#000000', green: '#0b5d4d', blue: '#1746a2', purple: '#6b21a8', red: '#a3130c' } as const;

interface LookChoiceProps {
  readonly look: StickerLook;
  readonly onChange: (change: Partial<StickerLook>) => void;
  readonly call: string;
  readonly product: string;
  /** The characters of each text that no font has. */
  readonly unprintable: Readonly<Partial<Record<'own' | 'call' | 'product', readonly string[]>>>;
}

/** What is printed beside the QR code, and in which color. */
export function LookChoice({ look, onChange, call, product, unprintable }: LookChoiceProps) {
  const texts = useStickerTexts();
  const { language } = useTexts();
  const { tag } = useLanguage();
  const offered = [...(unprintable.call ?? []), ...(unprintable.product ?? [])];
  return (
    <div className="flex flex-col gap-4">
      <fieldset className="flex min-w-0 flex-col">
        <legend className="mb-1 text-ink-soft text-sm">{texts.looksText}</legend>
        <Check label={texts.call(call)} checked={look.hasCall} onChange={(hasCall) => onChange({ hasCall })} />
        {look.hasCall && (
          <SelectField
            label={language.link}
            value={look.callLanguage ?? tag}
            onChange={({ target }) => onChange({ callLanguage: target.value })}
          >
            {CALL_LANGUAGES.map((listed) => (
              <option key={listed.tag} value={listed.tag} lang={listed.tag} translate="no">
                {listed.name}
              </option>
            ))}
          </SelectField>
        )}
        <Check
          label={texts.typedCode}
          checked={look.hasTypedCode}
          onChange={(hasTypedCode) => onChange({ hasTypedCode })}
        />
        <Check
          label={<WithName of={texts.product} name={product} />}
          checked={look.hasProduct}
          onChange={(hasProduct) => onChange({ hasProduct })}
        />
        {offered.length > 0 && (
          <p role="alert" className="font-medium text-danger text-sm">
            {texts.unprintable(offered)}
          </p>
        )}
      </fieldset>
      <TextField
        label={texts.own}
        hint={texts.ownHint}
        error={unprintable.own && texts.unprintable(unprintable.own)}
        value={look.own}
        maxLength={LONGEST_OWN_LINE}
        autoComplete="off"
        enterKeyHint="done"
        onChange={({ target }) => onChange({ own: target.value })}
      />
      <LogoChoice logo={look.logo} onChange={(logo) => onChange({ logo })} />
      <ColorChoice look={look} onChange={onChange} />
    </div>
  );
}

interface CheckProps {
  readonly label: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 py-1">
      <input
        type="checkbox"
        checked={checked}
        onChange={() => onChange(!checked)}
        className="size-5 shrink-0 accent-primary"
      />
      <span>{label}</span>
    </label>
  );
}

function ColorChoice({ look, onChange }: Pick<LookChoiceProps, 'look' | 'onChange'>) {
  const texts = useStickerTexts();
  const problem = useId();
  const isListed = Object.values<string>(COLORS).includes(look.color);
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" aria-describedby={isTooLight(look) ? problem : undefined}>
      <legend className="mb-1.5 font-medium text-sm">{texts.color}</legend>
      <div className="flex flex-wrap gap-2">
        {Object.entries(COLORS).map(([name, color]) => (
          <label
            key={color}
            className={classNames(
              'relative flex min-h-11 cursor-pointer items-center gap-2 rounded-md border px-3 has-focus-visible:outline-3 has-focus-visible:outline-primary has-focus-visible:outline-offset-2',
              color === look.color ? 'border-primary bg-primary-soft' : 'border-line-strong hover:border-primary',
            )}
          >
            <input
              type="radio"
              name="color"
              checked={color === look.color}
              onChange={() => onChange({ color })}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            <span
              className="size-5 rounded-full border border-line-strong forced-color-adjust-none"
              style={{ backgroundColor: color }}
            />
            {/* The names are exactly the colors. */}
            {texts.colors[name as keyof typeof COLORS]}
          </label>
        ))}
        <label
          className={classNames(
            'flex min-h-11 cursor-pointer items-center gap-2 rounded-md border px-3 has-focus-visible:outline-3 has-focus-visible:outline-primary has-focus-visible:outline-offset-2',
            isListed ? 'border-line-strong hover:border-primary' : 'border-primary bg-primary-soft',
          )}
        >
          <input
            type="color"
            value={look.color}
            onChange={({ target }) => onChange({ color: target.value })}
            className="size-6 cursor-pointer rounded-full border-0 bg-transparent p-0"
          />
          {texts.ownColor}
        </label>
      </div>
      {isTooLight(look) && (
        <p id={problem} role="alert" className="font-medium text-danger text-sm">
          {texts.colorTooLight}
        </p>
      )}
    </fieldset>
  );
}
