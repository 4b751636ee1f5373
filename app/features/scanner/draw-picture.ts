/** Draws a picture into the canvas, no side of it longer than `longest` pixels: more costs time and finds no more. */
export function drawPicture(
  canvas: HTMLCanvasElement,
  picture: CanvasImageSource,
  { width, height, longest }: { readonly width: number; readonly height: number; readonly longest: number },
): void {
  const scale = Math.min(1, longest / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d', { willReadFrequently: true })?.drawImage(picture, 0, 0, canvas.width, canvas.height);
}
