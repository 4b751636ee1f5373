import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';

/** 400 kbit/s each way, 400 ms for each request, and a processor that is four times slower. */
const BYTES_A_SECOND = 400_000 / 8;
const LATENCY_MS = 400;
const CPU_SLOWDOWN = 4;
const READY_WITHIN_MS = 60_000;

/** A person who sees nothing happen tries again after this time. */
const TRIES_AGAIN_MS = 2000;

/** One request, with the bytes received until the page could be used. */
interface Received {
  readonly path: string;
  readonly bytes: number;
}

/** The figures of one load until the act of a person succeeded. */
export interface LoadFigures {
  /** Milliseconds from the navigation until the first act that succeeded began. */
  readonly readyMs: number;
  /** Milliseconds from the beginning of that act until its effect. */
  readonly effectMs: number;
  /** Milliseconds until the first text or picture. */
  readonly firstPaintMs: number;
  /** Requests that had begun before the act. */
  readonly requests: number;
  /** Bytes received over the network before the act, headers included. */
  readonly bytes: number;
  readonly files: readonly Received[];
  /** Paths requested from the data service, from the start until the network was idle. */
  readonly dataRequests: readonly string[];
}

/** What a person does first on a screen. */
export interface Act {
  /** Runs in the page, again and again: begins the act if what it needs is in view. Returns whether it did. */
  readonly begin: () => boolean;
  /** Resolves when the act has its effect; by default it has at once. */
  readonly succeeds?: (page: Page) => Promise<unknown>;
}

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH;
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: [
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      ...(process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : []),
    ],
  });
}

/** Loads `url` on a slow phone, and does `act` as soon as that succeeds. */
export async function measureLoad(
  context: BrowserContext,
  url: string,
  { begin, succeeds = async () => {} }: Act,
  { untilQuiet = false } = {},
): Promise<LoadFigures> {
  const page = await context.newPage();
  page.setDefaultTimeout(READY_WITHIN_MS);
  const traffic = await watchTraffic(page);
  const began = Promise.withResolvers<void>();
  let last: (Omit<LoadFigures, 'effectMs' | 'dataRequests'> & { readonly at: number }) | undefined;
  await page.exposeBinding('reportAct', (_source, times: Pick<LoadFigures, 'readyMs' | 'firstPaintMs'>) => {
    last = { ...times, ...traffic.sum(), at: performance.now() };
    began.resolve();
  });
  await page.addInitScript(`(${repeat})(${begin}, ${TRIES_AGAIN_MS})`);
  const late = setTimeout(() => began.reject(new Error(`${url} was not ready in time.`)), READY_WITHIN_MS);
  const succeeded = succeeds(page);
  // Reported below.
  succeeded.catch(() => undefined);
  await page.goto(url, { waitUntil: 'commit' });
  await began.promise.finally(() => clearTimeout(late));
  await succeeded;
  if (last === undefined) throw new Error(`Nothing was done at ${url}.`);
  const { at, ...figures } = last;
  const effectMs = performance.now() - at;
  if (untilQuiet) await page.waitForLoadState('networkidle');
  await page.close();
  return { ...figures, effectMs, dataRequests: traffic.dataRequests() };
}

/** Runs in the page. */
function repeat(begin: () => boolean, pauseMs: number): void {
  let notBefore = 0;
  setInterval(() => {
    // What is not painted yet cannot be used.
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    const readyMs = performance.now();
    if (paint === undefined || readyMs < notBefore || !begin()) return;
    notBefore = readyMs + pauseMs;
    Reflect.get(window, 'reportAct')({ readyMs, firstPaintMs: paint.startTime });
  }, 25);
}

async function watchTraffic(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_A_SECOND,
    uploadThroughput: BYTES_A_SECOND,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const received = new Map<string, { path: string; bytes: number }>();
  const asked: string[] = [];
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { protocol, pathname, search } = new URL(request.url);
    if (!protocol.startsWith('http')) return;
    received.set(requestId, { path: pathname, bytes: 0 });
    if (pathname.startsWith('/rest/')) asked.push(pathname + search);
  });
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const one = received.get(requestId);
    if (one !== undefined) one.bytes += encodedDataLength;
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const one = received.get(requestId);
    if (one !== undefined) one.bytes = encodedDataLength;
  });
  return {
    sum: () => {
      const files = [...received.values()].map((one) => ({ ...one }));
      return { files, requests: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    dataRequests: () => asked,
  };
}
