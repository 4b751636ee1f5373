import { type ReactNode, useEffect, useState } from 'react';
import { whenSettled } from '#app/ui/when-idle.ts';
import type { findPasskeyOffer } from './passkey-offer.tsx';

interface LateLines {
  /** About what another session changed; null without such a change. */
  readonly changeLine: ReactNode;
  /** Null where no passkey is to be offered. */
  readonly passkeyOffer: Awaited<ReturnType<typeof findPasskeyOffer>>;
  readonly endOffer: () => void;
}

/** Returns the lines that are asked for once the screen is there. A line that cannot be loaded waits for the next visit. */
export function useLateLines(): LateLines {
  const [changeLine, setChangeLine] = useState<ReactNode>(null);
  const [passkeyOffer, setOffer] = useState<LateLines['passkeyOffer']>(null);
  useEffect(
    () =>
      whenSettled(() => {
        const ask = async () => {
          const { findChangeLine } = await import('./account-change-line.tsx');
          setChangeLine(await findChangeLine());
          const { findPasskeyOffer } = await import('./passkey-offer.tsx');
          setOffer(await findPasskeyOffer());
        };
        ask().catch(() => {});
      }),
    [],
  );
  return { changeLine, passkeyOffer, endOffer: () => setOffer(null) };
}
