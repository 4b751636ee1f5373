import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { openQrReader, type QrReader } from './qr-reader.ts';
import { DECODER } from './worker-address.ts';

/** As coarse as a cheap printer, so that a code that passes is read from paper: about 200 dots per inch. */
export const CHECKED_PIXELS_PER_MM = 8;

/** A code to check. */
export interface CheckedCode {
  readonly id: string;
  /** What it says. */
  readonly link: string;
  /** Draws it as it is printed, with `CHECKED_PIXELS_PER_MM`. */
  readonly draw: () => HTMLCanvasElement;
}

export type CodeCheck =
  | { readonly kind: 'checking' }
  /** `unreadable` has the ids of those that cannot be read. */
  | { readonly kind: 'checked'; readonly unreadable: ReadonlySet<string> }
  /** Decoding does not work at all. */
  | { readonly kind: 'failed' };

/**
 * Draws each code as pixels and reads it again, whenever `drawn` changes, which names all that is drawn. Returns the
 * result, and a function that tries again.
 */
export function useCodeCheck(codes: readonly CheckedCode[], drawn: string): [CodeCheck, () => void] {
  const [attempt, setAttempt] = useState(1);
  const wanted = `${attempt} ${drawn}`;
  const [result, setResult] = useState<{ readonly of: string; readonly check: CodeCheck } | null>(null);
  const openReader = useReader();

  const check = useEffectEvent(async (isWanted: () => boolean) => readAgain(await openReader(), codes, isWanted));

  useEffect(() => {
    let isWanted = true;
    check(() => isWanted).then(
      (unreadable) => isWanted && setResult({ of: wanted, check: { kind: 'checked', unreadable } }),
      () => isWanted && setResult({ of: wanted, check: { kind: 'failed' } }),
    );
    return () => {
      isWanted = false;
    };
  }, [wanted]);

  return [result?.of === wanted ? result.check : { kind: 'checking' }, () => setAttempt((last) => last + 1)];
}

/** Returns what opens one reader for the life of the screen. */
function useReader(): () => Promise<QrReader> {
  const opened = useRef<Promise<QrReader> | null>(null);
  useEffect(
    () => () => {
      opened.current?.then((reader) => reader.close()).catch(() => {});
      opened.current = null;
    },
    [],
  );
  return () => {
    opened.current ??= openQrReader(DECODER);
    return opened.current;
  };
}

async function readAgain(
  reader: QrReader,
  codes: readonly CheckedCode[],
  isWanted: () => boolean,
): Promise<ReadonlySet<string>> {
  const unreadable = new Set<string>();
  for (const { id, link, draw } of codes) {
    if (!isWanted()) break;
    if ((await reader.read(draw())) !== link) unreadable.add(id);
  }
  return unreadable;
}
