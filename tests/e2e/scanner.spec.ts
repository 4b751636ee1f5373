import type { Page } from '@playwright/test';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { drawSticker, photographSticker, type StickerLook } from './support/draw-sticker.ts';
import { withCamera } from './support/fake-camera.ts';
import { openRow } from './support/open-row.ts';
import { registerOwner } from './support/register-owner.ts';
import { skipFirstVisit } from './support/skip-first-visit.ts';
import { endCameraWait, standInCamera } from './support/stand-in-camera.ts';
import { expect, newTagCode, test } from './support/test.ts';
import { waitForScript } from './support/wait-for-script.ts';

const password = 'a lantern by the door';

async function openFromLanding(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'I found something' }).click();
  await expect(page.getByRole('dialog', { name: 'Scan a QR code' })).toBeVisible();
}

const looks: Record<string, StickerLook> = {
  'in good light': {},
  turned: { turned: 37, size: 0.55 },
  small: { size: 0.26, turned: 8 },
  dim: { ink: 24, paper: 48, turned: 171 },
};

for (const [name, look] of Object.entries(looks)) {
  const tag = ['small', 'dim'].includes(name) ? ['@one-width', '@rest'] : '@one-width';
  test(`the camera reads a sticker that is ${name}`, { tag }, async ({ service, launchOptions, contextOptions }) => {
    const code = newTagCode();
    const camera = { picture: drawSticker(`${service.url}/${code}`, look), launchOptions };
    await withCamera({ ...camera, contextOptions: { ...contextOptions, baseURL: service.url } }, async (page) => {
      const fetched: string[] = [];
      page.on('request', (request) => fetched.push(request.url()));
      await page.goto('/');
      expect(fetched.filter((url) => /scanner|worker|wasm/.test(url))).toEqual([]);
      await openFromLanding(page);
      // The code is unclaimed: the landing page offers to register an item with it.
      await expect(page.getByText('QR code detected').first()).toBeVisible();
      await expect(page).toHaveURL(`/?qr_id=${code}`);
      await expect(page.getByRole('link', { name: 'Register Item' })).toBeVisible();
      expect(fetched.filter((url) => !url.startsWith(service.url))).toEqual([]);
    });
  });
}

test('it opens with the camera on without a request, and stays open through a reload', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  await standInCamera(page, {});
  await page.addInitScript(() => {
    const BarcodeDetector = class {
      static getSupportedFormats = async () => ['qr_code'];
      detect = async () => [];
    };
    Object.assign(window, { BarcodeDetector });
  });
  await page.goto('/', { waitUntil: 'networkidle' });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.getByRole('button', { name: 'I found something' }).click();
  await expect(page.getByRole('status').getByText('Scanning...')).toBeVisible();
  expect(requests).toEqual([]);
  await page.reload();
  await expect(page.getByRole('status').getByText('Scanning...')).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveURL('/');
});

test('a user who closes it while a code is looked up stays on the page', { tag: ['@one-width', '@rest'] }, async ({
  page,
}) => {
  await openFromLanding(page);
  const isClosed = Promise.withResolvers<void>();
  await page.route('**/rpc/get_qr_code_owner', (route) => isClosed.promise.then(() => route.continue()));
  await page.getByRole('button', { name: 'Enter the code' }).click();
  await page.getByLabel('Code on the sticker').fill(newTagCode());
  await page.keyboard.press('Enter');
  await expect(page.getByText('Looking up the code...')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  const response = page.waitForResponse('**/rpc/get_qr_code_owner');
  isClosed.resolve();
  await (await response).finished();
  // The navigation would have happened before the page is used again.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  await page.getByRole('button', { name: 'I found something' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page).toHaveURL('/#scan');
});

test('it shows its state, and releases the camera when it is closed or hidden', { tag: '@rest' }, async ({
  service,
  launchOptions,
  contextOptions,
}) => {
  const nothing = drawSticker('x', { ink: 128, paper: 128 });
  const options = { picture: nothing, launchOptions, contextOptions: { ...contextOptions, baseURL: service.url } };
  await withCamera(options, async (page) => {
    await page.addInitScript(() => {
      const { mediaDevices } = navigator;
      const open = mediaDevices.getUserMedia.bind(mediaDevices);
      const tracks: MediaStreamTrack[] = [];
      Object.assign(window, { tracks });
      mediaDevices.getUserMedia = async (constraints) => {
        const stream = await open(constraints);
        tracks.push(...stream.getTracks());
        return stream;
      };
    });
    const states = () =>
      page.evaluate(() =>
        (window as unknown as { tracks: MediaStreamTrack[] }).tracks.map((track) => track.readyState),
      );
    const show = (visibilityState: string) =>
      page.evaluate((state) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
        document.dispatchEvent(new Event('visibilitychange'));
      }, visibilityState);

    await openFromLanding(page);
    await expect(page.getByRole('status').getByText('Scanning...')).toBeVisible();
    await expect.poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(640);
    expect(await states()).toEqual(['live']);
    await show('hidden');
    await expect.poll(states).toEqual(['ended']);
    await show('visible');
    await expect.poll(states).toEqual(['ended', 'live']);

    // The focus stays in the dialog and returns to where it came from.
    for (let press = 0; press < 8; press += 1) {
      await page.keyboard.press('Tab');
      // At the end of the dialog the focus is led back to its beginning.
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true);
    }
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await expect.poll(states).toEqual(['ended', 'ended']);
    await expect(page.getByRole('button', { name: 'I found something' })).toBeFocused();
  });
});

