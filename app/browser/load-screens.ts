import * as v from 'valibot';

const address = v.optional(v.string());

/**
 * What React Router writes into every document of the app (`routeDiscovery: initial`): where the code of every screen
 * is. Its own `PrefetchPageLinks` is no way to fetch it ahead: it loads the document anew where a piece does not come.
 */
const manifestSchema = v.object({
  routes: v.record(
    v.string(),
    v.object({ module: v.string(), clientLoaderModule: address, hydrateFallbackModule: address }),
  ),
});

let loading: Promise<void> | undefined;

/**
 * Fetches the code of every screen, a few kB each. Rejects where a piece could not be fetched; the next call tries
 * again.
 */
export function loadScreens(): Promise<void> {
  loading ??= importScreens().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function importScreens(): Promise<void> {
  const { routes } = v.parse(manifestSchema, Reflect.get(window, '__reactRouterManifest'));
  const pieces = Object.values(routes).flatMap(({ module, clientLoaderModule, hydrateFallbackModule }) =>
    [module, clientLoaderModule, hydrateFallbackModule].filter((piece) => piece !== undefined),
  );
  await Promise.all(pieces.map((piece) => import(/* @vite-ignore */ piece)));
}
