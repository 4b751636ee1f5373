import { expect, type Page } from '@playwright/test';
import type { Screen } from './screens.ts';

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { name })).toBeVisible();

/** The list of all conversations, in its states. */
export const MESSAGE_SCREENS: readonly Screen[] = [
  {
    name: 'messages',
    as: 'owner',
    async show(page, { codes, replyToLast }) {
      await replyToLast(codes.umbrella, 'Thank you, I will be there at six.');
      await page.goto('/messages');
      await expect(page.getByRole('link', { name: /Yellow umbrella/ }).getByText('You: Thank you')).toBeVisible();
    },
  },
  {
    name: 'messages-many',
    as: 'owner',
    async show(page) {
      await page.route('**/rpc/list_conversations*', async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: manyOf(await response.json()) });
      });
      await page.goto('/messages');
      await expect(page.getByRole('button', { name: 'Show earlier ones' })).toBeVisible();
    },
  },
  {
    name: 'messages-given',
    as: 'giver',
    async show(page) {
      await page.goto('/messages');
      await expect(page.getByRole('link', { name: /Green scooter/ })).toContainText('You gave it away');
    },
  },
  {
    name: 'messages-empty',
    as: 'careful',
    async show(page) {
      await page.goto('/messages');
      await heading(page, 'No messages yet');
    },
  },
  {
    name: 'messages-loading',
    as: 'owner',
    async show(page) {
      await page.route('**/rpc/list_conversations*', () => new Promise(() => {}));
      await page.goto('/messages', { waitUntil: 'commit' });
      await expect(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeAttached();
    },
  },
  {
    name: 'messages-failed',
    as: 'owner',
    refusals: [500],
    async show(page) {
      await page.route('**/rpc/list_conversations*', (route) =>
        route.fulfill({ status: 500, json: { message: 'broken' } }),
      );
      await page.goto('/messages');
      await expect(page.getByText('We couldn’t load your messages')).toBeVisible();
    },
  },
];

interface Listed {
  readonly conversations: readonly Readonly<Record<string, unknown>>[];
}

/** The first conversation in every state, with names and messages of every length, and more of them to load. */
function manyOf({ conversations: [first] }: Listed) {
  const finder = { sender: 'finder', by_contact: false, kind: 'text', place: null, body: '' };
  const nowhere = { latitude: null, longitude: null, location_exact: null };
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
  const read = { ...first, qr_id: 'tgt-A-story-of-many', photo: null, is_unread: false, is_waiting: false };
  const rows: readonly (Readonly<Record<string, unknown>> & { readonly newest: object })[] = [
    { item_name: 'House keys', item_type: 'keys', newest_at: ago(0), is_unread: true, newest: { kind: 'have_it' } },
    {
      item_name: 'The green backpack with the patches from the mountains',
      item_type: 'backpack',
      newest_at: ago(4),
      is_unread: true,
      newest: { kind: 'left_it', place: 'the lost property office of the central station' },
    },
    { item_name: 'Bicycle', item_type: 'bike', newest_at: ago(50), is_waiting: true, newest: { body: 'Is it yours?' } },
    {
      item_name: 'Laptop',
      item_type: 'laptop',
      newest_at: ago(200),
      newest: { sender: 'owner', by_contact: true, body: 'She is on a plane. I can come and fetch it tonight.' },
    },
    {
      item_name: 'מטריה צהובה',
      item_type: 'umbrella',
      newest_at: ago(2_000),
      is_waiting: true,
      muted_at: ago(1_000),
      newest: { body: 'מצאתי אותה בתחנה' },
    },
    {
      item_name: 'Wallet',
      item_type: 'wallet',
      newest_at: ago(6_000),
      returned_at: ago(5_000),
      newest: { sender: 'owner', body: 'Thank you so much for bringing it. Have a good evening!' },
    },
    { item_name: 'Glasses', item_type: 'glasses', newest_at: ago(30_000), newest: { kind: 'photo' } },
    { item_name: 'Book', item_type: 'book', newest_at: ago(900_000), blocked_at: ago(9), newest: { body: 'Buy this' } },
  ];
  const conversations = rows.map((row) => ({
    ...read,
    ...row,
    id: crypto.randomUUID(),
    item_id: crypto.randomUUID(),
    newest: { ...finder, ...nowhere, ...row.newest },
  }));
  return { conversations, has_more: true };
}
