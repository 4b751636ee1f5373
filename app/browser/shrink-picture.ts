/** In pixels; slightly more than is stored, so that the server decides the final size. */
const LONGER_SIDE = 1600;
const QUALITY = 0.85;

/** The browser cannot decode the file as a picture. */
export class UnreadablePicture extends Error {}

/**
 * Returns the picture as an upright JPEG of at most 1600 pixels. It is redrawn, so that metadata such as place and time
 * stays on the device. Throws `UnreadablePicture`.
 */
export async function shrinkPicture(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch((cause: unknown) => {
    throw new UnreadablePicture('The picture could not be decoded.', { cause });
  });
  try {
    const canvas = drawOnWhite(bitmap, Math.min(1, LONGER_SIDE / Math.max(bitmap.width, bitmap.height)));
    const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
    if (drawn === null) throw new UnreadablePicture('The browser could not write the picture.');
    return drawn;
  } finally {
    bitmap.close();
  }
}

/**
 * Returns a canvas with the picture in another size. It is on white: JPEG has no transparency, which would become black,
 * and neither has paper. Throws `UnreadablePicture`.
 */
export function drawOnWhite(picture: ImageBitmap | HTMLImageElement, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const pen = canvas.getContext('2d');
  if (pen === null) throw new UnreadablePicture('The browser has no canvas left.');
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}
