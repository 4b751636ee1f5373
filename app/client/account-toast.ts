import { dismissToast, showToast, type ToastTone } from '#app/ui/toasts.tsx';

const ABOUT = 'account';

/** A notice of signing in, up or out. Only the newest of them stands; `milliseconds` is how long. */
export function showAccountToast(tone: ToastTone, text: string, options: { milliseconds?: number } = {}): void {
  showToast(tone, text, { ...options, about: ABOUT });
}

/** What the notice spoke of has been given up. */
export function dismissAccountToast(): void {
  dismissToast(ABOUT);
}
