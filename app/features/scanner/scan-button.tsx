import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useHashDialog } from '#app/browser/use-hash-dialog.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button, type ButtonProps } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { loadPart, MissingPart } from '#app/ui/load-part.ts';
import { SCAN_HASH } from '#domain/tag-code/scan-address.ts';

type ScannerComponent = typeof import('./scanner.tsx').Scanner;

interface ScanButtonProps extends Omit<ButtonProps, 'onClick' | 'busy'> {
  readonly children: ReactNode;
}

/** Opens the scanner on a light page: its code is only fetched on demand. Hidden without scripts. */
export function ScanButton({ children, className, ...look }: ScanButtonProps) {
  const { common, scanner } = useTexts();
  const [Loaded, setLoaded] = useState<ScannerComponent | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useHashDialog(SCAN_HASH);
  const [state, setState] = useState<'idle' | 'loading' | 'failed' | 'missing'>('idle');

  // The visitor may have left by the time the code arrives, and opening it would lead them back.
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);

  const start = async () => {
    setState('loading');
    await loadPart(() => import('./scanner.tsx')).then(
      ({ Scanner }) => {
        if (isGone.current) return;
        setLoaded(() => Scanner);
        setOpen(true);
        setState('idle');
      },
      (error: unknown) => setState(error instanceof MissingPart ? 'missing' : 'failed'),
    );
  };
  const startAtOnce = useEffectEvent(() => {
    if (Loaded === null && open) void start();
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
      {(state === 'failed' || state === 'missing') && (
        <p role="alert" className="text-sm">
          {state === 'failed' ? scanner.notLoaded : common.partMissing}
        </p>
      )}
      {Loaded !== null && <Loaded mode="find" open={open} onOpenChange={setOpen} finalFocus={button} />}
    </>
  );
}
