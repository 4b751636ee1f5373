import { Button } from '#app/ui/button.tsx';
import type { FinderViewLanguage } from '#domain/finder-language.ts';
import { FinderNotice } from './finder-notice.tsx';

export interface UnconfirmedFormProps {
  readonly language: FinderViewLanguage;
  /** What the form contained: names and values. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Whether a photo came with it, which has to be chosen again. */
  readonly hasPhoto: boolean;
}

/** Says that it is not known whether a form arrived, and sends the same to the same address again. */
export function UnconfirmedForm({ language, fields, hasPhoto }: UnconfirmedFormProps) {
  const { common, finder } = language.texts;
  return (
    <FinderNotice title={finder.unconfirmedTitle} text={finder.unconfirmedText}>
      <form
        method="post"
        encType={hasPhoto ? 'multipart/form-data' : undefined}
        className="flex flex-col items-center gap-4"
      >
        {fields.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {hasPhoto && (
          <label className="text-sm">
            {language.texts.messagePhoto.add}
            <input type="file" name="photo" accept="image/*" className="mt-1 w-full" />
          </label>
        )}
        <Button type="submit">{common.tryAgain}</Button>
      </form>
    </FinderNotice>
  );
}
