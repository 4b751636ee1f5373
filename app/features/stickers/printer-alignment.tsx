import { ChevronDown } from 'lucide-react';
import { Button } from '#app/ui/button.tsx';
import { MOST_OFFSET, type PrinterOffset } from '#domain/stickers/calibration-drawing.ts';
import { NumberField } from './number-field.tsx';
import { useStickerTexts } from './use-sticker-texts.ts';

interface PrinterAlignmentProps {
  /** Whether the page is one label, as on a roll. */
  readonly isOnLabel: boolean;
  readonly offset: PrinterOffset;
  readonly onChange: (offset: PrinterOffset) => void;
  readonly onPrintTestPage: () => void;
}

/** Corrects a printer that is a little off, with a test page that shows by how much. */
export function PrinterAlignment({ isOnLabel, offset, onChange, onPrintTestPage }: PrinterAlignmentProps) {
  const texts = useStickerTexts();
  const bounds = { least: -MOST_OFFSET / 10, most: MOST_OFFSET / 10, step: 0.1 };
  const problem = texts.offsetProblem(bounds.most);
  return (
    <details className="group rounded-md border border-line">
      <summary className="flex min-h-12 items-center justify-between gap-3 rounded-md px-4 py-2 font-medium hover:text-primary [&::-webkit-details-marker]:hidden">
        {texts.alignment}
        <ChevronDown
          className="size-5 shrink-0 text-ink-soft transition-transform group-open:rotate-180"
          aria-hidden="true"
        />
      </summary>
      <div className="flex flex-col gap-4 px-4 pb-4">
        <p className="text-ink-soft text-sm">{texts.alignmentText}</p>
        <Button variant="outline" onClick={onPrintTestPage}>
          {texts.printTestPage}
        </Button>
        <ol className="flex list-decimal flex-col gap-1.5 ps-5 text-sm">
          {Object.values(texts.alignmentSteps[isOnLabel ? 'label' : 'sheet']).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField
            {...bounds}
            label={texts.readAcross}
            hint={texts.offsetHint}
            problem={problem}
            value={offset.x / 10}
            onChange={(millimeters) => onChange({ ...offset, x: Math.round(millimeters * 10) })}
          />
          <NumberField
            {...bounds}
            label={texts.readDown}
            problem={problem}
            value={offset.y / 10}
            onChange={(millimeters) => onChange({ ...offset, y: Math.round(millimeters * 10) })}
          />
        </div>
      </div>
    </details>
  );
}
