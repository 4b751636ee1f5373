import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';

/** 400 kbit/s each way, 400 ms for each request, and a processor that is four times slower. */
const BYTES_A_SECOND = 400_000 / 8;
const LATENCY_MS = 400;
const CPU_SLOWDOWN = 4;
const READY_WITHIN_MS = 60_000;

/** The figures of one load until the page reported that it was ready. */
export interface LoadFigures {
  /** Milliseconds since the navigation began. */
  readonly readyMs: number;
  /** Milliseconds until the first text or picture. */
  readonly firstPaintMs: number;
  /** Requests that had begun. */
  readonly requests: number;
  /** Bytes received over the network, headers included. */
  readonly bytes: number;
  /** Paths requested from the data service, from the start until the network was idle. */
  readonly dataRequests: readonly string[];
}

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH;
  return chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [],
  });
}

/**
 * Loads `url` with an empty cache on a slow phone. `isReady` runs in the page at each change of its document, from the
 * start, until it returns true.
 */
export async function measureLoad(
  context: BrowserContext,
  url: string,
  isReady: () => boolean,
  { untilQuiet = false } = {},
): Promise<LoadFigures> {
  const page = await context.newPage();
  const traffic = await watchTraffic(page);
  const ready = Promise.withResolvers<Omit<LoadFigures, 'dataRequests'>>();
  await page.exposeBinding('reportReady', (_source, times: Pick<LoadFigures, 'readyMs' | 'firstPaintMs'>) =>
    ready.resolve({ ...times, ...traffic.sum() }),
  );
  await page.addInitScript(`(${watchFor})(${isReady})`);
  const late = setTimeout(() => ready.reject(new Error(`${url} was not ready in time.`)), READY_WITHIN_MS);
  await page.goto(url, { waitUntil: 'commit' });
  const figures = await ready.promise.finally(() => clearTimeout(late));
  if (untilQuiet) await page.waitForLoadState('networkidle');
  await page.close();
  return { ...figures, dataRequests: traffic.dataRequests() };
}

/** Runs in the page. */
function watchFor(isReady: () => boolean): void {
  const check = () => {
    // An invisible control cannot be used.
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    if (paint === undefined || !isReady()) return;
    clearInterval(timer);
    Reflect.get(window, 'reportReady')({ readyMs: performance.now(), firstPaintMs: paint.startTime });
  };
  const timer = setInterval(check, 25);
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
  const received = new Map<string, number>();
  const asked: string[] = [];
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (!request.url.startsWith('http')) return;
    received.set(requestId, 0);
    const { pathname, search } = new URL(request.url);
    if (pathname.startsWith('/rest/')) asked.push(pathname + search);
  });
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const before = received.get(requestId);
    if (before !== undefined) received.set(requestId, before + encodedDataLength);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (received.has(requestId)) received.set(requestId, encodedDataLength);
  });
  return {
    sum: () => ({ requests: received.size, bytes: [...received.values()].reduce((sum, bytes) => sum + bytes, 0) }),
    dataRequests: () => asked,
  };
}
