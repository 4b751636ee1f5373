import { CircleAlert, CircleQuestionMark, QrCode, ShieldAlert } from 'lucide-react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Spinner } from '#app/ui/waiting.tsx';
import { WithName } from '#app/ui/with-name.tsx';
import { typedCodeWords } from '#words/typed-code.ts';
import { ResultFrame } from '../result-frame.tsx';

/** Stands for the host in a text. */
const HOST = '\u{FFFC}';

/** What was read, where it does not lead on automatically. */
export function PlainResults() {
  const language = useLanguage();
  const { common, scanner } = language.texts;
  const { typedCode } = typedCodeWords(language);
  const { productName } = usePublicConfig();
  const aroundHost = (product: string) => scanner.foreignText({ host: HOST, product }).split(HOST);
  const again = (
    <Button variant="outline" data-part="scan-again">
      {scanner.scanAgain}
    </Button>
  );
  return (
    <>
      <ResultFrame data-view="checking" icon={<QrCode className="size-9" />}>
        <div role="status" className="flex flex-col items-center gap-2">
          <h3 className="font-bold text-xl">{scanner.detected}</h3>
          <p className="flex items-center gap-2.5 text-on-night-soft">
            <Spinner />
            <span data-part="checked" data-checking={scanner.checking} data-found={scanner.registeredToAnother}>
              {scanner.checking}
            </span>
          </p>
        </div>
      </ResultFrame>
      <ResultFrame data-view="foreign" icon={<ShieldAlert className="size-9" />}>
        <div role="alert" className="flex flex-col gap-2">
          <h3 className="font-bold text-xl">{scanner.foreignTitle}</h3>
          <p className="wrap-anywhere">
            <WithName of={(product) => aroundHost(product)[0] ?? ''} name={productName} />
            <bdi data-part="host" translate="no" />
            <WithName of={(product) => aroundHost(product)[1] ?? ''} name={productName} />
          </p>
        </div>
        {again}
        <Button variant="tag" data-part="look-up-here">
          {scanner.lookUpHere}
        </Button>
      </ResultFrame>
      <ResultFrame data-view="unknown" icon={<CircleQuestionMark className="size-9" />}>
        <div role="alert">
          <h3 className="font-bold text-xl">{typedCode.unknown}</h3>
        </div>
        {again}
      </ResultFrame>
      <ResultFrame data-view="failed" icon={<CircleAlert className="size-9" />}>
        <div role="alert">
          <h3 className="font-bold text-xl">{scanner.statusFailed}</h3>
        </div>
        <Button variant="tag" data-part="look-up">
          {common.tryAgain}
        </Button>
        {again}
      </ResultFrame>
    </>
  );
}