test('a device with two cameras changes between them, and one with a single one offers nothing to change', {
  tag: ['@one-width', '@rest'],
}, async ({ service, launchOptions, contextOptions }) => {
  const options = { launchOptions, contextOptions: { ...contextOptions, baseURL: service.url } };
  await withCamera(options, async (page) => {
    await openFromLanding(page);
    const camera = () =>
      page.locator('video').evaluate((video: HTMLVideoElement) => {
        const [track] = video.srcObject instanceof MediaStream ? video.srcObject.getVideoTracks() : [];
        return track?.getSettings().deviceId;
      });
    const change = page.getByRole('button', { name: 'Use the other camera' });
    await expect(change).toBeVisible();
    await expect.poll(camera).toBeTruthy();
    const first = await camera();
    await change.click();
    await expect.poll(camera).not.toBe(first);
    await expect.poll(camera).toBeTruthy();
    await change.click();
    await expect.poll(camera).toBe(first);
  });
  const nothing = drawSticker('x', { ink: 128, paper: 128 });
  await withCamera({ ...options, picture: nothing }, async (page) => {
    await openFromLanding(page);
    await expect(page.getByRole('status').getByText('Scanning...')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Use the other camera' })).toBeHidden();
    await expect(page.getByRole('button', { name: 'Turn on the light' })).toBeHidden();
  });
});

test('a camera with a light has a button for it, which says what it does next', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  // No test machine has such a light, so the camera is a stand-in that records its constraints.
  await standInCamera(page, { hasTorch: true });
  await openFromLanding(page);
  const reported = () => page.evaluate(() => document.documentElement.dataset.torch);
  await page.getByRole('button', { name: 'Turn on the light' }).click();
  await expect(page.getByRole('button', { name: 'Turn off the light' })).toBeVisible();
  expect(await reported()).toBe('{"advanced":[{"torch":true}]}');
  await page.getByRole('button', { name: 'Turn off the light' }).click();
  await expect(page.getByRole('button', { name: 'Turn on the light' })).toBeVisible();
  expect(await reported()).toBe('{"advanced":[{"torch":false}]}');
});

test('a light that does not turn on says so, and one that is on goes off with its camera', {
  tag: ['@one-width', '@rest'],
}, async ({ page }) => {
  await standInCamera(page, { hasTorch: true, cameras: 2 });
  await openFromLanding(page);
  await page.getByRole('button', { name: 'Turn on the light' }).click();
  await expect(page.getByRole('button', { name: 'Turn off the light' })).toBeVisible();
  await page.getByRole('button', { name: 'Use the other camera' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-camera', 'camera 2');
  await expect(page.getByRole('button', { name: 'Turn on the light' })).toBeVisible();

  await standInCamera(page, { hasTorch: true, torchFails: true });
  await openFromLanding(page);
  await page.getByRole('button', { name: 'Turn on the light' }).click();
  await expect(page.getByText('The light didn’t respond. Please try again.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Turn on the light' })).toBeVisible();
});

test('the browser’s own detector is preferred, and ours is not fetched', { tag: ['@one-width', '@rest'] }, async ({
  page,
  service,
}) => {
  const code = newTagCode();
  await page.addInitScript((text) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 400, height: 300 });
    setInterval(() => canvas.getContext('2d')?.fillRect(0, 0, 400, 300), 50);
    navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
    const BarcodeDetector = class {
      static getSupportedFormats = async () => ['qr_code'];
      detect = async ({ width }: HTMLCanvasElement) => (width === 400 ? [{ rawValue: text }] : []);
    };
    Object.assign(window, { BarcodeDetector });
  }, `${service.url}/${code}`);
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  await page.goto('/');
  // The code may be read before the scanner is seen.
  await page.getByRole('button', { name: 'I found something' }).click();
  await expect(page).toHaveURL(`/?qr_id=${code}`);
  expect(fetched.filter((url) => /worker|wasm/.test(url))).toEqual([]);
});

