import { type ButtonHTMLAttributes, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { Link, type LinkProps } from 'react-router';
import { classNames } from './class-names.ts';
import { Spinner } from './waiting.tsx';

/**
 * `tag` is for a page's main action, `primary` for a form's, `danger` for what cannot be undone, `outline` and `quiet`
 * for the rest.
 */
type ButtonVariant = 'tag' | 'primary' | 'danger' | 'outline' | 'quiet';
type ButtonSize = 'medium' | 'large';

const VARIANTS: Record<ButtonVariant, string> = {
  tag: 'bg-tag text-on-tag hover:bg-tag-strong',
  primary: 'bg-primary text-on-primary hover:bg-primary-strong',
  danger: 'border border-danger/50 text-danger hover:bg-danger hover:text-on-danger',
  outline: 'border border-line-strong bg-surface text-ink hover:border-primary hover:text-primary',
  quiet: 'text-primary hover:bg-primary-soft disabled:bg-transparent!',
};

const SIZES: Record<ButtonSize, string> = {
  medium: 'min-h-12 px-4 text-base/tight sm:px-5',
  large: 'min-h-14 px-7 text-lg/tight',
};

interface Look {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  /** Fills the width of its container. */
  readonly wide?: boolean;
}

function look({ variant = 'primary', size = 'medium', wide = false }: Look, className: string | undefined): string {
  return classNames(
    'inline-flex items-center justify-center gap-2.5 rounded-md py-2 text-center font-semibold',
    'transition-[background-color,border-color,color,transform] active:translate-y-px',
    // In forced colors, only the border shows the button.
    'forced-colors:border',
    'disabled:cursor-not-allowed disabled:border-transparent disabled:bg-sunken disabled:text-ink-soft',
    VARIANTS[variant],
    SIZES[size],
    wide && 'w-full',
    className,
  );
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /**
   * Whether its action is in progress. It is announced to assistive technology, and the button cannot be pressed. A
   * disabled button loses the focus; it regains it afterwards unless another element has taken it.
   */
  readonly busy?: boolean;
  readonly ref?: Ref<HTMLButtonElement | null>;
}

export function Button(props: ButtonProps) {
  const { variant, size, wide, busy = false, className, disabled, children, ref, ...rest } = props;
  const own = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => own.current, []);

  // A layout effect, because the focus is lost at painting, and before effects that move the focus.
  useLayoutEffect(() => {
    if (busy) hadFocus.current = document.activeElement === own.current;
    else if (hadFocus.current && document.activeElement === document.body) own.current?.focus({ preventScroll: true });
  }, [busy]);

  return (
    <button
      type="button"
      {...rest}
      ref={own}
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={look({ ...(variant && { variant }), ...(size && { size }), ...(wide && { wide }) }, className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/** A link styled as a button, for navigation rather than an action. */
export function LinkButton({
  variant,
  size,
  wide,
  className,
  ...rest
}: LinkProps & Look & { readonly className?: string }) {
  return (
    <Link
      {...rest}
      className={look({ ...(variant && { variant }), ...(size && { size }), ...(wide && { wide }) }, className)}
    />
  );
}
