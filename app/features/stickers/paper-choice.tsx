import { LayoutGrid, Ruler, Scissors, Square } from 'lucide-react';
import { LazyPart } from '#app/item/lazy-part.tsx';
import { SelectField } from '#app/ui/field/fields.tsx';
import { loadOnce } from '#app/ui/load-once.ts';
import { LABEL_FORMATS, labelFormat } from '#domain/stickers/label-formats.ts';
import { STICKER_SIZES, type StickerSize } from '#domain/stickers/plain-paper.ts';
import { PageField } from './measured/measured-fields.tsx';
import type { SavedLabels } from './measured/saved-labels.ts';
import type { Paper, PaperSetup } from './paper-setup.ts';
import { TileChoice } from './tile-choice.tsx';
import { useStickerTexts } from './use-sticker-texts.ts';

const loadFormatPicker = loadOnce(async () => (await import('./format-picker.tsx')).FormatPicker);
const loadMeasuredChoice = loadOnce(async () => (await import('./measured/measured-choice.tsx')).MeasuredChoice);

const PICTURES = { plain: Scissors, labels: LayoutGrid, measured: Ruler, single: Square } as const;

interface PaperChoiceProps {
  readonly setup: PaperSetup;
  /** The labels that the account has saved. */
  readonly saved: readonly SavedLabels[];
  readonly onChange: (change: Partial<PaperSetup>) => void;
}

/** What is printed on: plain paper, labels by their number, or a sticker without a sheet. */
export function PaperChoice({ setup, saved, onChange }: PaperChoiceProps) {
  const texts = useStickerTexts();
  const format = labelFormat(setup.format) ?? LABEL_FORMATS[0];
  const choosePlain = () => onChange({ paper: 'plain' });
  const tiles = (['plain', 'labels', 'measured', 'single'] as const satisfies readonly Paper[]).map((value) => {
    const Picture = PICTURES[value];
    return {
      value,
      ...texts.papers[value],
      picture: <Picture className="size-6 shrink-0 text-primary" aria-hidden="true" />,
    };
  });
  return (
    <div className="flex flex-col gap-4">
      <TileChoice
        legend={texts.paperLegend}
        name="paper"
        tiles={tiles}
        chosen={setup.paper}
        onChange={(paper) => onChange({ paper })}
      />
      <LazyPart load={loadFormatPicker} open={setup.paper === 'labels'} onClose={choosePlain}>
        {(FormatPicker) =>
          setup.paper === 'labels' &&
          format !== undefined && <FormatPicker value={format} onChange={({ id }) => onChange({ format: id })} />
        }
      </LazyPart>
      <LazyPart load={loadMeasuredChoice} open={setup.paper === 'measured'} onClose={choosePlain}>
        {(MeasuredChoice) =>
          setup.paper === 'measured' && (
            <MeasuredChoice saved={saved} labels={setup.measured} onChange={(measured) => onChange({ measured })} />
          )
        }
      </LazyPart>
      {(setup.paper === 'plain' || setup.paper === 'single') && (
        <SelectField
          label={texts.sizeLabel}
          value={setup.size}
          // The options are exactly the sizes.
          onChange={({ target }) => onChange({ size: target.value as StickerSize })}
        >
          {Object.entries(STICKER_SIZES).map(([size, { width, height }]) => (
            <option key={size} value={size}>
              {texts.sizes[size as StickerSize](texts.size(width, height))}
            </option>
          ))}
        </SelectField>
      )}
      {setup.paper === 'plain' && <PageField page={setup.page} onChange={(page) => onChange({ page })} />}
    </div>
  );
}
