import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useHashDialog } from '#app/lib/use-hash-dialog.ts';
import { useMessages } from '#app/lib/use-messages.ts';
import { Button, type ButtonProps } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { SCAN_HASH } from '#domain/scan-address.ts';

type ScannerComponent = typeof import('./scanner.tsx').Scanner;

interface ScanButtonProps extends Omit<ButtonProps, 'onClick' | 'busy'> {
  readonly children: ReactNode;
  /** It was pressed before it was there. */
  readonly openAtOnce?: boolean;
}

/**
 * Opens the scanner for a finder, on a page that is too light to carry it: its code is fetched when it is asked for.
 * Without scripts there is none.
 */
export function ScanButton({ children, className, openAtOnce = false, ...look }: ScanButtonProps) {
  const { scanner } = useMessages();
  const [Loaded, setLoaded] = useState<ScannerComponent | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useHashDialog(SCAN_HASH);
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');

  const start = async () => {
    setState('loading');
    await import('./scanner.tsx').then(
      ({ Scanner }) => {
        setLoaded(() => Scanner);
        setOpen(true);
        setState('idle');
      },
      () => setState('failed'),
    );
  };
  const startAtOnce = useEffectEvent(() => {
    if (Loaded === null && (openAtOnce || open)) void start();
  });
  useEffect(() => startAtOnce(), []);

  return (
    <>
      <Button
        {...look}
        className={classNames('noscript:hidden', className)}
        ref={button}
        busy={state === 'loading'}
        onClick={() => void start()}
      >
        {children}
      </Button>
      {state === 'failed' && (
        <p role="alert" className="text-sm">
          {scanner.notLoaded}
        </p>
      )}
      {Loaded !== null && <Loaded mode="find" open={open} onOpenChange={setOpen} finalFocus={button} />}
    </>
  );
}
