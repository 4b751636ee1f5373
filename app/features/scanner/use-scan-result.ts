import { useEffect, useRef, useState } from 'react';
import { dataClient } from '#app/client/browser-client.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { findTypedCode } from '#app/data/tag-codes.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { judgeScannedValue } from '#domain/tag-code/judge-scanned-value.ts';
import type { StickerCode } from '#domain/tag-code/read-scanned-value.ts';

/** How long the phone vibrates after reading a code, in milliseconds. */
const BUZZ_MS = 60;

/**
 * Handles a code while `isWanted` returns true. `isRead`: it was read from a sticker that leads here, and not typed.
 * Rejects where the code cannot be looked up.
 */
export type OnScan = (code: string, isWanted: () => boolean, isRead: boolean) => Promise<void>;

export type ScanResult =
  | { readonly kind: 'none' }
  /** The code read is not one of ours; scanning continues. */
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'foreign'; readonly host: string; readonly sticker: StickerCode | null }
  | { readonly kind: 'checking'; readonly sticker: StickerCode }
  /** No sticker has this typed code. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly sticker: StickerCode };

/** The state of the last code read. Closing the scanner cancels it. */
export function useScanResult(onScan: OnScan) {
  const { scanner } = useTexts();
  const [result, setResult] = useState<ScanResult>({ kind: 'none' });
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const open = async (sticker: StickerCode, isRead: boolean) => {
    const code =
      sticker.kind === 'tag-code' ? sticker.code : await findTypedCode(await dataClient(), sticker.typedCode);
    if (!isOpen.current) return;
    if (code === null) setResult({ kind: 'unknown' });
    else await onScan(code, () => isOpen.current, isRead);
  };
  const accept = async (sticker: StickerCode, isRead = false) => {
    setResult({ kind: 'checking', sticker });
    await open(sticker, isRead).catch(() => {
      if (isOpen.current) setResult({ kind: 'failed', sticker });
    });
  };
  const read = (text: string) => {
    if (!isOpen.current) return;
    const judged = judgeScannedValue(text, [location.host, ...readPublicConfig().stickerHosts]);
    if (judged.kind === 'unreadable') return setResult({ kind: 'not-ours' });
    if (judged.kind === 'foreign') return setResult(judged);
    // Missing in Safari.
    navigator.vibrate?.(BUZZ_MS);
    const { sticker } = judged;
    showToast('success', scanner.detected, { about: sticker.kind === 'tag-code' ? sticker.code : sticker.typedCode });
    void accept(sticker, true);
  };
  return {
    result,
    read,
    accept: (sticker: StickerCode) => void accept(sticker),
    reset: () => setResult({ kind: 'none' }),
  };
}
