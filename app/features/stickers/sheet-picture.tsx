import type { ReactNode } from 'react';
import {
  type CalibrationDrawing,
  NUMERAL_BASELINE,
  NUMERAL_SIZE,
  type PrinterOffset,
} from '#domain/stickers/calibration-drawing.ts';
import type { LabelFormat } from '#domain/stickers/label-formats.ts';
import { type Box, CUT_LINE, cellBox, pageSize } from '#domain/stickers/sheet-layout.ts';
import { type StickerDrawing, shapeOf, short } from '#domain/stickers/sticker-drawing.ts';
import type { DrawnLook } from './sticker-look.ts';

/** The typefaces of a sheet. Any of them is drawn in the width that the PDF's typeface has. */
export const FONTS = {
  words: 'Helvetica, Arial, "Liberation Sans", sans-serif',
  code: 'Courier, "Courier New", "Liberation Mono", monospace',
} as const;

const BLACK = '#000000';
/** The width of an outline, in millimeters. */
const OUTLINE = 0.1;
const NO_OFFSET: PrinterOffset = { x: 0, y: 0 };

/** A sticker to show: drawn for the first label, and moved to its own. */
interface PlacedSticker {
  readonly cell: number;
  readonly drawing: StickerDrawing;
}

interface SheetPictureProps {
  readonly format: LabelFormat;
  readonly stickers: readonly PlacedSticker[];
  readonly look: DrawnLook;
  /** Whether stickers have lines to cut along. */
  readonly isCut: boolean;
  readonly offset: PrinterOffset;
}

/** A page in its true size: what is shown is what is printed. */
export function SheetPicture({ format, stickers, look, isCut, offset }: SheetPictureProps) {
  const first = cellBox(format, 0);
  return (
    <PageSvg format={format} offset={offset}>
      {isCut &&
        stickers.map(({ cell }) => <Outline key={cell} format={format} box={cellBox(format, cell)} {...CUT_LINE} />)}
      {stickers.map(({ cell, drawing }) => {
        const { x, y } = cellBox(format, cell);
        return (
          <g key={cell} transform={`translate(${short(x - first.x)} ${short(y - first.y)})`}>
            <StickerShapes drawing={drawing} look={look} />
          </g>
        );
      })}
    </PageSvg>
  );
}

interface StickerPictureProps {
  readonly format: LabelFormat;
  /** For the first label. */
  readonly drawing: StickerDrawing;
  readonly look: DrawnLook;
}

/** One sticker in its true size. */
export function StickerPicture({ format, drawing, look }: StickerPictureProps) {
  const { x, y, width, height } = cellBox(format, 0);
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`${short(x)} ${short(y)} ${width} ${height}`}
      width={`${width}mm`}
      height={`${height}mm`}
      aria-hidden="true"
    >
      <StickerShapes drawing={drawing} look={look} />
    </svg>
  );
}

interface CalibrationPictureProps {
  readonly format: LabelFormat;
  readonly drawing: CalibrationDrawing;
}

/** The page that shows how far a printer is off: by all of it, so nothing of it is corrected here. */
export function CalibrationPicture({ format, drawing: { outlines, ticks, numerals } }: CalibrationPictureProps) {
  return (
    <PageSvg format={format} offset={NO_OFFSET}>
      {outlines.map((box) => (
        <Outline key={`${box.x} ${box.y}`} format={format} box={box} color={BLACK} width={OUTLINE} />
      ))}
      <path
        d={ticks.map(({ from, to }) => `M${from.map(short).join(' ')}L${to.map(short).join(' ')}`).join('')}
        stroke={BLACK}
        strokeWidth={OUTLINE}
      />
      {numerals.map(({ text, x, y }) => (
        <text
          key={`${x} ${y}`}
          x={x}
          y={y + NUMERAL_SIZE * NUMERAL_BASELINE}
          fontFamily={FONTS.words}
          fontSize={NUMERAL_SIZE}
          fontWeight={700}
          textAnchor="middle"
        >
          {text}
        </text>
      ))}
    </PageSvg>
  );
}

interface PageSvgProps extends Pick<SheetPictureProps, 'format' | 'offset'> {
  readonly children: ReactNode;
}

function PageSvg({ format, offset, children }: PageSvgProps) {
  const { width, height } = pageSize(format);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={`${width}mm`} height={`${height}mm`} aria-hidden="true">
      <g transform={`translate(${offset.x / 10} ${offset.y / 10})`}>{children}</g>
    </svg>
  );
}

interface OutlineProps {
  readonly format: LabelFormat;
  readonly box: Box;
  readonly color: string;
  readonly width: number;
  /** The length of dashes and gaps. */
  readonly dash?: number;
}

function Outline({ format, box, color, width, dash }: OutlineProps) {
  return (
    <rect
      x={short(box.x)}
      y={short(box.y)}
      width={box.width}
      height={box.height}
      rx={format.shape === 'round' ? box.width / 2 : 0}
      fill="none"
      stroke={color}
      strokeWidth={width}
      strokeDasharray={dash}
    />
  );
}

function StickerShapes({
  drawing: { dark, logo: place, texts },
  look: { color, logo },
}: {
  readonly drawing: StickerDrawing;
  readonly look: DrawnLook;
}) {
  return (
    <>
      {place !== null && logo !== null && (
        <image
          href={logo.source}
          x={short(place.x)}
          y={short(place.y)}
          width={short(place.width)}
          height={short(place.height)}
        />
      )}
      <path d={shapeOf(dark)} fill={color} />
      {texts.map(({ text, path, kind, size, x, baseline, width }) =>
        path === undefined ? (
          <text
            key={`${kind} ${baseline}`}
            x={short(x)}
            y={short(baseline)}
            fontFamily={kind === 'typed-code' ? FONTS.code : FONTS.words}
            fontSize={short(size)}
            fontWeight={700}
            textLength={short(width)}
            lengthAdjust="spacingAndGlyphs"
            direction="ltr"
            fill={color}
          >
            {text}
          </text>
        ) : (
          <path
            key={`${kind} ${baseline}`}
            transform={`translate(${short(x)} ${short(baseline)}) scale(${(size / 1_000).toFixed(6)})`}
            d={path}
            fill={color}
          />
        ),
      )}
    </>
  );
}
