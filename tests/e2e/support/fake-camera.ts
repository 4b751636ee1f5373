import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, type LaunchOptions, type Page } from '@playwright/test';
import type { Picture } from './draw-sticker.ts';

interface FakeCamera {
  /** What stands before the camera. */
  readonly picture: Picture;
  /** How many cameras see it; 1 unless said. */
  readonly cameras?: number;
  readonly launchOptions: LaunchOptions;
  readonly contextOptions: BrowserContextOptions;
}

/** Runs `work` in a browser of its own, whose camera sees the picture and may be used. */
export async function withCamera(
  { picture, cameras = 1, launchOptions, contextOptions }: FakeCamera,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'reunite-camera-'));
  const video = join(folder, 'sticker.y4m');
  await writeFile(video, uncompressedVideo(picture));
  const browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      `--use-fake-device-for-media-stream=device-count=${cameras}`,
      `--use-file-for-fake-video-capture=${video}`,
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

/** YUV4MPEG2: a line for the video, then each frame as brightness and two planes of colour at half the size. */
function uncompressedVideo({ width, height, pixels }: Picture): Buffer {
  const grey = Buffer.alloc((width / 2) * (height / 2) * 2, 128);
  const frame = [Buffer.from('FRAME\n'), pixels, grey];
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420\n`), ...frame, ...frame]);
}
