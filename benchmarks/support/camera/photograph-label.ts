import type { DrawnPage } from '#tests/support/draw-pdf.ts';

/** How a camera sees a label. Everything that is absent does not disturb. */
export interface Disturbance {
  /** Pixels for a millimeter of the label. */
  readonly resolution?: number;
  /** In the plane of the label, in radians. */
  readonly turn?: number;
  /** Away from the camera around the vertical axis, in radians. */
  readonly tilt?: number;
  /** Of a Gaussian blur, the standard deviation in millimeters. */
  readonly blur?: number;
  /** What is left of the contrast between ink and paper, 0 to 1. */
  readonly contrast?: number;
  /** Of the upright cylinder that the label sticks on, in millimeters. */
  readonly radius?: number;
  /** A gray disk on the label, in millimeters from the label's corner. */
  readonly cover?: { readonly x: number; readonly y: number; readonly radius: number };
}

const GOOD_RESOLUTION = 4;
/** From the camera to the label's middle, in millimeters. */
const DISTANCE = 150;
/** The table around the label, what covers it, and the middle between ink and paper in the dark. */
const TABLE = 140;
const COVER = 120;
const DARKNESS = 40;
/** The noise of a camera: the standard deviation of the brightness, of 255. */
const NOISE = 5;
/** Points on the label for each side of a pixel, so that details finer than a pixel are averaged. */
const SAMPLES = 2;

/** Returns a frame in which a camera sees the label, one byte of brightness for each pixel. Only `random` is by chance. */
export function photographLabel(label: DrawnPage, disturbance: Disturbance, random: () => number): DrawnPage {
  const { resolution = GOOD_RESOLUTION, blur = 0.1, contrast = 1 } = disturbance;
  const [labelWidth, labelHeight] = [label.width / label.pixelsPerMm, label.height / label.pixelsPerMm];
  // Room for every turn, and for what is nearer to the camera.
  const side = Math.ceil(Math.hypot(labelWidth, labelHeight) * 1.3 * resolution);
  // The first pixel's place differs from frame to frame.
  const shift = { x: random(), y: random() };
  const light = new Float32Array(side * side);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      let sum = 0;
      for (let sample = 0; sample < SAMPLES ** 2; sample += 1) {
        const right = (x + shift.x + ((sample % SAMPLES) + 0.5) / SAMPLES - side / 2) / resolution;
        const down = (y + shift.y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES - side / 2) / resolution;
        sum += lightFrom(label, right, down, disturbance);
      }
      light[y * side + x] = sum / SAMPLES ** 2;
    }
  }
  const blurred = blurBy(light, side, blur * resolution);
  const pixels = new Uint8Array(blurred.length);
  blurred.forEach((value, index) => {
    const seen = 255 * contrast * (value / 255) + DARKNESS * (1 - contrast);
    pixels[index] = Math.max(0, Math.min(255, Math.round(seen + NOISE * normal(random))));
  });
  return { width: side, height: side, pixels, pixelsPerMm: resolution };
}

/** Returns the brightness at a place of the camera's picture, in millimeters from its middle at the label's distance. */
function lightFrom(label: DrawnPage, right: number, down: number, disturbance: Disturbance): number {
  const { turn = 0, tilt = 0, radius, cover } = disturbance;
  // The ray from a pinhole meets the tilted plane at this distance along the plane.
  const along = (right * DISTANCE) / (DISTANCE * Math.cos(tilt) - right * Math.sin(tilt));
  const nearer = (DISTANCE + along * Math.sin(tilt)) / DISTANCE;
  const [acrossPlane, downPlane] = [along, down * nearer];
  let across = acrossPlane * Math.cos(turn) + downPlane * Math.sin(turn);
  const downLabel = downPlane * Math.cos(turn) - acrossPlane * Math.sin(turn);
  if (radius !== undefined) {
    if (Math.abs(across) >= radius) return TABLE;
    across = radius * Math.asin(across / radius);
  }
  const x = across + label.width / label.pixelsPerMm / 2;
  const y = downLabel + label.height / label.pixelsPerMm / 2;
  if (cover !== undefined && Math.hypot(x - cover.x, y - cover.y) < cover.radius) return COVER;
  const [column, row] = [Math.floor(x * label.pixelsPerMm), Math.floor(y * label.pixelsPerMm)];
  if (column < 0 || row < 0 || column >= label.width || row >= label.height) return TABLE;
  return label.pixels[row * label.width + column] ?? TABLE;
}

/** Blurs a square picture along its rows and then along its columns. The deviation is in pixels. */
function blurBy(light: Float32Array, side: number, deviation: number): Float32Array {
  const reach = Math.ceil(3 * deviation);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, at) =>
    Math.exp(-((at - reach) ** 2 / (2 * deviation ** 2))),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const blurAlong = (from: Float32Array, step: number, line: number) => {
    const to = new Float32Array(from.length);
    for (let index = 0; index < from.length; index += 1) {
      const place = Math.floor(index / step) % side;
      let sum = 0;
      for (const [at, weight] of weights.entries()) {
        const other = Math.max(0, Math.min(side - 1, place + at - reach));
        sum += weight * (from[index + (other - place) * line] ?? 0);
      }
      to[index] = sum / total;
    }
    return to;
  };
  return blurAlong(blurAlong(light, 1, 1), side, side);
}

/** A number from the standard normal distribution (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
