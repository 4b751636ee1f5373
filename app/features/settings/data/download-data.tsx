import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveFile } from '#app/browser/save-file.ts';
import { browserClient } from '#app/client/browser-client.ts';
import { usePublicConfig } from '#app/client/public-config.ts';
import { Button } from '#app/ui/button.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { useRecentProof } from '#app/verification/recent-proof.tsx';
import { useOwnDataTexts } from './use-own-data-texts.ts';

/** Downloads all data that the service stores about the account. */
export function DownloadData() {
  const ownData = useOwnDataTexts();
  const { storagePrefix } = usePublicConfig();
  const { withRecentProof, proofDialog } = useRecentProof();
  const [busy, setBusy] = useState(false);

  const download = async () => {
    const client = await browserClient();
    const { data, error } = await withRecentProof(() => client.rpc('export_my_data'));
    if (error) throw error;
    const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' });
    saveFile(ownData.fileName(storagePrefix), file);
  };

  return (
    <div className="flex flex-col items-start gap-2">
      <p className="text-ink-soft text-sm">{ownData.downloadText}</p>
      {proofDialog}
      <Button
        variant="outline"
        busy={busy}
        onClick={() => {
          setBusy(true);
          void download()
            .catch(() => showToast('failure', ownData.downloadFailed, { about: 'ownData' }))
            .finally(() => setBusy(false));
        }}
      >
        <Download className="size-5" aria-hidden="true" />
        {busy ? ownData.downloading : ownData.download}
      </Button>
    </div>
  );
}
