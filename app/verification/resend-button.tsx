import { useSignInTexts } from '#app/i18n/use-sign-in-texts.ts';
import { Button } from '#app/ui/button.tsx';

interface ResendButtonProps {
  /** The seconds until another code can be requested. */
  readonly secondsLeft: number;
  readonly busy: boolean;
  readonly disabled?: boolean;
  readonly onResend: () => void;
}

/** Requests another code, after the gap between two. */
export function ResendButton({ secondsLeft, busy, disabled = false, onResend }: ResendButtonProps) {
  const { verification } = useSignInTexts();
  return (
    <Button
      variant="quiet"
      className="px-3! text-sm!"
      busy={busy}
      disabled={disabled || secondsLeft > 0}
      onClick={onResend}
    >
      {secondsLeft > 0 ? verification.resendIn(secondsLeft) : verification.resend}
    </Button>
  );
}
