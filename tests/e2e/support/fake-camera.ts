import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type LaunchOptions, type Page } from '@playwright/test';
import type { Picture } from './draw-sticker.ts';

interface FakeCamera {
  /** What the camera sees. Without it there are two cameras with Chromium's own test pictures. */
  readonly picture?: Picture;
  readonly launchOptions: LaunchOptions;
  readonly contextOptions: BrowserContextOptions;
}

/** Runs `work` in a separate browser with camera permission. */
export async function withCamera(
  { picture, launchOptions, contextOptions }: FakeCamera,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'reunite-camera-'));
  const video = join(folder, 'sticker.y4m');
  if (picture !== undefined) await writeFile(video, uncompressedVideo(picture));
  const browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      // Not every headless build asks for the camera; permission is granted here as well.
      '--use-fake-ui-for-media-stream',
      ...(picture === undefined
        ? ['--use-fake-device-for-media-stream=device-count=2']
        : ['--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${video}`]),
    ],
  });
  try {
    const context = await browser.newContext({ ...contextOptions, permissions: ['camera'] });
    await work(await context.newPage());
  } finally {
    await browser.close();
    await rm(folder, { recursive: true });
  }
}

/** YUV4MPEG2: a line for the video, then each frame as brightness and two planes of color at half the size. */
function uncompressedVideo({ width, height, pixels }: Picture): Buffer {
  const gray = Buffer.alloc((width / 2) * (height / 2) * 2, 128);
  const frame = [Buffer.from('FRAME\n'), pixels, gray];
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420\n`), ...frame, ...frame]);
}