test('without a camera: a picture, a typed code, or in development a simulated scan', async ({ page, service }) => {
  await openFromLanding(page);
  await expect(page.getByRole('alert')).toContainText('No camera found');
  const dialog = page.getByRole('dialog');

  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('no') });
  await expect(page.getByText('We couldn’t open this picture.')).toBeVisible();
  await dialog.locator('input[type=file]').setInputFiles(await photographSticker('x', { ink: 90, paper: 90 }));
  await expect(page.getByText('We can’t see a QR code in this picture.')).toBeVisible();
  const pictured = newTagCode();
  await dialog
    .locator('input[type=file]')
    .setInputFiles(await photographSticker(`${service.url}/${pictured}`, { turned: 20 }));
  await expect(page).toHaveURL(`/?qr_id=${pictured}`);

  await openFromLanding(page);
  await page.getByRole('button', { name: 'Enter the code' }).click();
  await expect(page.getByLabel('Code on the sticker')).toBeFocused();
  await page.keyboard.type('no.code.at.all');
  await page.keyboard.press('Enter');
  await expect(page.getByText('That’s not one of our codes. They have four groups')).toBeVisible();
  const typed = newTagCode();
  await page.getByLabel('Code on the sticker').fill(`${service.url}/item/${typed}?x#y`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/?qr_id=${typed}`);

  await page.clock.install();
  await openFromLanding(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Simulate a scan' }).click();
  await expect(page.getByRole('button', { name: 'Scanning...' })).toBeDisabled();
  await page.clock.runFor(1_400);
  await expect(page).toHaveURL('/#scan');
  await page.clock.runFor(200);
  await expect(page).toHaveURL(/\/\?qr_id=tgt-[\w-]{16}$/);
});

test('the buttons stay where they are when the camera refuses', { tag: ['@one-width', '@rest'] }, async ({ page }) => {
  await standInCamera(page, { refusal: 'NotFoundError', waits: true });
  await openFromLanding(page);
  const buttons = ['Choose a picture', 'Enter the code'].map((name) => page.getByRole('button', { name }));
  const places = () => Promise.all(buttons.map((button) => button.boundingBox()));
  await expect(page.getByText('Asking for the camera')).toBeVisible();
  // Waits until the overlay has slid in.
  await page.getByRole('button', { name: 'Enter the code' }).click({ trial: true });
  const before = await places();
  await endCameraWait(page);
  await expect(page.getByRole('button', { name: 'Simulate a scan' })).toBeVisible();
  expect(await places()).toEqual(before);
});

test('a typed code leads to the item, from a link in a picture, by hand, and without scripts', {
  tag: '@one-width',
}, async ({ page, service, story, browser }) => {
  const code = story.codes.backpack;
  const typedCode = typedCodeOf(code);
  const heading = { level: 1, name: 'School backpack' } as const;
  await openFromLanding(page);
  const file = page.getByRole('dialog').locator('input[type=file]');
  await file.setInputFiles(await photographSticker(`${service.url}/f/${typedCode}`, {}));
  await expect(page).toHaveURL(`/item/${code}`);
  await expect(page.getByRole('heading', heading)).toBeVisible();

  await openFromLanding(page);
  await page.getByRole('button', { name: 'Enter the code' }).click();
  const field = page.getByLabel('Code on the sticker');
  await field.fill(typedCode.replace(/.$/, (last) => (last === '7' ? '8' : '7')));
  await page.keyboard.press('Enter');
  await expect(page.getByText('One character is wrong, or two are swapped.')).toBeVisible();
  const lookUps: string[] = [];
  page.on('request', (request) => request.url().includes('/rpc/') && lookUps.push(request.url()));
  for (const [slip, problem] of [
    [typedCode.slice(0, -1), 'Something is missing: a code has 16 characters, and this one has 15.'],
    [`${typedCode}7`, 'That’s too long: a code has 16 characters, and this one has 17.'],
    [typedCode.replace(/.$/, 'U'), 'Our codes have no “U”. Compare it with the sticker.'],
  ] as const) {
    await field.fill(slip);
    await page.keyboard.press('Enter');
    await expect(page.getByText(problem)).toBeVisible();
  }
  expect(lookUps).toEqual([]);
  await field.fill(typedCodeOf(newTagCode()));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'No sticker in use has this code.' })).toBeVisible();
  await page.getByRole('button', { name: 'Scan again' }).click();
  await field.fill(typedCode.toLowerCase().replaceAll('-', ' '));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/item/${code}`);
  await expect(page.getByText(`Code on the sticker: ${typedCode}`)).toBeVisible();

  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: service.url });
  const plain = await context.newPage();
  await plain.goto('/');
  await plain.getByRole('link', { name: 'Can’t scan it? Enter the code' }).click();
  await plain.getByLabel('Code on the sticker').fill('3DT6');
  await plain.keyboard.press('Enter');
  await expect(plain.getByText('Something is missing')).toBeVisible();
  await plain.getByLabel('Code on the sticker').fill(typedCode);
  await plain.getByRole('button', { name: 'Continue' }).click();
  await expect(plain.getByRole('heading', heading)).toBeVisible();
  await context.close();
});

