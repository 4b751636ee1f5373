import { Copy } from 'lucide-react';
import { encode } from 'uqr';
import { copyText } from '#app/browser/clipboard/copy-text.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import { Button } from '#app/ui/button.tsx';
import { callAsOperator } from '../operator-calls.ts';
import { useOperateTexts } from '../use-operate-texts.ts';

/** Makes a link that works once, in place of an email. Throws where it is refused. */
export async function makeLink(email: string, reason: string | null): Promise<string> {
  const values = { email_param: email, reason_param: reason };
  const { path } = await callAsOperator<{ readonly path: string }>('make_link', values);
  return readPublicConfig().publicUrl + path;
}

/** A link to show to a person, or to send: as a QR code, and as text. */
export function MadeLink({ link }: { readonly link: string }) {
  const { accounts: texts, service } = useOperateTexts();
  const { data: rows } = encode(link, { ecc: 'L', border: 2 });
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const copy = () => copyText(link, { copied: service.copied, failed: service.copyFailed, about: 'operate' });
  return (
    <div className="flex flex-col items-start gap-3">
      <p role="status">{texts.linkMade}</p>
      {/* Cameras need a QR code that is dark on light. */}
      <svg
        viewBox={`0 0 ${rows.length} ${rows.length}`}
        role="img"
        aria-label={texts.linkCode}
        shapeRendering="crispEdges"
        className="size-56 max-w-full rounded-md bg-white forced-color-adjust-none"
      >
        <path d={path} fill="#000" />
      </svg>
      <p translate="no" dir="ltr" className="wrap-anywhere select-all font-mono text-sm">
        {link}
      </p>
      <Button variant="outline" onClick={() => void copy()}>
        <Copy className="size-5" aria-hidden="true" />
        {texts.copyLink}
      </Button>
    </div>
  );
}
