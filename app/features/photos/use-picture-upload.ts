import { useEffect, useRef, useState } from 'react';
import { shrinkPicture, UnreadablePicture } from '#app/browser/shrink-picture.ts';
import { openFiles } from '#app/client/open-files.ts';
import { type PictureBucket, uploadPicture } from './stored-pictures.ts';

type PictureProblem = 'unreadable' | 'offline' | 'full' | 'noRoom' | 'tooMany' | 'failed';

type UploadState =
  | { readonly step: 'idle' }
  | { readonly step: 'preparing' }
  /** `share` is from 0 to 1; the preview is a URL in this browser. */
  | { readonly step: 'uploading'; readonly share: number; readonly preview: string }
  | { readonly step: 'failed'; readonly problem: PictureProblem };

export interface PictureUpload {
  readonly state: UploadState;
  /** Begins with a file that the user took or chose. */
  start(file: Blob): void;
  /** Retries with the same file after a failure. */
  retry(): void;
  cancel(): void;
}

/** The picture was uploaded, but saving it was refused. */
export class PictureRefused extends Error {}

/**
 * State of one upload: resized in the browser, uploaded, and passed to `save` by name. A new file, `cancel` and leaving
 * the screen abort it.
 */
export function usePictureUpload(
  bucket: PictureBucket,
  save: (name: string, signal: AbortSignal) => Promise<void>,
): PictureUpload {
  const [state, setState] = useState<UploadState>({ step: 'idle' });
  const running = useRef<AbortController | null>(null);
  const chosen = useRef<Blob | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (file: Blob) => {
    running.current?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    chosen.current = file;
    let preview: string | undefined;
    try {
      setState({ step: 'preparing' });
      const picture = await shrinkPicture(file);
      if (signal.aborted) return;
      const shown = URL.createObjectURL(picture);
      preview = shown;
      setState({ step: 'uploading', share: 0, preview: shown });
      const onProgress = (share: number) => {
        if (!signal.aborted) setState({ step: 'uploading', share, preview: shown });
      };
      const name = await uploadPicture(bucket, picture, { onProgress, signal });
      if (signal.aborted) return;
      await save(name, signal).catch((error: unknown) => {
        void takeDown(bucket, name);
        throw error;
      });
      setState({ step: 'idle' });
    } catch (error) {
      if (!signal.aborted) setState({ step: 'failed', problem: problemOf(error) });
    } finally {
      if (preview !== undefined) URL.revokeObjectURL(preview);
    }
  };

  return {
    state,
    start: (file) => void run(file),
    retry: () => {
      if (chosen.current !== null) void run(chosen.current);
    },
    cancel: () => {
      running.current?.abort();
      setState({ step: 'idle' });
    },
  };
}

/** An unused picture is deleted after a day in any case; this does it sooner. */
async function takeDown(bucket: PictureBucket, name: string): Promise<void> {
  await openFiles()
    .then((files) => files.from(bucket).remove([name]))
    .catch(() => undefined);
}

function problemOf(error: unknown): PictureProblem {
  if (error instanceof UnreadablePicture) return 'unreadable';
  if (error instanceof PictureRefused) return 'failed';
  const { status, statusCode } = typeof error === 'object' && error !== null ? (error as StorageFailure) : {};
  if (status === undefined || status === 0) return 'offline';
  if (status === 429) return 'tooMany';
  if (statusCode === '413') return 'full';
  if (statusCode === '507') return 'noRoom';
  return statusCode === '415' ? 'unreadable' : 'failed';
}

/** The fields of the storage service's errors; a lost connection has none of them. */
interface StorageFailure {
  readonly status?: number;
  readonly statusCode?: string;
}
