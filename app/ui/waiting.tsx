import { Spinner } from './spinner.tsx';

/** A whole screen that waits, with what it waits for in words. */
export function Waiting({ text }: { readonly text: string }) {
  return (
    <main className="grid min-h-dvh place-content-center p-6">
      <p role="status" className="flex flex-col items-center gap-4 text-lg text-ink-soft">
        <Spinner className="size-10 text-primary" />
        {text}
      </p>
    </main>
  );
}
