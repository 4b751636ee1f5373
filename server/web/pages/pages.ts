import type { RequestListener } from 'node:http';
import type { RequestHandler, ServerBuild } from 'react-router';

type EntryServer = typeof import('#app/entry.server.tsx');

/** The app as it is built now. In production there is one; in development Vite makes a new one after each change. */
export interface PageBuild {
  /** Answers through the router: pages, their data, their actions. */
  readonly answer: RequestHandler;
  readonly createRequestContext: EntryServer['createRequestContext'];
  readonly inlined: EntryServer['inlined'];
  readonly renderFinderDocument: EntryServer['renderFinderDocument'];
  readonly renderNoticeDocument: EntryServer['renderNoticeDocument'];
  readonly offline: EntryServer['offline'];
  /** Addresses of the scripts that signed-in screens ask for first; none while Vite makes them one by one. */
  readonly clientScripts: readonly string[];
  /** Whether a route of the app's own has this path; one that takes whatever is left does not count. */
  hasRoute(pathname: string): boolean;
}

export interface Pages {
  current(): Promise<PageBuild>;
  /** Development: Vite answers for its modules first, and calls the third argument for what is not its own. */
  readonly viteMiddleware?: (...parameters: [...Parameters<RequestListener>, next: (error?: unknown) => void]) => void;
  close(): Promise<void>;
}

export function pageBuildOf(
  build: ServerBuild,
  mode: 'production' | 'development',
  clientScripts: readonly string[] = [],
): PageBuild {
  // The entry of this build is app/entry.server.tsx, whose other exports the router's type does not know.
  const entry = build.entry.module as ServerBuild['entry']['module'] & EntryServer;
  const routes = routeTree(build);
  return {
    answer: entry.createRequestHandler(build, mode),
    createRequestContext: entry.createRequestContext,
    inlined: entry.inlined,
    renderFinderDocument: entry.renderFinderDocument,
    renderNoticeDocument: entry.renderNoticeDocument,
    offline: entry.offline,
    clientScripts,
    hasRoute(pathname) {
      const leaf = entry.matchRoutes(routes, pathname)?.at(-1);
      return leaf !== undefined && !(leaf.route.path ?? '').endsWith('*');
    },
  };
}

interface RouteNode {
  readonly id: string;
  readonly path?: string;
  readonly index?: boolean;
  readonly children?: RouteNode[];
}

type MatchableRoutes = Parameters<EntryServer['matchRoutes']>[0];

function routeTree(build: ServerBuild): MatchableRoutes {
  const childrenOf = (parentId: string | undefined): RouteNode[] =>
    Object.values(build.routes).flatMap((route): RouteNode[] => {
      if (route === undefined || route.parentId !== parentId) return [];
      const { id, path, index } = route;
      const shape = path === undefined ? { id } : { id, path };
      return [index === true ? { ...shape, index } : { ...shape, children: childrenOf(id) }];
    });
  // An index route has no children here, which is all that the router's two route types differ in.
  return childrenOf(undefined) as MatchableRoutes;
}
