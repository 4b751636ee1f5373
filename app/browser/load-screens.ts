import * as v from 'valibot';

const address = v.optional(v.string());

/**
 * React Router's manifest in every document of the app (`routeDiscovery: initial`), with the location of each screen's
 * code. `PrefetchPageLinks` is not used to prefetch it, because it reloads the document where a file cannot be fetched.
 */
const manifestSchema = v.object({
  routes: v.record(
    v.string(),
    v.object({ module: v.string(), clientLoaderModule: address, hydrateFallbackModule: address }),
  ),
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

async function importScreens(): Promise<void> {
  const { routes } = v.parse(manifestSchema, Reflect.get(window, '__reactRouterManifest'));
  const pieces = Object.values(routes).flatMap(({ module, clientLoaderModule, hydrateFallbackModule }) =>
    [module, clientLoaderModule, hydrateFallbackModule].filter((piece) => piece !== undefined),
  );
  await Promise.all(pieces.map((piece) => import(/* @vite-ignore */ piece)));
}