for (const [error, title] of [
  ['NotAllowedError', 'Camera access denied'],
  ['NotReadableError', 'The camera is in use'],
] as const) {
  test(`“${title}” is shown with the alternatives`, { tag: '@rest' }, async ({ page }) => {
    await page.addInitScript((name) => {
      const { mediaDevices } = navigator;
      let refusals = 1;
      const canvas = document.createElement('canvas');
      canvas.getContext('2d');
      mediaDevices.getUserMedia = async () => {
        refusals -= 1;
        if (refusals >= 0) throw new DOMException('refused', name);
        return canvas.captureStream();
      };
    }, error);
    await openFromLanding(page);
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(title);
    await expect(alert).toContainText('Could not access camera. Please check permissions.');
    await expect(page.getByRole('button', { name: 'Choose a picture' })).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('status').getByText('Scanning...')).toBeVisible();
  });
}

test('a code of another site is named and never followed, and a script is ignored [D36]', {
  tag: ['@one-width', '@rest'],
}, async ({ page, service }) => {
  const documents: string[] = [];
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(request.url());
  });
  await openFromLanding(page);
  const file = page.getByRole('dialog').locator('input[type=file]');
  for (const text of ['javascript:alert(document.domain)', 'WIFI:S:home;T:WPA;P:secret;;', 'data:text/html,hello']) {
    await file.setInputFiles(await photographSticker(text));
    // The sentence may still be that of the picture before.
    await expect(page.getByRole('button', { name: 'Choose a picture' })).toBeEnabled();
    await expect(page.getByText('That’s not one of our codes. Is there another')).toBeVisible();
  }
  const code = newTagCode();
  for (const text of [`https://evil.example/${code}`, `//evil.example/${code}`]) {
    await file.setInputFiles(await photographSticker(text));
    await expect(page.getByRole('alert')).toContainText('It opens evil.example, which isn’t Reunite');
    await page.getByRole('button', { name: 'Scan again' }).click();
  }
  await file.setInputFiles(await photographSticker(`https://evil.example/${code}`));
  await page.getByRole('button', { name: 'Look up the code here' }).click();
  await expect(page).toHaveURL(`/?qr_id=${code}`);
  // The first page, and the same with the code.
  expect(documents).toEqual([`${service.url}/`, `${service.url}/?qr_id=${code}`]);
});

