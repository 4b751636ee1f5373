import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { classNames } from '#app/ui/class-names.ts';
import { Spinner } from '#app/ui/waiting.tsx';

/** Four corners in the yellow of a tag. */
export function Viewfinder() {
  const corner = 'absolute size-12 border-tag';
  return (
    <div className="absolute inset-0 grid place-content-center pb-16" aria-hidden="true">
      <div className="relative size-[min(62vw,15rem)]">
        <span className={classNames(corner, 'start-0 top-0 rounded-ss-xl border-s-4 border-t-4')} />
        <span className={classNames(corner, 'end-0 top-0 rounded-se-xl border-e-4 border-t-4')} />
        <span className={classNames(corner, 'start-0 bottom-0 rounded-es-xl border-s-4 border-b-4')} />
        <span className={classNames(corner, 'end-0 bottom-0 rounded-ee-xl border-e-4 border-b-4')} />
        <span className="scan-line absolute inset-x-3 top-1/2 h-0.5 rounded-full bg-tag" />
      </div>
    </div>
  );
}

interface RoundButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly label: string;
}

/** A button over the camera picture. */
export function RoundButton({ label, children, ...rest }: RoundButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      className="grid size-12 place-content-center rounded-full bg-[rgb(4_32_26/88%)] text-on-night hover:bg-tag hover:text-on-tag focus-visible:outline-on-night"
    >
      {children}
    </button>
  );
}

interface CameraBarProps {
  /** A button on each side, which may be missing or hidden. */
  readonly start: ReactNode;
  readonly end: ReactNode;
  /** What the camera is doing. */
  readonly state: ReactNode;
  /** What to do meanwhile, in an element of its own. */
  readonly advice: ReactNode;
}

/** What lies over the end of the camera picture. On a narrow screen a side without a button takes no room. */
export function CameraBar({ start, end, state, advice }: CameraBarProps) {
  const side = '@max-[14rem]:empty:hidden size-12 shrink-0 @max-[14rem]:has-[>[hidden]]:hidden';
  return (
    <div className="@container absolute inset-x-4 bottom-4">
      <div className="flex @max-[14rem]:flex-col @max-[14rem]:items-center items-end justify-between gap-3">
        <span className={side}>{start}</span>
        <div
          role="status"
          className="flex flex-col items-center rounded-lg bg-[rgb(4_32_26/88%)] px-4 py-2.5 text-center text-sm"
        >
          <span className="flex items-center gap-2.5 font-semibold">
            <Spinner className="size-4 shrink-0" />
            {state}
          </span>
          {advice}
        </div>
        <span className={side}>{end}</span>
      </div>
    </div>
  );
}
