import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { classNames } from '#app/ui/class-names.ts';
import type { LabelFormat } from '#domain/stickers/label-formats.ts';
import { cellBox, cellsPerPage, pageSize } from '#domain/stickers/sheet-layout.ts';
import { useStickerTexts } from './use-sticker-texts.ts';

interface SheetPreviewProps {
  readonly format: LabelFormat;
  /** The picture of the page. */
  readonly children: ReactNode;
  readonly pager: ReactNode;
  /** Where labels can be chosen to begin at: the first page of a sheet. */
  readonly firstCell: number | undefined;
  readonly onFirstCellChange: (cell: number) => void;
}

/** The page as it is printed. On a sheet of labels, the first label to print on can be chosen in the picture. */
export function SheetPreview({ format, children, pager, firstCell, onFirstCellChange }: SheetPreviewProps) {
  const texts = useStickerTexts();
  const { width, height } = pageSize(format);
  return (
    <figure className="flex flex-col gap-2">
      {firstCell !== undefined && <p className="text-sm">{texts.firstLabel}</p>}
      {/* A sheet has its labels in the same places in every language. */}
      <div
        dir="ltr"
        className="relative mx-auto w-full max-w-80 lg:max-w-72 bg-[#fff] shadow-floating outline outline-line-strong [forced-color-adjust:none]"
        style={{ aspectRatio: `${width} / ${height}` }}
      >
        <div className="absolute inset-0 [&>svg]:size-full">{children}</div>
        {firstCell !== undefined && <CellChoice format={format} chosen={firstCell} onChange={onFirstCellChange} />}
      </div>
      <figcaption>{pager}</figcaption>
    </figure>
  );
}

interface PagerProps {
  /** From 0. */
  readonly page: number;
  readonly pages: number;
  readonly onChange: (page: number) => void;
}

/** Says which page is shown, and leads to the others. */
export function Pager({ page, pages, onChange }: PagerProps) {
  const texts = useStickerTexts();
  return (
    <div className="flex items-center justify-center gap-1 text-center text-ink-soft text-sm">
      {pages > 1 && (
        <PageButton label={texts.previousPage} disabled={page === 0} onClick={() => onChange(page - 1)}>
          <ChevronLeft className="size-5 rtl:-scale-x-100" aria-hidden="true" />
        </PageButton>
      )}
      <span>{texts.preview({ page: page + 1, pages })}</span>
      {pages > 1 && (
        <PageButton label={texts.nextPage} disabled={page === pages - 1} onClick={() => onChange(page + 1)}>
          <ChevronRight className="size-5 rtl:-scale-x-100" aria-hidden="true" />
        </PageButton>
      )}
    </div>
  );
}

interface PageButtonProps {
  readonly label: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function PageButton({ label, disabled, onClick, children }: PageButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
      className="grid size-11 shrink-0 place-content-center rounded-md text-primary hover:bg-primary-soft disabled:text-line-strong disabled:hover:bg-transparent"
    >
      {children}
    </button>
  );
}

interface CellChoiceProps {
  readonly format: LabelFormat;
  readonly chosen: number;
  readonly onChange: (cell: number) => void;
}

/** A radio button over each label of the sheet. The arrow keys move between labels as they lie. */
function CellChoice({ format, chosen, onChange }: CellChoiceProps) {
  const texts = useStickerTexts();
  const sheet = pageSize(format);
  const percent = (part: number, whole: number) => `${(100 * part) / whole}%`;

  const moveBetweenRows = (event: KeyboardEvent<HTMLFieldSetElement>) => {
    const step = { ArrowUp: -format.columns, ArrowDown: format.columns }[event.key];
    if (step === undefined) return;
    // A browser goes to the previous or the next label, which lies beside this one.
    event.preventDefault();
    const cell = chosen + step;
    if (cell < 0 || cell >= cellsPerPage(format)) return;
    onChange(cell);
    event.currentTarget.querySelectorAll('input')[cell]?.focus();
  };

  return (
    <fieldset onKeyDown={moveBetweenRows}>
      <legend className="sr-only">{texts.firstLabelLegend}</legend>
      {Array.from({ length: cellsPerPage(format) }, (_, cell) => {
        const { x, y, width, height } = cellBox(format, cell);
        return (
          <label
            // biome-ignore lint/suspicious/noArrayIndexKey: a label is its place
            key={cell}
            className={classNames(
              'absolute cursor-pointer border hover:border-[#0b5d4d] hover:bg-[#0b5d4d]/15 has-focus-visible:outline-3 has-focus-visible:outline-[#0b5d4d]',
              format.shape === 'round' ? 'rounded-full' : 'rounded-[3px]',
              cell < chosen
                ? 'border-[#8a9a92] bg-[repeating-linear-gradient(45deg,#d2ded7_0_3px,#eef3f0_3px_7px)]'
                : 'border-[#b9c7c0]',
              cell === chosen && 'border-2 border-[#0b5d4d]!',
            )}
            style={{
              left: percent(x, sheet.width),
              top: percent(y, sheet.height),
              width: percent(width, sheet.width),
              height: percent(height, sheet.height),
            }}
          >
            <input
              type="radio"
              name="first-label"
              checked={cell === chosen}
              onChange={() => onChange(cell)}
              aria-label={texts.labelPlace({
                label: cell + 1,
                row: Math.floor(cell / format.columns) + 1,
                column: (cell % format.columns) + 1,
              })}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
          </label>
        );
      })}
    </fieldset>
  );
}
