import { isbot } from 'isbot';
import { renderToReadableStream } from 'react-dom/server';
import { type EntryContext, RouterContextProvider, ServerRouter } from 'react-router';
import {
  nonceContext,
  publicConfigContext,
  type RequestValues,
  visitorClientContext,
} from '#app/lib/request-context.ts';

/** Milliseconds after which a page that still waits for data is sent as it is. */
export const streamTimeout = 5_000;

/** The context of one request. It is made in here because only the build that reads the keys can set them. */
export function createRequestContext({
  publicConfig,
  createVisitorClient,
  nonce,
}: RequestValues): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(publicConfigContext, publicConfig);
  context.set(visitorClientContext, createVisitorClient);
  context.set(nonceContext, nonce);
  return context;
}

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
  let shellRendered = false;
  let finalStatus = status;
  const body = await renderToReadableStream(<ServerRouter context={routerContext} url={request.url} nonce={nonce} />, {
    nonce,
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(streamTimeout + 1_000)]),
    onError(error) {
      finalStatus = 500;
      // What fails before the shell rejects this promise and is logged by the server.
      if (shellRendered && !request.signal.aborted) console.error(error);
    },
  });
  shellRendered = true;
  if (isbot(request.headers.get('user-agent'))) await body.allReady;
  return new Response(body, { status: finalStatus, headers });
}
