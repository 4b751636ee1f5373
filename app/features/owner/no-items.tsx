import { useMessages } from '#app/lib/use-messages.ts';
import { LogoMark } from '#app/ui/logo.tsx';

export function NoItems() {
  const { dashboard } = useMessages();
  return (
    <div className="flex flex-col items-center gap-4 rounded-xl border-2 border-line border-dashed px-6 py-14 text-center">
      <LogoMark className="size-16 -rotate-6" />
      <h2 className="font-bold text-xl">{dashboard.emptyTitle}</h2>
      <p className="text-ink-soft">{dashboard.emptyText}</p>
    </div>
  );
}
