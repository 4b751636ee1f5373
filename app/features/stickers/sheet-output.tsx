import { CircleCheck, Download, Printer } from 'lucide-react';
import { type Ref, useRef, useState } from 'react';
import { saveFile } from '#app/browser/save-file.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { Alert } from '#app/ui/notice/alert.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { Spinner } from '#app/ui/waiting.tsx';
import { calibrationDrawing, type PrinterOffset } from '#domain/stickers/calibration-drawing.ts';
import type { LabelFormat } from '#domain/stickers/label-formats.ts';
import { cellsPerPage, type Placement } from '#domain/stickers/sheet-layout.ts';
import { drawOnCanvas } from './draw-on-canvas.ts';
import { makePdf } from './make-pdf.ts';
import { isOnLabels, type Paper } from './paper-setup.ts';
import { PrinterAlignment } from './printer-alignment.tsx';
import { PrintedPages, usePrinting } from './printing.tsx';
import { CalibrationPicture, SheetPicture, StickerPicture } from './sheet-picture.tsx';
import { Pager, SheetPreview } from './sheet-preview.tsx';
import type { DrawnLook } from './sticker-look.ts';
import type { CheckedSticker } from './use-sticker-check.ts';
import { useStickerTexts } from './use-sticker-texts.ts';

/** Of a PNG: 600 dots per inch. */
const PNG_PIXELS_PER_MM = 600 / 25.4;

/** Files that hold stickers. */
type FileKind = 'pdf' | 'svg' | 'png';

/** A sticker to print: its item's name, and its drawing for the first label. */
interface NamedSticker extends CheckedSticker {
  readonly name: string;
}

/** Why stickers are not offered. Lists have the names of items. */
interface Problems {
  readonly noneChosen: boolean;
  /** The look or the paper is refused, and its field says why. */
  readonly isRefused: boolean;
  /** The most stickers, where there are more. */
  readonly tooMany: number | null;
  /** Whether the texts are set. */
  readonly letters: 'set' | 'setting' | 'failed';
  readonly checkFailed: boolean;
  readonly tooSmall: readonly string[];
  readonly unreadable: readonly string[];
}

interface SheetOutputProps {
  readonly format: LabelFormat;
  readonly paper: Paper;
  readonly stickers: readonly NamedSticker[];
  readonly pages: readonly (readonly Placement[])[];
  readonly look: DrawnLook;
  readonly firstCell: number;
  readonly onFirstCellChange: (cell: number) => void;
  readonly offset: PrinterOffset;
  readonly onOffsetChange: (offset: PrinterOffset) => void;
  readonly isChecking: boolean;
  readonly problems: Problems;
  readonly onCheckAgain: () => void;
  readonly onSetAgain: () => void;
}

