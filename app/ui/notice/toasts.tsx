import { useEffect, useState } from 'react';
import { loadOnce } from './load-once.ts';
import { whenSettled } from './when-settled.ts';

export type ToastTone = 'success' | 'failure';

/** A notice as it is handed to what shows it. */
export interface Notice {
  readonly tone: ToastTone;
  readonly text: string;
  readonly milliseconds: number;
  readonly about: string;
  readonly link?: NoticeLink;
}

/** Where a notice leads on. */
export interface NoticeLink {
  readonly to: string;
  readonly text: string;
}

type Host = typeof import('./toast-host.tsx');

const loadHost = loadOnce(() => import('./toast-host.tsx'));

/** What shows notices, once it is on the page. */
let host: Host | null = null;

/** Notices that came before that, by what they are about, and how to have them shown. */
const early = new Map<string, Notice>();
let hasteListener = () => {};

interface ToastOptions {
  /** How long it stays. */
  readonly milliseconds?: number;
  /**
   * What it is about: its own text unless said. A newer notice about the same takes its place, so that none stands
   * there twice and no two contradict each other.
   */
  readonly about?: string;
  readonly link?: NoticeLink;
}

/** Shows a short notice over whatever screen is there. It goes after `milliseconds`, 5 seconds unless said. */
export function showToast(
  tone: ToastTone,
  text: string,
  { milliseconds = 5_000, about = text, link }: ToastOptions = {},
): void {
  const notice = { tone, text, milliseconds, about, ...(link && { link }) };
  if (host === null) {
    early.delete(about);
    early.set(about, notice);
    hasteListener();
  } else {
    host.show(notice);
  }
}

/** Takes away what the last notice about this said, because it no longer holds. */
export function dismissToast(about: string): void {
  early.delete(about);
  host?.dismiss(about);
}

export interface ToastsProps {
  readonly label: string;
  readonly closeLabel: string;
}

/**
 * Where the notices appear. Stands once in a tree of screens, so that a notice outlives the screen that showed it. What
 * shows them is fetched with the first notice, or before it when the screen is there and the browser idle.
 */
export function Toasts(props: ToastsProps) {
  const [loaded, setLoaded] = useState<Host | null>(null);
  /** The newest notice, where what shows them cannot be fetched. */
  const [plain, setPlain] = useState<Notice | null>(null);

  useEffect(() => {
    const load = () => {
      // Without a connection the next notice tries again.
      loadHost().then(setLoaded, () => setPlain([...early.values()].at(-1) ?? null));
    };
    hasteListener = load;
    if (early.size > 0) load();
    const stop = whenSettled(load);
    return () => {
      stop();
      hasteListener = () => {};
      host = null;
    };
  }, []);

  useEffect(() => {
    if (plain === null) return;
    const timer = setTimeout(() => {
      early.delete(plain.about);
      setPlain(null);
    }, plain.milliseconds);
    return () => clearTimeout(timer);
  }, [plain]);

  if (loaded === null) {
    return (
      <p
        role="status"
        className="fixed inset-x-4 bottom-4 z-50 mx-auto max-w-md rounded-md bg-night p-4 font-medium text-on-night text-sm shadow-floating empty:hidden"
      >
        {plain?.text}
      </p>
    );
  }
  const { ToastHost } = loaded;
  const onReady = () => {
    host = loaded;
    for (const notice of early.values()) loaded.show(notice);
    early.clear();
  };
  return <ToastHost {...props} onReady={onReady} />;
}
