import { dismissToast, showToast, type ToastTone } from '#app/ui/notice/toasts.tsx';

const ABOUT = 'account';

/** Shows a notice about signing in, up or out, in place of the previous one. */
export function showAccountToast(tone: ToastTone, text: string, options: { milliseconds?: number } = {}): void {
  showToast(tone, text, { ...options, about: ABOUT });
}

/** Removes the notice, because it no longer applies. */
export function dismissAccountToast(): void {
  dismissToast(ABOUT);
}