/** Shows the pages, and prints them or saves them as files. */
export function SheetOutput(props: SheetOutputProps) {
  const { format, paper, stickers, pages, look, firstCell, onFirstCellChange, offset, problems } = props;
  const texts = useStickerTexts();
  const closeUp = useRef<HTMLDivElement>(null);
  const [wantedPage, setWantedPage] = useState(0);
  const areOffered =
    stickers.length > 0 &&
    problems.letters === 'set' &&
    !props.isChecking &&
    !problems.checkFailed &&
    problems.tooMany === null;
  const [printed, printNow] = usePrinting(areOffered);

  const page = Math.min(wantedPage, Math.max(0, pages.length - 1));
  const shown = stickers[pages[page]?.[0]?.sticker ?? 0];
  const isCut = paper === 'plain';
  const picture = (placements: readonly Placement[]) => ({
    format,
    look,
    isCut,
    offset,
    stickers: placements.flatMap(({ sticker, cell }) => {
      const drawing = stickers[sticker]?.drawing;
      return drawing === undefined ? [] : [{ cell, drawing }];
    }),
  });

  const pager = <Pager page={page} pages={pages.length} onChange={setWantedPage} />;

  return (
    <>
      {problems.noneChosen && <p className="text-ink-soft">{texts.noneChosen}</p>}
      {shown !== undefined && (
        <>
          <CloseUp ref={closeUp} sticker={shown} format={format} look={look} />
          {cellsPerPage(format) > 1 ? (
            <SheetPreview
              format={format}
              pager={pager}
              firstCell={isOnLabels(paper) && page === 0 ? firstCell : undefined}
              onFirstCellChange={onFirstCellChange}
            >
              <SheetPicture {...picture(pages[page] ?? [])} />
            </SheetPreview>
          ) : (
            pager
          )}
        </>
      )}
      <CheckResult {...props} />
      {shown !== undefined && (
        <Actions
          {...props}
          areOffered={areOffered}
          isCut={isCut}
          onPrint={() => printNow('sheets')}
          pictures={{
            png: () => toPng(drawOnCanvas(shown.drawing, { format, look, pixelsPerMm: PNG_PIXELS_PER_MM })),
            svg: () => toSvg(closeUp.current),
          }}
        />
      )}
      <PrinterAlignment
        isOnLabel={format.page === 'label'}
        offset={offset}
        onChange={props.onOffsetChange}
        onPrintTestPage={() => printNow('test-page')}
      />
      {printed !== null && (
        <PrintedPages format={format}>
          {printed === 'test-page' ? (
            <CalibrationPicture format={format} drawing={calibrationDrawing(format)} />
          ) : (
            pages.map((placements, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place
              <SheetPicture key={index} {...picture(placements)} />
            ))
          )}
        </PrintedPages>
      )}
    </>
  );
}

/** Says whether the codes can be scanned, and what is not printed and why. */
function CheckResult({ stickers, pages, isChecking, problems, onCheckAgain, onSetAgain }: SheetOutputProps) {
  const texts = useStickerTexts();
  const { common } = useTexts();
  const { noneChosen, isRefused, tooMany, letters, checkFailed, tooSmall, unreadable } = problems;
  if (noneChosen || isRefused) return null;
  if (letters === 'failed') {
    return (
      <div className="flex flex-col gap-3">
        <Alert>{texts.lettersFailed}</Alert>
        <Button variant="outline" onClick={onSetAgain}>
          {common.tryAgain}
        </Button>
      </div>
    );
  }
  const isWaiting = isChecking || letters === 'setting';
  const count = new Set(stickers.map(({ id }) => id)).size;
  return (
    <div className="flex flex-col gap-3">
      {tooSmall.length > 0 && <Alert>{texts.tooSmall(tooSmall)}</Alert>}
      {unreadable.length > 0 && <Alert>{texts.unreadable(unreadable)}</Alert>}
      {tooMany !== null && <Alert>{texts.tooMany(tooMany)}</Alert>}
      {checkFailed && (
        <>
          <Alert>{texts.unchecked}</Alert>
          <Button variant="outline" onClick={onCheckAgain}>
            {common.tryAgain}
          </Button>
        </>
      )}
      {count > 0 && !checkFailed && tooMany === null && (
        <p role="status" className="flex items-start gap-2.5 text-sm">
          {isWaiting ? <Spinner /> : <CircleCheck className="mt-0.5 size-5 shrink-0 text-primary" aria-hidden="true" />}
          <span>
            {letters === 'setting'
              ? texts.settingLetters
              : isChecking
                ? texts.checking
                : `${texts.total({ stickers: stickers.length, pages: pages.length })} ${texts.checked(count)}`}
          </span>
        </p>
      )}
    </div>
  );
}

interface ActionsProps extends SheetOutputProps {
  readonly areOffered: boolean;
  readonly isCut: boolean;
  readonly onPrint: () => void;
  /** Make a file of the sticker that is shown. */
  readonly pictures: Readonly<Record<'png' | 'svg', () => Promise<Blob>>>;
}

