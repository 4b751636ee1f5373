import { WifiOff } from 'lucide-react';
import { LogoMark } from '#app/ui/logo.tsx';
import type { Texts } from '#domain/texts/screen-texts.ts';

interface OfflinePageProps {
  readonly productName: string;
  readonly texts: Texts;
}

/** Replaces a page that could not be fetched, at that page's own URL, so that a reload retries it. */
export function OfflinePage({ productName, texts: { common, offlinePage } }: OfflinePageProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto flex w-full max-w-6xl items-center gap-2.5 px-4 py-4 font-bold text-lg tracking-tight sm:px-6">
        <LogoMark />
        <span translate="no">{productName}</span>
      </header>
      <main className="mx-auto flex w-full max-w-md flex-1 flex-col items-center justify-center gap-5 px-6 pb-24 text-center">
        <span className="grid size-20 place-content-center rounded-xl bg-tag text-on-tag">
          <WifiOff className="size-10" aria-hidden="true" />
        </span>
        <h1 className="font-bold text-3xl">{offlinePage.title}</h1>
        <p className="text-ink-soft">{offlinePage.text}</p>
        <button
          type="button"
          data-again=""
          className="inline-flex min-h-12 items-center rounded-md bg-primary px-5 font-semibold text-on-primary hover:bg-primary-strong"
        >
          {common.tryAgain}
        </button>
      </main>
    </div>
  );
}
