import { signIn } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

/** The parts of the manifest that the test uses. */
interface Manifest {
  readonly name: string;
  readonly start_url: string;
  readonly icons: readonly { readonly src: string; readonly sizes: string }[];
  readonly shortcuts: readonly { readonly name: string; readonly url: string }[];
}

test('the browser offers to install the app, and its icons and shortcuts work', { tag: '@one-width' }, async ({
  page,
  context,
  service,
  story,
}) => {
  await page.goto('/auth');
  const browser = await context.newCDPSession(page);
  const { errors, data = '{}' } = await browser.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
  // A test's window is private, which Chromium with a user interface counts as an error of its own.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  // The server makes it.
  const manifest = JSON.parse(data) as Manifest;
  expect(manifest.name).toBe('Reunite');
  for (const { src, sizes } of manifest.icons) {
    const shown = await page.evaluate(async (address) => {
      const picture = new Image();
      picture.src = address;
      await picture.decode();
      return `${picture.naturalWidth}x${picture.naturalHeight}`;
    }, src);
    expect(shown, src).toBe(sizes);
  }

  await signIn(context, service.url, story.session);
  await page.goto(manifest.start_url);
  await expect(page.getByRole('link', { name: /House keys/ })).toBeVisible();
  expect(manifest.shortcuts.map(({ name }) => name)).toEqual(['Scan QR to Tag New Item', 'Your Tagged Items']);
  await page.goto(manifest.shortcuts[0]?.url ?? '');
  await page.reload();
  await expect(page.getByRole('dialog')).toBeVisible();
});
