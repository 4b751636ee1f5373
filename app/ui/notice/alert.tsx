import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import { classNames } from '#app/ui/class-names.ts';

type AlertTone = 'danger' | 'warning' | 'info';

const TONES = {
  danger: { look: 'border-danger/40 bg-danger-soft text-ink', icon: CircleAlert, iconLook: 'text-danger' },
  warning: { look: 'border-tag-strong/60 bg-tag-soft text-ink', icon: TriangleAlert, iconLook: 'text-on-tag-soft' },
  info: { look: 'border-primary/30 bg-primary-soft text-ink', icon: Info, iconLook: 'text-primary' },
} as const;

interface AlertProps {
  readonly tone?: AlertTone;
  readonly title?: string;
  /** Not announced: another element announces it, or it is present from the start. */
  readonly quiet?: boolean;
  readonly children: ReactNode;
}

/** A box with a message. A danger is announced at once, others at the next pause. */
export function Alert({ tone = 'danger', title, quiet = false, children }: AlertProps) {
  const { look, icon: Icon, iconLook } = TONES[tone];
  return (
    <div
      role={quiet ? undefined : tone === 'danger' ? 'alert' : 'status'}
      className={classNames('flex gap-3 rounded-md border px-4 py-3 text-sm', look)}
    >
      <Icon className={classNames('mt-0.5 size-5 shrink-0', iconLook)} aria-hidden="true" />
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children}
      </div>
    </div>
  );
}

/**
 * Why a form was refused. Scrolls into view and takes the focus, which the form's button lost while it was busy. The
 * focus is on a box around the alert, so that the text is announced once.
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
