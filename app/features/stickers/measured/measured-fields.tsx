import { SelectField } from '#app/ui/field/fields.tsx';
import { MEASURE_BOUNDS, type MeasuredLabels, overflowOf } from '#domain/stickers/measured-labels.ts';
import type { PaperSize } from '#domain/stickers/plain-paper.ts';
import { NumberField } from '../number-field.tsx';
import { useStickerTexts } from '../use-sticker-texts.ts';

interface MeasuredFieldsProps {
  readonly labels: MeasuredLabels;
  readonly onChange: (labels: MeasuredLabels) => void;
}

/** The measures of a sheet of labels whose number is not known. */
export function MeasuredFields({ labels, onChange }: MeasuredFieldsProps) {
  const texts = useStickerTexts();
  const overflow = overflowOf(labels);
  // The entries are exactly the measures.
  const measures = Object.entries(MEASURE_BOUNDS) as [
    keyof typeof MEASURE_BOUNDS,
    (typeof MEASURE_BOUNDS)[keyof typeof MEASURE_BOUNDS],
  ][];
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 font-semibold">{texts.measuredLegend}</legend>
      <PageField page={labels.page} onChange={(page) => onChange({ ...labels, page })} />
      <div className="grid items-end gap-4 sm:grid-cols-2">
        {measures.map(([measure, bounds]) => (
          <NumberField
            key={measure}
            {...bounds}
            label={texts.measured[measure]}
            problem={texts.measuredProblem(bounds.least, bounds.most)}
            value={labels[measure]}
            onChange={(value) => onChange({ ...labels, [measure]: value })}
          />
        ))}
      </div>
      {overflow !== null && (
        <p role="alert" className="font-medium text-danger text-sm">
          {texts.overflow[overflow]}
        </p>
      )}
    </fieldset>
  );
}

interface PageFieldProps {
  readonly page: PaperSize;
  readonly onChange: (page: PaperSize) => void;
}

/** Chooses the size of the paper. */
export function PageField({ page, onChange }: PageFieldProps) {
  const texts = useStickerTexts();
  return (
    <SelectField
      label={texts.pageLabel}
      value={page}
      // The options are exactly the paper sizes.
      onChange={({ target }) => onChange(target.value as PaperSize)}
    >
      {Object.entries(texts.pages).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
