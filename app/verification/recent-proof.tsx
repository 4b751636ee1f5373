import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { loadOnce } from '#app/ui/load-once.ts';
import { loadPart } from '#app/ui/load-part.ts';
import type { ProofDialog, ProofMeans } from './proof-dialog.tsx';

/**
 * Sends a request. Where the session's proof is too old, the owner proves their identity and the request is sent again.
 * The refusal is a result with the service's `error`, or the error thrown.
 */
export type WithRecentProof = <Result>(call: () => PromiseLike<Result>) => Promise<Result>;

const loadProofDialog = loadOnce(async () => (await loadPart(() => import('./proof-dialog.tsx'))).ProofDialog);

const MeansContext = createContext<ProofMeans>({ hasPassword: true, secondFactors: [] });

/**
 * Provides `useRecentProof` with what the account can prove its identity with. Elsewhere it asks for the password, and
 * offers a code.
 */
export function RecentProofMeans({
  profile,
  children,
}: {
  readonly profile: ProofMeans;
  readonly children: ReactNode;
}) {
  return <MeansContext value={profile}>{children}</MeansContext>;
}

/**
 * For requests that change how an account signs in or recovers, that outlive the session, or that concern the account as
 * a whole. Without a proof the first result is returned, or its error thrown. Render `proofDialog` where the request is
 * made, inside its dialog if there is one.
 *
 * @example const { error } = await withRecentProof(() => auth.updateUser({ phone }));
 */
export function useRecentProof(): { readonly withRecentProof: WithRecentProof; readonly proofDialog: ReactNode } {
  const means = useContext(MeansContext);
  const [Loaded, setLoaded] = useState<typeof ProofDialog | null>(null);
  const [asking, setAsking] = useState(false);
  const response = useRef<(proved: boolean) => void>(() => {});

  const withRecentProof = useCallback<WithRecentProof>(async (call) => {
    const ask = async (): Promise<boolean> => {
      const dialog = await loadProofDialog().catch(() => null);
      if (dialog === null) return false;
      setLoaded(() => dialog);
      setAsking(true);
      const proved = await new Promise<boolean>((resolve) => {
        response.current = resolve;
      });
      setAsking(false);
      return proved;
    };
    try {
      const first = await call();
      return isProofNeeded(errorOf(first)) && (await ask()) ? await call() : first;
    } catch (error) {
      if (isProofNeeded(error) && (await ask())) return call();
      throw error;
    }
  }, []);

  const proofDialog = Loaded !== null && (
    <Loaded open={asking} means={means} onResponse={(proved) => response.current(proved)} />
  );
  return { withRecentProof, proofDialog };
}

function errorOf(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'error' in result ? result.error : null;
}

/** The auth service and the data service use different error codes. */
function isProofNeeded(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return error.code === 'reauthentication_needed' || error.code === 'PT403';
}
