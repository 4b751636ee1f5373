/** What the router puts into the document: where the code of every screen is. */
interface RouterGlobals {
  readonly __reactRouterManifest?: { readonly routes: Readonly<Record<string, { readonly module: string }>> };
}

let loading: Promise<void> | undefined;
let complete = false;

/** Whether the code of every screen is here, so that going to one needs none from the network. */
export function screensAreAtHand(): boolean {
  return complete;
}

/**
 * Fetches the code of every screen, a few kB each. The router fetches a screen's code when somebody goes there, and
 * loads the document anew when it cannot, which without a connection ends on the browser's own error page.
 * Rejects when a piece could not be fetched; the next call tries again.
 */
export function loadScreens(): Promise<void> {
  // Written by React Router into every document of the app (routeDiscovery: initial).
  const { __reactRouterManifest: manifest } = window as RouterGlobals;
  const modules = Object.values(manifest?.routes ?? {}).map(({ module }) => module);
  loading ??= Promise.all(modules.map((module) => import(/* @vite-ignore */ module))).then(
    () => {
      complete = true;
    },
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