test('an owner’s scan: their own code, a free one, and another owner’s', async ({ page, another, service }) => {
  const theirs = newTagCode();
  await registerOwner(await another(), theirs, `${theirs.slice(4).toLowerCase()}@example.com`, password);
  const own = newTagCode();
  await registerOwner(page, own, `${own.slice(4).toLowerCase()}@example.com`, password);

  const scan = async (code: string, first = async () => {}) => {
    await page.goto('/dashboard');
    await page.getByRole('button', { name: 'Scan QR to Tag New Item', exact: true }).click();
    const file = page.getByRole('dialog', { name: 'Scan QR to tag new item' }).locator('input[type=file]');
    await file.setInputFiles(await photographSticker(`${service.url}/${code}`));
    await first();
    await expect(page).toHaveURL(`/item/${code}`);
  };
  await scan(own);
  await expect(page.getByText('This is your QR code')).toBeVisible();
  await scan(theirs);
  await expect(page.getByText('This QR code is already registered to another account')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Contact Dana' })).toBeVisible();
  const free = newTagCode();
  // A notice is gone after five seconds, and the previous panel with this text may be disappearing.
  const detected = page.getByRole('region', { name: 'Notifications' }).getByText('QR code detected');
  await scan(free, () => expect(detected).toBeVisible());
  await expect(page.getByRole('heading', { name: 'What are you tagging?' })).toBeVisible();
  // The way back stays where it leads, and the closed scanner is no step of it.
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Your Tagged Items' })).toBeVisible();
  await expect(page).toHaveURL('/dashboard');
});

test('Back closes the scanner and stays on the page', { tag: ['@one-width', '@rest'] }, async ({ page, newOwner }) => {
  const { code } = await newOwner(page);
  const free = newTagCode();
  const scanner = page.getByRole('dialog', { name: /scan/i });
  const none = async () => {};
  const screens: readonly [path: string, opener: string, show: () => Promise<void>][] = [
    ['/', 'I found something', none],
    ['/dashboard', 'Scan QR to Tag New Item', none],
    [
      `/item/${code}`,
      'Add a sticker',
      async () => {
        await skipFirstVisit(page);
        await openRow(page, 'Stickers');
      },
    ],
    [
      `/item/${free}`,
      'Scan another',
      async () => {
        await page.getByRole('radio', { name: 'Keys' }).check();
        await page.getByRole('button', { name: 'Tag Item' }).click();
      },
    ],
  ];
  for (const [path, opener, show] of screens) {
    await page.goto(path);
    await show();
    await page.getByRole('button', { name: opener, exact: true }).click();
    await expect(scanner).toBeVisible();
    await page.goBack();
    await expect(scanner).toBeHidden();
    await expect(page).toHaveURL(path);
    // Closing it by its button leaves no step behind either.
    await page.getByRole('button', { name: opener, exact: true }).click();
    await scanner.getByRole('button', { name: 'Close' }).click();
    await expect(page).toHaveURL(path);
  }
});

test.describe('a scanner whose code arrives late', { tag: '@one-width' }, () => {
  test.use({ refusals: [404] });

  test('does not navigate a visitor who has left', { tag: '@rest' }, async ({ page }) => {
    const { promise: isLate, resolve: arrive } = Promise.withResolvers<void>();
    await page.route('**/assets/scanner-*.js', async (route) => {
      await isLate;
      await route.continue();
    });
    await page.goto('/not-found');
    await waitForScript(page);
    const arrived = page.waitForEvent('requestfinished', (request) => /scanner-.*\.js/.test(request.url()));
    await page.getByRole('button', { name: 'Scan again' }).click();
    await page.getByRole('link', { name: 'Privacy' }).click();
    await expect(page).toHaveURL('/privacy');
    arrive();
    await arrived;
    // Long enough for the code to run.
    await page.waitForFunction(() => new Promise((idle) => requestIdleCallback(() => idle(true))));
    await page.waitForLoadState('networkidle');
    await expect(page).toHaveURL('/privacy');
  });
});

test.describe('a service that cannot respond', { tag: '@one-width' }, () => {
  test.use({ refusals: [500] });

  test('shows a failure, and can be retried', { tag: '@rest' }, async ({ page, service }) => {
    const code = newTagCode();
    await page.route('**/rpc/get_qr_code_owner', (route) =>
      route.fulfill({ status: 500, json: { message: 'broken' } }),
    );
    await openFromLanding(page);
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles(await photographSticker(`${service.url}/${code}`));
    await expect(page.getByRole('alert')).toHaveText('Error checking QR code status');
    await page.unroute('**/rpc/get_qr_code_owner');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page).toHaveURL(`/?qr_id=${code}`);
  });
});
