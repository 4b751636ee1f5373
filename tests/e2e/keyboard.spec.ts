import { photographSticker } from './support/draw-sticker.ts';
import { press, tabTo, type } from './support/keyboard.ts';
import { newPhone } from './support/register-owner.ts';
import { protocolClients } from './support/register-person.ts';
import { expect, newTagCode, test } from './support/test.ts';

// No mouse is used; typed text goes to the focused element.
test.use({ contextOptions: { reducedMotion: 'reduce' } });

const password = 'a lantern by the door';

test('an owner registers, tags, edits, replies, signs out, and signs in with the keyboard alone', {
  tag: ['@one-width', '@rest'],
}, async ({ page, service }) => {
  const { keyboard } = page;
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name });
  const code = newTagCode();
  const email = `${code.slice(4).toLowerCase()}@example.com`;

  await test.step('registers, and types the code into the field that has the focus', async () => {
    await page.goto(`/${code}`);
    await type(page, field('Full name'), 'Dana Levi');
    await type(page, field('Email'), email);
    await type(page, field('Phone number'), newPhone());
    await type(page, page.getByLabel('Password', { exact: true }), password);
    await keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Verify Your Account' })).toBeVisible();
    await expect(page.getByRole('textbox').first()).toBeFocused();
    await keyboard.type('123456');
    await expect(page).toHaveURL(`/item/${code}`);
    await expect(page.getByRole('heading', { name: 'It’s tagged. What is it?' })).toBeVisible();
  });

  await test.step('goes to the dashboard, and tags a second thing without a sticker', async () => {
    await press(page, page.getByRole('link', { name: 'Return to Dashboard' }));
    await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
    await press(page, button('Scan QR to Tag New Item'));
    await press(page, page.getByRole('link', { name: 'Tag without a sticker' }));
    await expect(page.getByRole('heading', { name: 'What are you tagging?' })).toBeVisible();
    await tabTo(page, page.getByRole('radio').first());
    await keyboard.press('Space');
    await keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name: 'Backpack' })).toBeChecked();
    await type(page, field('Description (optional)'), 'Blue, with a rocket on it');
    await press(page, button('Tag Item'));
    await expect(page.getByRole('heading', { name: 'Item Tagged!' })).toBeVisible();
    await press(page, page.getByRole('link', { name: 'Return to Dashboard' }));
    await expect(page).toHaveURL('/dashboard');
  });

  const finder = (await protocolClients(service))();
  const { error } = await finder.rpc('send_message', {
    qr_id_param: code,
    body_param: 'Your thing is at the front desk.',
    finder_key_param: 'the-key-of-a-finder-of-the-keyboard',
  });
  expect(error).toBeNull();

  await test.step('opens the item of a new message, and replies', async () => {
    const item = page.getByRole('link', { name: /My Tagged Item/ });
    await expect(item).toContainText('1 new message');
    await press(page, item);
    await expect(page.getByText('Your thing is at the front desk.')).toBeVisible();
    await type(page, field('Your reply to Finder 1'), 'I am on my way');
    await press(page, button('Send'));
    await expect(page.getByRole('list', { name: 'Finder 1' })).toContainText('I am on my way');
    await expect(page.getByText('Sending...')).toBeHidden();
  });

  await test.step('changes the item', async () => {
    await press(page, button('Edit item'));
    await expect(page.getByRole('heading', { name: 'Edit item' })).toBeFocused();
    await tabTo(page, page.getByRole('radio', { name: 'Bag', exact: true }));
    await keyboard.press('Space');
    await type(page, page.getByLabel('Name', { exact: true }), 'Sports bag');
    await press(page, button('Save'));
    await expect(page.getByRole('heading', { level: 1, name: 'Sports bag' })).toBeVisible();
    await expect(button('Edit item')).toBeFocused();
  });

  await test.step('marks it as lost, and undoes it', async () => {
    await press(page, button('Mark as lost'));
    await expect(page.getByRole('heading', { name: 'Reported lost' })).toBeFocused();
    await type(page, page.getByLabel('Note to finders (optional)'), 'Lost on bus 18');
    await press(page, button('Save'));
    await expect(button('Change the note or the reward')).toBeVisible();
    await press(page, button('Undo'));
    await expect(button('Mark as lost')).toBeVisible();
  });

  await test.step('closes a contact method', async () => {
    await press(page, page.getByRole('button', { name: /^How finders can reach you/ }));
    await press(page, page.getByRole('switch', { name: 'Call' }), 'Space');
    await expect(page.getByRole('switch', { name: 'Call' })).not.toBeChecked();
  });

  await test.step('gives up deleting it, with the focus where it was', async () => {
    await press(page, button('Delete item'));
    await expect(page.getByRole('dialog', { name: 'Delete Sports bag?' })).toBeVisible();
    await keyboard.press('Escape');
    await expect(button('Delete item')).toBeFocused();
  });

  await test.step('changes the profile, and signs out', async () => {
    await press(page, page.getByRole('link', { name: 'Return to Dashboard' }));
    await expect(page.getByRole('heading', { name: 'Sports bag' })).toBeVisible();
    await press(page, page.getByRole('link', { name: 'Settings', exact: true }));
    await press(page, button('Edit Profile'));
    await expect(field('Full name')).toBeFocused();
    await type(page, field('Full name'), 'Noa Bar');
    await press(page, button('Save'));
    await expect(page.locator('dl')).toContainText('Noa Bar');
    await expect(button('Edit Profile')).toBeFocused();
    await press(page, page.getByRole('link', { name: /^Security/ }));
    await press(page, button('Change password'));
    await expect(page.getByLabel('Current password', { exact: true })).toBeFocused();
    await press(page, button('Cancel'));
    await expect(button('Change password')).toBeFocused();
    await press(page, page.getByRole('link', { name: 'Back', exact: true }));
    await expect(page.getByRole('heading', { name: 'Your Profile' })).toBeVisible();
    await press(page, button('Sign Out'));
    await expect(page).toHaveURL('/');
  });

  await test.step('signs in again', async () => {
    await press(page, page.getByRole('link', { name: 'Log In' }));
    await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
    await type(page, field('Email'), email);
    await type(page, page.getByLabel('Password', { exact: true }), password);
    await press(page, button('Sign In'));
    await expect(page.getByRole('heading', { name: 'Sports bag' })).toBeVisible();
  });
});

test('the scanner with the keyboard alone: closed by Escape with the focus back, opened again, given a picture', {
  tag: '@one-width',
}, async ({ page, service }) => {
  const opener = page.getByRole('button', { name: 'I found something' });
  const dialog = page.getByRole('dialog', { name: 'Scan a QR code' });
  await page.goto('/');
  await press(page, opener);
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  await page.keyboard.press('Enter');
  const code = newTagCode();
  const chosen = page.waitForEvent('filechooser');
  await press(page, dialog.getByRole('button', { name: 'Choose a picture' }));
  await (await chosen).setFiles(await photographSticker(`${service.url}/${code}`));
  await expect(page).toHaveURL(`/?qr_id=${code}`);
});

test('a finder with the keyboard alone reaches every contact method, writes, and writes again', {
  tag: '@one-width',
}, async ({ page, story }) => {
  await page.goto(`/item/${story.codes.backpack}`);
  for (const name of ['WhatsApp', 'Call', 'Email']) await tabTo(page, page.getByRole('button', { name }));
  const log = page.getByRole('log');
  for (const text of ['I have it here', 'Until eight in the evening']) {
    await type(page, page.getByLabel('Your message'), text);
    await press(page, page.getByRole('button', { name: 'Send Message' }));
    await expect(log).toContainText(text);
  }
});
