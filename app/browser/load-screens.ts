import { matchPath } from 'react-router';
import * as v from 'valibot';

/**
 * React Router's manifest in every document of the app (`routeDiscovery: initial`), with the location of each screen's
 * code. `PrefetchPageLinks` is not used to prefetch it, because it reloads the document where a file cannot be fetched.
 */
const manifestSchema = v.object({
  routes: v.record(v.string(), v.object({ path: v.optional(v.string()), module: v.string() })),
});

let loading: Promise<void> | undefined;

/** Fetches the code of every screen, a few kB each. Rejects where a file cannot be fetched; the next call retries. */
export function loadScreens(): Promise<void> {
  loading ??= importScreens().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Fetches the code of the screen at a path. Rejects where a file cannot be fetched. */
export function loadScreenAt(path: string): Promise<void> {
  const isOfPath = (pattern: string) => pattern !== ELSEWHERE && matchPath(pattern, path) !== null;
  const isKnown = readRoutes().some(({ path: pattern = '/' }) => isOfPath(pattern));
  return importScreens((pattern) => (isKnown ? isOfPath(pattern) : pattern === ELSEWHERE));
}

/** The pattern of the screen for all paths that no other has. */
const ELSEWHERE = '*';

async function importScreens(isWanted: (pattern: string) => boolean = () => true): Promise<void> {
  const wanted = readRoutes().filter(({ path = '/' }) => isWanted(path));
  await Promise.all(wanted.map(({ module }) => import(/* @vite-ignore */ module)));
}

function readRoutes() {
  return Object.values(v.parse(manifestSchema, Reflect.get(window, '__reactRouterManifest')).routes);
}
