import { isbot } from 'isbot';
import { renderToReadableStream } from 'react-dom/server';
import { type EntryContext, type HandleErrorFunction, type RouterContextProvider, ServerRouter } from 'react-router';
import { Nonce } from '#app/browser/nonce.tsx';
import { nonceContext, reportErrorContext, wordsContext } from '#app/client/request-context.ts';
import { filesOf, importMapOf, WordsFiles } from '#app/i18n/words-of-document.ts';

// What the server uses from this build besides the router's handler.
export { createRequestHandler, matchRoutes } from 'react-router';
export { createRequestContext } from '#app/client/request-context.ts';
export {
  extras,
  inlined,
  renderDesksDocument,
  renderFinderDocument,
  renderFinderLinkDocument,
  renderLanguageDocument,
  renderNoticeDocument,
  renderNotMeDocument,
  renderPhrasesDocument,
  renderReplyEmailDocument,
  renderReportDocument,
  renderReportedDocument,
  renderSecondContactDocument,
  renderTypedCodeDocument,
  renderUnconfirmedDocument,
} from '#app/features/finder/render-document.tsx';
export { offline } from '#app/features/offline/render-offline-document.tsx';
export { keepWords } from '#domain/words/loaded-words.ts';

/** Milliseconds after which a page that still waits for data is sent as it is. */
export const streamTimeout = 5_000;

export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (!request.signal.aborted) context.get(reportErrorContext)(error);
};

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  headers.set('Content-Type', 'text/html; charset=utf-8');
  if (request.method === 'HEAD') return new Response(null, { status, headers });

  const nonce = loadContext.get(nonceContext);
  let finalStatus = status;
  const words = loadContext.get(wordsContext);
  const page = (
    <Nonce value={nonce}>
      <WordsFiles value={words === null ? [] : filesOf(words, routerContext)}>
        <ServerRouter context={routerContext} url={request.url} nonce={nonce} />
      </WordsFiles>
    </Nonce>
  );
  const body = await renderToReadableStream(page, {
    nonce,
    ...(words !== null && { importMap: importMapOf(words) }),
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(streamTimeout + 1_000)]),
    onError(error) {
      finalStatus = 500;
      if (!request.signal.aborted) loadContext.get(reportErrorContext)(error);
    },
  });
  if (isbot(request.headers.get('user-agent'))) await body.allReady;
  return new Response(body, { status: finalStatus, headers });
}