/** The buttons that print, or save a file. */
function Actions({ areOffered, isCut, onPrint, pictures, ...sheets }: ActionsProps) {
  const texts = useStickerTexts();
  const [making, setMaking] = useState<FileKind | null>(null);

  const save = async (kind: FileKind) => {
    setMaking(kind);
    try {
      const contents = sheets.stickers.map(({ content }) => content);
      const file = await (kind === 'pdf'
        ? makePdf({ ...sheets, contents, isCut, title: texts.fileName })
        : pictures[kind]());
      saveFile(`${texts.fileName}.${kind}`, file);
    } catch {
      showToast('failure', texts.downloadFailed, { about: 'sticker-file' });
    }
    setMaking(null);
  };

  const kinds: readonly FileKind[] = sheets.paper === 'single' ? ['pdf', 'svg', 'png'] : ['pdf'];
  return (
    <div className="flex flex-col gap-3">
      <Button variant="tag" size="large" wide disabled={!areOffered} onClick={onPrint}>
        <Printer className="size-5" aria-hidden="true" />
        {texts.print}
      </Button>
      <p className="text-ink-soft text-sm">{isOnLabels(sheets.paper) ? texts.printHintLabels : texts.printHint}</p>
      {kinds.map((kind) => (
        <Button
          key={kind}
          variant="outline"
          wide
          busy={making === kind}
          disabled={!areOffered || making !== null}
          onClick={() => void save(kind)}
        >
          {making !== kind && <Download className="size-5" aria-hidden="true" />}
          {texts.download[kind]}
        </Button>
      ))}
      {kinds.length > 1 && sheets.pages.length > 1 && <p className="text-ink-soft text-sm">{texts.pictureHint}</p>}
    </div>
  );
}

interface CloseUpProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly sticker: NamedSticker;
  readonly format: LabelFormat;
  readonly look: DrawnLook;
}

/** A sticker large enough to be read, with its size and what it had no room for. */
function CloseUp({ ref, sticker: { name, content, drawing }, format, look }: CloseUpProps) {
  const texts = useStickerTexts();
  const { width, height, shape } = format;
  const drawn = new Set(drawing.texts.map(({ kind }) => kind));
  const kinds = { own: 'own', call: 'call', typedCode: 'typed-code', product: 'product' } as const;
  const missing = Object.entries(kinds).flatMap(([text, kind]) =>
    text in content.texts && !drawn.has(kind) ? [kind] : [],
  );
  return (
    <figure className="flex flex-col gap-2">
      <div
        ref={ref}
        role="img"
        aria-label={texts.closeUpPicture(name)}
        className={classNames(
          'mx-auto overflow-hidden bg-[#fff] outline outline-line-strong [forced-color-adjust:none] [&>svg]:size-full',
          shape === 'round' ? 'rounded-full' : 'rounded-sm',
        )}
        style={{
          aspectRatio: `${width} / ${height}`,
          width: `min(100%, ${(CLOSE_UP_REM * width) / Math.max(width, height)}rem)`,
        }}
      >
        <StickerPicture format={format} drawing={drawing} look={look} />
      </div>
      <figcaption className="flex flex-col gap-1 text-center text-ink-soft text-sm">
        {texts.closeUp(texts.size(width, height))}
        {[...missing, ...(look.logo !== null && drawing.logo === null ? (['logo'] as const) : [])].map((kind) => (
          <span key={kind} className="font-medium text-warning">
            {texts.noRoom[kind]}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** Of the longer side. */
const CLOSE_UP_REM = 14;

function toPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((file) => (file === null ? reject(new Error('This browser makes no PNG files.')) : resolve(file)));
  });
}

/** Returns the picture that is shown, as a file. */
async function toSvg(closeUp: HTMLElement | null): Promise<Blob> {
  const picture = closeUp?.querySelector('svg')?.cloneNode(true);
  if (!(picture instanceof SVGElement)) throw new Error('No sticker is shown.');
  picture.removeAttribute('aria-hidden');
  return new Blob([new XMLSerializer().serializeToString(picture)], { type: 'image/svg+xml' });
}
