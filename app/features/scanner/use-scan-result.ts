import { useEffect, useRef, useState } from 'react';
import { readPublicConfig } from '#app/client/public-config.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { judgeScannedValue } from '#domain/tag-code/judge-scanned-value.ts';

/** How long the phone vibrates after reading a code, in milliseconds. */
const BUZZ_MS = 60;

/** Handles a code while `isWanted` returns true. Rejects where the code cannot be looked up. */
export type OnScan = (code: string, isWanted: () => boolean) => Promise<void>;

export type ScanResult =
  | { readonly kind: 'none' }
  /** The code read is not one of ours; scanning continues. */
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'foreign'; readonly host: string; readonly code: string | null }
  | { readonly kind: 'checking'; readonly code: string }
  | { readonly kind: 'failed'; readonly code: string };

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

  const accept = async (code: string) => {
    setResult({ kind: 'checking', code });
    await onScan(code, () => isOpen.current).catch(() => {
      if (isOpen.current) setResult({ kind: 'failed', code });
    });
  };
  const read = (text: string) => {
    if (!isOpen.current) return;
    const judged = judgeScannedValue(text, [new URL(readPublicConfig().publicUrl).host, location.host]);
    if (judged.kind === 'unreadable') return setResult({ kind: 'not-ours' });
    if (judged.kind === 'foreign') return setResult(judged);
    // Missing in Safari.
    navigator.vibrate?.(BUZZ_MS);
    showToast('success', scanner.detected, { about: judged.code });
    void accept(judged.code);
  };
  return { result, read, accept: (code: string) => void accept(code), reset: () => setResult({ kind: 'none' }) };
}
