import { Copy } from 'lucide-react';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/toasts.tsx';
import { usePublicConfig } from './public-config.ts';
import { useMessages } from './use-messages.ts';

/** The link by which a finder comes to an item (specification, section 4), to copy or to write down. */
export function FinderLink({ code, title }: { readonly code: string; readonly title: string }) {
  const { common, item, toasts } = useMessages();
  const { publicUrl } = usePublicConfig();
  const link = `${publicUrl}/?code=${code}`;

  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => showToast('success', toasts.linkCopied),
      () => showToast('failure', common.anErrorOccurred),
    );

  return (
    <div className="flex w-full flex-col gap-3">
      <p className="flex flex-col text-start">
        <span className="text-ink-soft text-xs">{title}</span>
        <span dir="ltr" className="select-all break-all font-mono text-sm">
          {link}
        </span>
      </p>
      <Button variant="outline" onClick={() => void copy()}>
        <Copy className="size-5" aria-hidden="true" />
        {item.owner.copyLink}
      </Button>
    </div>
  );
}
