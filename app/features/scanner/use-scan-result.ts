import { useEffect, useRef, useState } from 'react';
import { readPublicConfig } from '#app/lib/public-config.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { showToast } from '#app/ui/toasts.tsx';
import { judgeScannedValue } from '#domain/judge-scanned-value.ts';

/** Milliseconds that the phone buzzes when it has read a code. */
const BUZZ_MS = 60;

/** What happens with a code, for as long as somebody wants it to. Rejects where that cannot be told. */
export type OnScan = (code: string, isWanted: () => boolean) => Promise<void>;

export type ScanResult =
  | { readonly kind: 'none' }
  /** What was read is nothing of ours; the search goes on. */
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'foreign'; readonly host: string; readonly code: string | null }
  | { readonly kind: 'checking'; readonly code: string }
  | { readonly kind: 'failed'; readonly code: string };

/** What became of the last thing that was read. Once the scanner is closed nothing becomes of it any more. */
export function useScanResult(onScan: OnScan) {
  const { scanner } = useMessages();
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
