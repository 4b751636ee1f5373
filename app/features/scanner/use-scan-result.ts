import { useState } from 'react';
import { readPublicConfig } from '#app/lib/public-config.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { showToast } from '#app/ui/toasts.tsx';
import { judgeScannedValue } from '#domain/judge-scanned-value.ts';

/** Milliseconds that the phone buzzes when it has read a code. */
const BUZZ_MS = 60;

export type ScanResult =
  | { readonly kind: 'none' }
  /** What was read is nothing of ours; the search goes on. */
  | { readonly kind: 'not-ours' }
  | { readonly kind: 'foreign'; readonly host: string; readonly code: string | null }
  | { readonly kind: 'checking'; readonly code: string }
  | { readonly kind: 'failed'; readonly code: string };

/** What became of the last thing that was read. */
export function useScanResult(onScan: (code: string) => Promise<void>) {
  const { scanner } = useMessages();
  const [result, setResult] = useState<ScanResult>({ kind: 'none' });

  const accept = async (code: string) => {
    setResult({ kind: 'checking', code });
    await onScan(code).catch(() => {
      setResult({ kind: 'failed', code });
      showToast('failure', scanner.statusFailed, { about: code });
    });
  };
  const read = (text: string) => {
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
