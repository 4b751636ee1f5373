import { Copy, Download, Printer } from 'lucide-react';
import { copyText } from '#app/browser/clipboard/copy-text.ts';
import { saveFile } from '#app/browser/save-file.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { useSecurityTexts } from './use-security-texts.ts';

interface RecoveryCodesDialogProps {
  /** Null while there is nothing to show. */
  readonly codes: readonly string[] | null;
  readonly onClose: () => void;
}

/** Shows new recovery codes, which cannot be shown again, with ways to save them. */
export function RecoveryCodesDialog({ codes, onClose }: RecoveryCodesDialogProps) {
  const { common } = useTexts();
  const security = useSecurityTexts();
  const { productName, storagePrefix } = usePublicConfig();
  const shown = codes ?? [];
  const text = [security.codesFileTitle(productName), '', ...shown, ''].join('\n');

  const copy = () =>
    copyText(shown.join('\n'), { copied: security.copied, failed: security.copyFailed, about: 'security' });

  return (
    <Dialog
      open={codes !== null}
      onOpenChange={(open) => open || onClose()}
      title={security.recoveryCodesTitle}
      closeLabel={common.close}
    >
      <p className="text-ink-soft">{security.recoveryCodesText}</p>
      <div className="print-alone rounded-md bg-sunken p-4">
        <p className="mb-4 hidden font-semibold print:block">
          <WithName of={security.codesFileTitle} name={productName} />
        </p>
        <ol translate="no" dir="ltr" className="grid gap-x-6 gap-y-1 font-mono text-sm sm:grid-cols-2">
          {shown.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button variant="outline" onClick={() => void copy()}>
          <Copy className="size-5" aria-hidden="true" />
          {security.copyCodes}
        </Button>
        <Button
          variant="outline"
          onClick={() => saveFile(security.codesFileName(storagePrefix), new Blob([text], { type: 'text/plain' }))}
        >
          <Download className="size-5" aria-hidden="true" />
          {security.downloadCodes}
        </Button>
        <Button variant="outline" onClick={() => print()}>
          <Printer className="size-5" aria-hidden="true" />
          {security.printCodes}
        </Button>
      </div>
      <Button onClick={onClose}>{security.codesKept}</Button>
    </Dialog>
  );
}
