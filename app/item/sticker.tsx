import { classNames } from '#app/ui/class-names.ts';

interface StickerProps {
  /** The QR code row by row, `#` where it is dark. */
  readonly rows: readonly string[];
  /** What it asks of whoever finds it. */
  readonly call: string;
  /** What it says to who cannot scan it. */
  readonly code?: string;
  readonly className?: string;
}

/** Light modules around the code, which a reader needs to find it (ISO/IEC 18004). */
const QUIET = 4;

/** A sticker as it is on a thing: the code on white, in a yellow tag with the call to scan it. */
export function Sticker({ rows, call, code, className }: StickerProps) {
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
        <path d={pathOf(rows)} className="fill-[#10231e]" />
      </svg>
      <span className="whitespace-nowrap font-bold text-xs leading-tight sm:text-sm">{call}</span>
      {code !== undefined && (
        <code dir="ltr" className="max-w-full break-all text-center font-mono text-[0.625rem] leading-tight">
          {code}
        </code>
      )}
    </div>
  );
}

function pathOf(rows: readonly string[]): string {
  return rows
    .flatMap((row, y) =>
      Array.from(row.matchAll(/#+/g), ({ 0: run, index }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
    )
    .join('');
}
