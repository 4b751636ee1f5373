import { classNames } from '#app/ui/class-names.ts';

interface StickerProps {
  /** The rows of the QR code, with `#` for a dark module. */
  readonly rows: readonly string[];
  /** The call to the finder. */
  readonly call: string;
  /** For finders who cannot scan. */
  readonly typedCode?: string;
  readonly className?: string;
}

/** Light modules around the code, required by readers (ISO/IEC 18004). */
export const QUIET = 4;
export const INK = '#10231e';

/** A sticker as attached to an item: the QR code on white, on a yellow tag with a call to scan it. */
export function Sticker({ rows, call, typedCode, className }: StickerProps) {
  const side = rows.length + 2 * QUIET;
  return (
    <div
      className={classNames(
        'flex w-36 flex-col items-center gap-2 rounded-xl bg-tag p-2.5 pb-3 text-on-tag shadow-floating [print-color-adjust:exact] forced-color-adjust-none sm:w-48 sm:gap-2.5 sm:p-3',
        className,
      )}
    >
      <span className="size-3.5 rounded-full bg-night sm:size-4 shadow-[inset_0_1px_2px_rgb(0_0_0/40%)]" />
      <svg
        viewBox={`${-QUIET} ${-QUIET} ${side} ${side}`}
        className="w-full rounded-md bg-[#fff]"
        shapeRendering="crispEdges"
        aria-hidden="true"
      >
        <path d={pathOf(rows)} fill={INK} />
      </svg>
      <span className="whitespace-nowrap font-bold text-xs leading-tight sm:text-sm">{call}</span>
      {typedCode !== undefined && (
        <code translate="no" dir="ltr" className="max-w-full text-center font-mono text-xs leading-tight">
          {typedCode}
        </code>
      )}
    </div>
  );
}

/** Returns the dark modules as the path of an SVG, in modules. */
export function pathOf(rows: readonly string[]): string {
  return rows
    .flatMap((row, y) =>
      Array.from(row.matchAll(/#+/g), ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
    )
    .join('');
}
