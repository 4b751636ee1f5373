import type { HTMLAttributes } from 'react';
import { classNames } from './class-names.ts';

/** A raised surface. */
export function Card({ className, ...rest }: HTMLAttributes<HTMLDivElement>) {
  return (
    <div
      {...rest}
      className={classNames('rounded-lg border border-line bg-surface p-5 shadow-raised sm:p-7', className)}
    />
  );
}
