import { showToast } from '#app/ui/notice/toasts.tsx';
import { writeClipboard } from './write-clipboard.ts';

interface CopyNotices {
  readonly copied: string;
  readonly failed: string;
  /** The topic of the notice; it replaces an earlier one with the same topic. */
  readonly about?: string;
}

/**
 * Copies a text to the clipboard and reports success or failure. It fails where the browser refuses.
 */
export async function copyText(text: string, { copied, failed, ...options }: CopyNotices): Promise<void> {
  try {
    await writeClipboard(text);
  } catch {
    showToast('failure', failed, options);
    return;
  }
  showToast('success', copied, options);
}
