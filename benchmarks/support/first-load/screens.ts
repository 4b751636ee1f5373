import type { BrowserContext } from '@playwright/test';
import type { Session } from '@supabase/supabase-js';
import { operatorClient, protocolClients, registerPerson } from '#tests/e2e/support/register-person.ts';
import { signIn } from '#tests/e2e/support/sign-in.ts';
import { type Story, seedStory } from '#tests/e2e/support/story.ts';
import type { ServiceProcess } from '#tests/support/service-process.ts';
import type { Act } from '../slow-phone.ts';

/** The accounts and things of a running service that the screens show. */
export interface Place {
  readonly url: string;
  readonly story: Story;
  /** Owners of as many items. */
  readonly owners: Readonly<Record<20 | 200, Session>>;
}

/** A screen with what a person does first on it. */
export interface Screen {
  readonly name: string;
  readonly path: (place: Place) => string;
  /** Signs in. */
  readonly prepare?: (context: BrowserContext, place: Place) => Promise<void>;
  readonly act: Act;
  /** Whether the same browser has loaded it before. */
  readonly isWarm?: boolean;
  readonly most: {
    readonly readyMs: number;
    readonly requests: number;
    readonly bytes: number;
    readonly effectMs?: number;
  };
}

const MOST = { requests: 25, bytes: 150_000 };

/** Opens the first item. */
const OPEN_ITEM: Act = {
  begin: () => {
    const link = document.querySelector<HTMLElement>('main li a[href^="/item/tgt-"]');
    if (link === null || !link.checkVisibility()) return false;
    link.click();
    return true;
  },
  // Its page is asked for.
  succeeds: (page) => page.waitForRequest((request) => /\/assets\/item-\w|\/item\/tgt-|qr_id=eq/.test(request.url())),
};

/** Presses the button that edits what the page shows. */
const EDIT: Act = {
  begin: () => {
    const button = [...document.querySelectorAll<HTMLElement>('main button')].find(({ innerText }) =>
      /^Edit/.test(innerText.trim()),
    );
    if (button === undefined || !button.checkVisibility()) return false;
    button.click();
    return true;
  },
  succeeds: (page) => page.getByRole('main').getByRole('button', { name: 'Cancel' }).first().waitFor(),
};

const EMAIL = 'dana@example.com';

export const screens: readonly Screen[] = [
  {
    name: 'sign-in',
    path: () => '/auth',
    act: {
      begin: () => {
        const form = document.querySelector<HTMLFormElement>('form[data-held]');
        const [email, password] = form?.querySelectorAll('input') ?? [];
        const button = form?.querySelector<HTMLButtonElement>('button[type="submit"]');
        if (!email || !password || !button || button.disabled || !button.checkVisibility()) return false;
        email.value = 'dana@example.com';
        password.value = 'three keys on a ribbon';
        for (const field of [email, password]) field.dispatchEvent(new Event('input', { bubbles: true }));
        button.click();
        return true;
      },
      // With what was typed.
      succeeds: (page) =>
        page.waitForRequest(
          (request) => request.url().includes('/auth/v1/token') && (request.postData() ?? '').includes(EMAIL),
        ),
    },
    most: { readyMs: 2500, ...MOST },
  },
  ...([20, 200] as const).map((count) => ({
    name: `dashboard with ${count}`,
    path: () => '/dashboard',
    prepare: (context: BrowserContext, { url, owners }: Place) => signIn(context, url, owners[count]),
    act: OPEN_ITEM,
    most: { readyMs: 4500, ...MOST },
  })),
  {
    name: 'dashboard with 200, warm',
    path: () => '/dashboard',
    prepare: (context, { url, owners }) => signIn(context, url, owners[200]),
    act: OPEN_ITEM,
    isWarm: true,
    most: { readyMs: 1500, ...MOST },
  },
  {
    name: 'item',
    path: ({ story }) => `/item/${story.codes.keys}`,
    prepare: (context, { url, story }) => signIn(context, url, story.session),
    act: EDIT,
    most: { readyMs: 5000, ...MOST },
  },
  {
    name: 'profile',
    path: () => '/profile',
    prepare: (context, { url, story }) => signIn(context, url, story.session),
    act: EDIT,
    most: { readyMs: 5000, ...MOST },
  },
  {
    name: 'stickers',
    path: () => '/stickers',
    prepare: (context, { url, story }) => signIn(context, url, story.session),
    act: {
      begin: () => {
        const choice = document.querySelector<HTMLElement>('main input[type="radio"][value="blank"]');
        choice?.click();
        return choice !== null;
      },
      succeeds: (page) =>
        page.locator('main input[type="radio"][value="blank"]:checked').waitFor({ state: 'attached' }),
    },
    most: { readyMs: 6000, ...MOST },
  },
  {
    name: 'landing',
    path: () => '/',
    act: {
      begin: () => {
        const button = document.querySelector<HTMLElement>('main [data-scan]');
        button?.click();
        return button !== null;
      },
      // The camera's picture moves.
      succeeds: (page) =>
        page.waitForFunction(
          () => (document.querySelector<HTMLVideoElement>('dialog[open] video')?.currentTime ?? 0) > 0,
        ),
    },
    most: { readyMs: 2500, requests: 5, bytes: 30_000, effectMs: 2500 },
  },
];

/** Creates the story's accounts and those with many items. */
export async function preparePlace(service: ServiceProcess): Promise<Place> {
  const story = await seedStory(service);
  const newClient = await protocolClients(service);
  const operator = await operatorClient(service);
  const register = async (count: 20 | 200) => {
    const person = { email: `owner-of-${count}@example.com`, password: 'three keys on a ribbon', fullName: 'Or Dan' };
    const session = await registerPerson(newClient(), {
      ...person,
      phone: `+97258123${String(count).padStart(4, '0')}`,
    });
    const items = Array.from({ length: count }, (_, index) => ({
      qr_id: `tgt-A-story-of-${count}-${index}-things`,
      user_id: session.user.id,
      item_type: ['keys', 'wallet', 'backpack', 'umbrella'][index % 4],
      item_name: `Thing number ${index}`,
      description: 'Black, with a name on it',
    }));
    await operator.from('items').insert(items).throwOnError();
    return session;
  };
  return { url: service.url, story, owners: { 20: await register(20), 200: await register(200) } };
}
