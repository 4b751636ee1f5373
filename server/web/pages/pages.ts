import type { RequestListener } from 'node:http';
import type { RequestHandler, ServerBuild } from 'react-router';
import type { DocumentWords } from '#app/client/request-context.ts';
import type { ClientScripts } from './client-scripts.ts';

type EntryServer = typeof import('#app/entry.server.tsx');

/** The current build of the app. In production there is one; in development Vite makes a new one after each change. */
export interface PageBuild {
  /** Serves pages, their data and their actions through the router. */
  readonly handle: RequestHandler;
  /** Has the words of a language at hand, in which a document is rendered. */
  readonly keepWords: EntryServer['keepWords'];
  readonly createRequestContext: EntryServer['createRequestContext'];
  readonly inlined: EntryServer['inlined'];
  readonly renderDesksDocument: EntryServer['renderDesksDocument'];
  readonly renderFinderDocument: EntryServer['renderFinderDocument'];
  readonly renderFinderLinkDocument: EntryServer['renderFinderLinkDocument'];
  readonly renderLanguageDocument: EntryServer['renderLanguageDocument'];
  readonly renderNotMeDocument: EntryServer['renderNotMeDocument'];
  readonly renderNoticeDocument: EntryServer['renderNoticeDocument'];
  readonly renderReplyEmailDocument: EntryServer['renderReplyEmailDocument'];
  readonly renderPhrasesDocument: EntryServer['renderPhrasesDocument'];
  readonly renderReportDocument: EntryServer['renderReportDocument'];
  readonly renderReportedDocument: EntryServer['renderReportedDocument'];
  readonly renderSecondContactDocument: EntryServer['renderSecondContactDocument'];
  readonly renderTypedCodeDocument: EntryServer['renderTypedCodeDocument'];
  readonly renderUnconfirmedDocument: EntryServer['renderUnconfirmedDocument'];
  readonly offline: EntryServer['offline'];
  readonly extras: EntryServer['extras'];
  /** Names the scripts that a signed-in screen loads first, by its path; null in development. */
  readonly clientScripts: ((path: string) => ClientScripts) | null;
  /** Names the words that a browser fetches for a document, by its language; null in development. */
  readonly clientWords: ((tag: string) => DocumentWords | null) | null;
  /** Whether one of the app's routes has this path, other than the catch-all route. */
  hasRoute(pathname: string): boolean;
}

export interface Pages {
  /** Synchronous where the build does not change. */
  current(): PageBuild | Promise<PageBuild>;
  /** In development Vite serves its modules, and calls `next` for any other request. */
  readonly viteMiddleware?: (...parameters: [...Parameters<RequestListener>, next: (error?: unknown) => void]) => void;
  close(): Promise<void>;
}

const NOTHING_BUILT = { clientScripts: null, clientWords: null };

export function pageBuildOf(
  build: ServerBuild,
  mode: 'production' | 'development',
  { clientScripts, clientWords }: Pick<PageBuild, 'clientScripts' | 'clientWords'> = NOTHING_BUILT,
): PageBuild {
  // The entry is app/entry.server.tsx, whose additional exports the router's type does not include.
  const entry = build.entry.module as ServerBuild['entry']['module'] & EntryServer;
  const routes = routeTree(build);
  return {
    handle: entry.createRequestHandler(build, mode),
    keepWords: entry.keepWords,
    createRequestContext: entry.createRequestContext,
    inlined: entry.inlined,
    renderDesksDocument: entry.renderDesksDocument,
    renderFinderDocument: entry.renderFinderDocument,
    renderFinderLinkDocument: entry.renderFinderLinkDocument,
    renderLanguageDocument: entry.renderLanguageDocument,
    renderNotMeDocument: entry.renderNotMeDocument,
    renderNoticeDocument: entry.renderNoticeDocument,
    renderReplyEmailDocument: entry.renderReplyEmailDocument,
    renderPhrasesDocument: entry.renderPhrasesDocument,
    renderReportDocument: entry.renderReportDocument,
    renderReportedDocument: entry.renderReportedDocument,
    renderSecondContactDocument: entry.renderSecondContactDocument,
    renderTypedCodeDocument: entry.renderTypedCodeDocument,
    renderUnconfirmedDocument: entry.renderUnconfirmedDocument,
    offline: entry.offline,
    extras: entry.extras,
    clientScripts,
    clientWords,
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
  // Index routes have no children here, which is the only difference between the router's two route types.
  return childrenOf(undefined) as MatchableRoutes;
}
