import { useEffect, useState } from 'react';
import { loadOnce } from '#app/ui/load-once.ts';
import { whenSettled } from '#app/ui/when-idle.ts';

export type ToastTone = 'success' | 'failure';

/** A notice as passed to the toast host. */
export interface Notice {
  readonly tone: ToastTone;
  readonly text: string;
  readonly milliseconds: number;
  readonly about: string;
  readonly link?: NoticeLink;
}

/** A link in a notice. */
export interface NoticeLink {
  readonly to: string;
  readonly text: string;
}

type Host = typeof import('./toast-host.tsx');

const loadHost = loadOnce(() => import('./toast-host.tsx'));

/** The toast host, once it is mounted. */
let host: Host | null = null;

/** Notices from before that, by topic, and how to load the host. */
const early = new Map<string, Notice>();
let hasteListener = () => {};

interface ToastOptions {
  /** How long it is shown, in milliseconds. */
  readonly milliseconds?: number;
  /**
   * The topic; by default the text. A newer notice replaces an earlier one with the same topic, so that notices are not
   * repeated and do not contradict each other.
   */
  readonly about?: string;
  readonly link?: NoticeLink;
}

/** Shows a short notice on any screen. It disappears after `milliseconds`. */
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

/** Removes the last notice of a topic, because it no longer applies. */
export function dismissToast(about: string): void {
  early.delete(about);
  host?.dismiss(about);
}

export interface ToastsProps {
  readonly label: string;
  readonly closeLabel: string;
}

/**
 * Where notices appear. Mounted once above all screens, so that a notice outlives its screen. The host is fetched with
 * the first notice, or earlier when the browser is idle.
 */
export function Toasts(props: ToastsProps) {
  const [loaded, setLoaded] = useState<Host | null>(null);
  /** The latest notice, where the host cannot be fetched. */
  const [plain, setPlain] = useState<Notice | null>(null);

  useEffect(() => {
    const load = () => {
      // Without a connection, the next notice retries.
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
        className="sticky top-0 z-50 bg-night p-4 text-center font-medium text-on-night text-sm empty:hidden"
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
