import { SelectField } from '#app/ui/field/fields.tsx';
import { MEASURE_BOUNDS, type MeasuredLabels, measuresOf, overflowOf } from '#domain/stickers/measured-labels.ts';
import type { PaperSize } from '#domain/stickers/plain-paper.ts';
import { NumberField } from '../number-field.tsx';
import { useStickerTexts } from '../use-sticker-texts.ts';

interface MeasuredFieldsProps {
  readonly labels: MeasuredLabels;
  readonly onChange: (labels: MeasuredLabels) => void;
}

/** The measures of labels whose number is not known. */
export function MeasuredFields({ labels, onChange }: MeasuredFieldsProps) {
  const texts = useStickerTexts();
  const overflow = overflowOf(labels);
  return (
    <fieldset className="flex min-w-0 flex-col gap-4">
      <legend className="mb-3 font-semibold">{texts.measuredLegend}</legend>
      <SelectField
        label={texts.pageLabel}
        value={labels.page}
        // The options are exactly the pages.
        onChange={({ target }) => onChange({ ...labels, page: target.value as MeasuredLabels['page'] })}
      >
        <Options names={texts.measuredPages} />
      </SelectField>
      <SelectField
        label={texts.shapeLabel}
        value={labels.shape}
        // The options are exactly the shapes.
        onChange={({ target }) => onChange({ ...labels, shape: target.value as MeasuredLabels['shape'] })}
      >
        <Options names={texts.shapes} />
      </SelectField>
      <div className="grid items-end gap-4 sm:grid-cols-2">
        {measuresOf(labels).map((measure) => (
          <NumberField
            key={measure}
            {...MEASURE_BOUNDS[measure]}
            label={measure === 'width' && labels.shape === 'round' ? texts.diameter : texts.measured[measure]}
            problem={texts.measuredProblem(MEASURE_BOUNDS[measure])}
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
      <Options names={texts.pages} />
    </SelectField>
  );
}

function Options({ names }: { readonly names: Readonly<Record<string, string>> }) {
  return Object.entries(names).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));
}
