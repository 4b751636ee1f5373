import { useEffect, useRef } from 'react';
import { Alert } from './alert.tsx';

/**
 * Why a form was refused. It brings itself into view and takes the focus, which its button lost while it was busy.
 * The focus lies on a box around the alert, so that the text is announced once.
 */
export function Refusal({ text }: { readonly text: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div ref={box} tabIndex={-1} className="rounded-md">
      <Alert>{text}</Alert>
    </div>
  );
}
