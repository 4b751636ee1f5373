import sharp from 'sharp';
import { encode } from 'uqr';

export interface StickerLook {
  /** Degrees, clockwise. */
  readonly turned?: number;
  /** The code's side as a share of the picture's shorter side. */
  readonly size?: number;
  /** Brightness of ink and paper, 0 to 255: far apart in daylight, near each other in the dark. */
  readonly ink?: number;
  readonly paper?: number;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** One byte of brightness a pixel, row by row. */
  readonly pixels: Uint8Array;
}

/** Draws a sticker with `text`, as a camera of 640 × 480 pixels would see it on a gray table. */
export function drawSticker(text: string, look: StickerLook = {}): Picture {
  const { turned = 0, size = 0.6, ink = 20, paper = 235 } = look;
  const [width, height] = [640, 480];
  const { data: modules } = encode(text, { ecc: 'M', border: 4 });
  const pixelsPerModule = (height * size) / modules.length;
  const [sine, cosine] = [Math.sin((turned * Math.PI) / 180), Math.cos((turned * Math.PI) / 180)];
  const pixels = new Uint8Array(width * height).fill((ink + paper) / 2);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [fromCentreX, fromCentreY] = [x + 0.5 - width / 2, y + 0.5 - height / 2];
      const column = (fromCentreX * cosine + fromCentreY * sine) / pixelsPerModule + modules.length / 2;
      const row = (fromCentreY * cosine - fromCentreX * sine) / pixelsPerModule + modules.length / 2;
      const isInk = modules[Math.floor(row)]?.[Math.floor(column)];
      if (isInk !== undefined) pixels[y * width + x] = isInk ? ink : paper;
    }
  }
  return { width, height, pixels };
}

/** A photo of a sticker, as a file to choose. */
export async function photographSticker(text: string, look?: StickerLook) {
  const { width, height, pixels } = drawSticker(text, look);
  const buffer = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .jpeg({ quality: 70 })
    .toBuffer();
  return { name: 'sticker.jpg', mimeType: 'image/jpeg', buffer };
}
