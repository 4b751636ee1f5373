import { rm } from 'node:fs/promises';
import { type BrowserContext, test as base, expect, type Page, type Request } from '@playwright/test';
import type { Session, SupabaseClient } from '@supabase/supabase-js';
import { generateTagCode } from '#domain/tag-code/tag-code.ts';
import { makeClusterFolder } from '#tests/support/clusters/cluster-folder.ts';
import type { ServiceProcess } from '#tests/support/service-process.ts';
import { recordAppLinks } from './app-links.ts';
import { newPhone } from './register-owner.ts';
import { protocolClients, registerPerson } from './register-person.ts';
import { signIn } from './sign-in.ts';
import { startService } from './start-service.ts';
import { type Story, seedStory } from './story.ts';

interface OutboxEntry {
  readonly channel: 'email' | 'sms';
  readonly recipient: string;
  readonly subject: string | null;
  readonly body: string;
}

/** The development outbox as a person would read it. */
async function readOutbox(service: ServiceProcess): Promise<OutboxEntry[]> {
  const response = await fetch(`${service.url}/dev/outbox.json`);
  expect(response.status).toBe(200);
  return (await response.json()) as OutboxEntry[];
}

/** Returns an unused tag code, as the client generates them. */
export function newTagCode(): string {
  return generateTagCode((bytes) => crypto.getRandomValues(bytes));
}

/** An owner of the test's own, who has just claimed a sticker. */
export interface FreshOwner {
  /** Signed in as the owner, in no browser. */
  readonly client: SupabaseClient;
  readonly session: Session;
  readonly email: string;
  readonly password: string;
  /** Of 'My Tagged Item'. */
  readonly code: string;
}

async function registerFreshOwner(service: ServiceProcess): Promise<FreshOwner> {
  const code = newTagCode();
  const email = `${code.slice(4).toLowerCase()}@example.com`;
  const password = 'three keys on a ribbon';
  const client = (await protocolClients(service))();
  const phone = `+972${newPhone().slice(1)}`;
  const session = await registerPerson(client, { email, password, fullName: 'Dana Levi', phone, qrId: code });
  return { client, session, email, password, code };
}

type Refusal = number | 'no connection';

interface WorkerFixtures {
  service: ServiceProcess;
  /** Existing users and items, created when a worker's first test requests them. */
  story: Story;
}
interface TestFixtures {
  /** Failures that the test causes on purpose and the browser logs as errors: statuses, or missing responses. */
  refusals: readonly Refusal[];
  /** Another user: a separate browser context. */
  another: () => Promise<Page>;
  outbox: () => Promise<OutboxEntry[]>;
  /** Makes an owner of the test's own, signed in where a page is given. */
  newOwner: (page?: Page) => Promise<FreshOwner>;
}

/**
 * A browser with a server for this worker. A test fails when a page logs an error, throws, or requests something that
 * does not exist.
 */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  service: [
    // Playwright reads the names of the fixtures that one needs from the pattern; this one needs none.
    // biome-ignore lint/correctness/noEmptyPattern: see above
    async ({}, use) => {
      const folder = await makeClusterFolder();
      const service = await startService(folder);
      await use(service);
      await service.end('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  story: [async ({ service }, use) => use(await seedStory(service)), { scope: 'worker' }],
  baseURL: async ({ service }, use) => use(service.url),
  refusals: [[], { option: true }],
  page: async ({ page, refusals, service }, use, info) => {
    const problems = watch(page, refusals);
    const underWay = requestsUnderWay(page);
    await recordAppLinks(page);
    await use(page);
    // For a page that never finished loading: which request had no response, or no end.
    if (info.status === 'timedOut') {
      console.log('Requests under way at the end:', [...underWay].map(inWords));
      console.log('The server, asked by another program:', await askWhetherAlive(service.url));
    }
    expect(problems, 'what the page complained about').toEqual([]);
  },
  another: async ({ browser, contextOptions, refusals, service }, use) => {
    const opened: { context: BrowserContext; problems: string[] }[] = [];
    await use(async () => {
      const context = await browser.newContext({ ...contextOptions, baseURL: service.url });
      const page = await context.newPage();
      opened.push({ context, problems: watch(page, refusals) });
      await recordAppLinks(page);
      return page;
    });
    for (const { context, problems } of opened) {
      expect(problems, 'what the other page complained about').toEqual([]);
      await context.close();
    }
  },
  outbox: async ({ service }, use) => use(() => readOutbox(service)),
  newOwner: async ({ service }, use) =>
    use(async (page) => {
      const owner = await registerFreshOwner(service);
      if (page !== undefined) await signIn(page.context(), service.url, owner.session);
      return owner;
    }),
});

function watch(page: Page, refusals: readonly Refusal[]): string[] {
  const problems: string[] = [];
  const isOvertaken = overtakenBySignOut(page);
  page.on('console', (message) => {
    const [, status, failure] =
      /^Failed to load resource: (?:the server responded with a status of (\d+)|net::ERR_(\w+))/.exec(message.text()) ??
      /^WebSocket connection to .* failed:()? .*net::ERR_(INTERNET_DISCONNECTED)/.exec(message.text()) ??
      // A worker's script.
      /^An unknown error occurred when ()?(fetching the script)\.$/.exec(message.text()) ??
      [];
    const refusal = failure === undefined ? Number(status) : 'no connection';
    if (message.type() !== 'error' || refusals.includes(refusal)) return;
    const { url } = message.location();
    if (refusal === 401 && isOvertaken(url)) return;
    problems.push(`${message.text()} ${url}`);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  return problems;
}

/**
 * Returns whether a request to this address was in flight when the page signed out. The service refuses such a request,
 * correctly, and the browser logs it.
 */
function overtakenBySignOut(page: Page): (url: string) => boolean {
  const underWay = requestsUnderWay(page);
  const overtaken = new Set<string>();
  const isSignOut = (request: Request) => request.url().includes('/auth/v1/logout');
  page.on('request', () => {
    if ([...underWay].some(isSignOut)) for (const each of underWay) overtaken.add(each.url());
  });
  return (url) => overtaken.has(url);
}

/** Returns the requests that have begun since and have not ended; the set changes with them. */
function requestsUnderWay(page: Page): ReadonlySet<Request> {
  const underWay = new Set<Request>();
  page.on('request', (request) => void underWay.add(request));
  const forget = (request: Request) => void underWay.delete(request);
  page.on('requestfinished', forget).on('requestfailed', forget);
  return underWay;
}

/** Returns the status of the server's response, or what is wrong. */
function askWhetherAlive(url: string): Promise<number | string> {
  return fetch(`${url}/health/live`, { signal: AbortSignal.timeout(10_000) }).then(({ status }) => status, String);
}

/** With the status of its response, or null where none has begun. */
function inWords(request: Request): string {
  return `${request.method()} ${request.url()} ${request.existingResponse()?.status() ?? null}`;
}

export { expect };
