import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

type AlertTone = 'danger' | 'warning' | 'info';

const TONES = {
  danger: { look: 'border-danger/40 bg-danger-soft text-ink', icon: CircleAlert, iconLook: 'text-danger' },
  warning: { look: 'border-tag-strong/60 bg-tag-soft text-ink', icon: TriangleAlert, iconLook: 'text-on-tag-soft' },
  info: { look: 'border-primary/30 bg-primary-soft text-ink', icon: Info, iconLook: 'text-primary' },
} as const;

interface AlertProps {
  readonly tone?: AlertTone;
  readonly title?: string;
  /** Not announced: something else says it, or it is there from the start. */
  readonly quiet?: boolean;
  readonly children: ReactNode;
}

/** A box that says what is the matter. A danger is announced at once, the rest when there is a pause. */
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
