import { signIn } from './support/sign-in.ts';
import { expect, newTagCode, test } from './support/test.ts';

test('a code that is claimed and not tagged: its owner tags it, another account is told that it is taken', {
  tag: '@one-width',
}, async ({ page, another, newOwner, service, story }) => {
  const { client, session } = await newOwner(page);
  const code = newTagCode();
  const claimed = await client.rpc('register_qr_code', { qr_id_param: code, user_id_param: session.user.id });
  expect(claimed.error).toBeNull();

  const other = await another();
  await signIn(other.context(), service.url, story.newcomer);
  await other.goto(`/${code}`);
  await expect(other.getByText('This QR code is already registered to another account')).toBeVisible();
  await expect(other.getByRole('heading', { name: 'You found something of Dana’s' })).toBeVisible();
  await expect(other.getByRole('button', { name: 'Tag Item' })).toBeHidden();

  await page.goto(`/${code}`);
  await page.getByRole('radio', { name: 'Umbrella' }).check();
  await page.getByRole('button', { name: 'Tag Item' }).click();
  await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();

  await other.reload();
  await expect(other.getByRole('heading', { name: 'Umbrella' })).toBeVisible();
});
