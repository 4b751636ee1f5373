import { showToast } from '#app/ui/toasts.tsx';

interface CopyNotices {
  readonly copied: string;
  readonly failed: string;
  /** What the notice is about, where it takes the place of another. */
  readonly about?: string;
}

/**
 * Puts a text on the clipboard and says whether it is there. It is not where the browser refuses, or has no clipboard at
 * all, as on plain HTTP.
 */
export async function copyText(text: string, { copied, failed, ...options }: CopyNotices): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    showToast('failure', failed, options);
    return;
  }
  showToast('success', copied, options);
}
