import { messagesOf } from '#tests/support/messages-of.ts';
import { signIn } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

/** The English messages of several words that have no parameter, and another text in the language. */
function englishBeside(tag: string): ReadonlySet<string> {
  const translated = messagesOf(tag);
  const differing = [...messagesOf('en')].filter(([key, text]) => translated.get(key) !== text);
  return new Set(
    differing.map(([, text]) => text).filter((text) => !text.includes('{') && /\p{Letter}+ \p{Letter}+/u.test(text)),
  );
}

const SCREENS = ['/dashboard', '/messages', '/stickers', '/spreadsheet', '/profile'] as const;
const SETTINGS = ['finders', 'notifications', 'contacts', 'security', 'data'] as const;

for (const [tag, direction] of [
  ['he', 'rtl'],
  ['de', 'ltr'],
] as const) {
  test(`an owner whose browser asks for ${tag} has every screen in it, on a narrow phone`, {
    tag: '@one-width',
  }, async ({ browser, contextOptions, service, story }) => {
    const context = await browser.newContext({
      ...contextOptions,
      baseURL: service.url,
      locale: tag,
      viewport: { width: 320, height: 640 },
    });
    const page = await context.newPage();
    const english = englishBeside(tag);
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(error.message));
    page.on('console', (message) => message.type() === 'error' && failures.push(message.text()));

    const look = async (path: string) => {
      await page.goto(path, { waitUntil: 'networkidle' });
      await expect(page.locator('html')).toHaveAttribute('lang', tag);
      await expect(page.locator('html')).toHaveAttribute('dir', direction);
      const lines = (await page.locator('body').innerText()).split('\n').map((line) => line.trim());
      expect(
        lines.filter((line) => english.has(line)),
        path,
      ).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), path).toBe(0);
    };
    for (const path of ['/', '/auth?mode=login', '/auth?mode=register', '/faq', '/terms', '/privacy']) await look(path);
    await signIn(context, service.url, story.session);
    const paths = [...SCREENS, ...SETTINGS.map((name) => `/profile/${name}`), `/item/${story.codes.keys}`];
    for (const path of paths) await look(path);
    expect(failures).toEqual([]);
    await context.close();
  });
}

test('an account has the language that its owner chose from the next screen on', async ({ page, newOwner }) => {
  const { client } = await newOwner(page);
  const stored = async () => (await client.from('profiles').select('language').single()).data?.language;
  await page.goto('/dashboard');
  const before = await stored();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Language' }).click();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expect.poll(stored).toBe('de');
  expect(before).not.toBe('de');
});
