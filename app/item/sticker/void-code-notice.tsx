import { useTexts } from '#app/i18n/use-texts.ts';
import { Alert } from '#app/ui/notice/alert.tsx';
import { isolateName } from '#domain/isolate-name.ts';

/** Tells an owner that an operator has voided a code of theirs, and why. */
export function VoidCodeNotice({ reason }: { readonly reason: string }) {
  const { item } = useTexts();
  return (
    <Alert tone="warning" quiet title={item.voidCodeTitle}>
      <p className="wrap-anywhere">{item.voidCodeReason(isolateName(reason))}</p>
      <p className="mt-1">{item.voidCodeAdvice}</p>
    </Alert>
  );
}
