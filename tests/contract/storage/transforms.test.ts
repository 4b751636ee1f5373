import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/test-database.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const server = await startTestServer(await createTestDatabase());
const { storage } = server.client({ key: server.secrets.secretKey });
await storage.createBucket('open', { public: true });
await storage.createBucket('closed', { public: false });

/** 800 by 400 pixels, with a camera's notes: red on the left half, blue on the right. */
const red = { create: { width: 400, height: 400, channels: 3, background: '#f00' } } as const;
const jpeg = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#00f' } })
  .composite([{ input: red, left: 0, top: 0 }])
  .withExif({ IFD0: { Artist: 'Ada' } })
  .jpeg()
  .toBuffer();
for (const bucket of ['open', 'closed'])
  await storage.from(bucket).upload('wide.jpg', jpeg, { contentType: 'image/jpeg' });
await storage.from('open').upload('note.txt', 'No picture', { contentType: 'text/plain' });
await storage
  .from('open')
  .upload('drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', { contentType: 'image/svg+xml' });
await storage.from('open').upload('half.jpg', jpeg.subarray(0, 700), { contentType: 'image/jpeg' });

async function shape(response: Response) {
  const { width, height, format, exif } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  return { width, height, format, exif };
}

const PUBLIC = '/storage/v1/render/image/public/open';
const render = (query: string, headers: Record<string, string> = {}) =>
  server.request(`${PUBLIC}/wide.jpg?${query}`, { headers });

test.each([
  ['width=200', { width: 200, height: 100 }],
  ['height=100', { width: 200, height: 100 }],
  ['width=100&height=100', { width: 100, height: 100 }],
  ['width=100&height=100&resize=cover', { width: 100, height: 100 }],
  ['width=100&height=100&resize=contain', { width: 100, height: 50 }],
  ['width=100&height=100&resize=fill', { width: 100, height: 100 }],
  ['width=9000', { width: 800, height: 400 }],
  ['width=0&height=100', { width: 200, height: 100 }],
  ['quality=20', { width: 800, height: 400 }],
  ['width=200&format=origin', { width: 200, height: 100 }],
])('%s', async (query, size) => {
  const response = await render(query);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('image/jpeg');
  expect(await shape(response)).toEqual({ ...size, format: 'jpeg', exif: undefined });
});

test('the format is that of the object, WebP for browsers that take it, or the one that is asked for', async () => {
  const accept = { accept: 'image/avif,image/webp,*/*' };
  for (const [query, headers, type] of [
    ['width=50', {}, 'image/jpeg'],
    ['width=50', accept, 'image/webp'],
    ['width=50&format=origin', accept, 'image/jpeg'],
    ['width=50&format=webp', {}, 'image/webp'],
    ['width=50&format=avif', {}, 'image/avif'],
  ] as const) {
    const response = await render(query, headers);
    expect([query, response.headers.get('content-type')]).toEqual([query, type]);
    expect(response.headers.get('vary')).toContain('Accept');
    expect((await shape(response)).format).toBe(type === 'image/avif' ? 'heif' : type.slice('image/'.length));
  }
});

test('less quality is fewer bytes', async () => {
  const sizeOf = async (quality: number) => (await (await render(`quality=${quality}`)).arrayBuffer()).byteLength;
  expect(await sizeOf(20)).toBeLessThan(await sizeOf(100));
});

test('the client’s methods: by the public URL, by a signed URL, and as a download', async () => {
  const transform = { width: 60, height: 60, resize: 'contain', quality: 50 } as const;
  const { data } = storage.from('open').getPublicUrl('wide.jpg', { transform });
  expect(await shape(await fetch(data.publicUrl))).toMatchObject({ width: 60, height: 30 });

  const signed = await storage.from('closed').createSignedUrl('wide.jpg', 60, { transform });
  const url = new URL(signed.data?.signedUrl ?? '');
  expect(url.pathname).toBe('/storage/v1/render/image/sign/closed/wide.jpg');
  const made = await fetch(url);
  expect(made.headers.get('x-transformations')).toBe('height:60,width:60,resizing_type:fit,quality:50');
  expect(await shape(made)).toMatchObject({ width: 60, height: 30 });
  url.searchParams.set('width', '700');
  expect(await shape(await fetch(url)), 'what was signed counts').toMatchObject({ width: 60, height: 30 });

  const asWebp = await render('width=60&resize=fill', { Accept: 'image/webp' });
  expect(asWebp.headers.get('x-transformations')).toBe('width:60,resizing_type:force,format:webp');

  const downloaded = await storage.from('closed').download('wide.jpg', { transform });
  expect(downloaded.error).toBeNull();
  expect(await shape(new Response(downloaded.data))).toMatchObject({ width: 60, height: 30 });
  const visitor = await server.client().storage.from('closed').download('wide.jpg', { transform });
  expect(visitor.error).not.toBeNull();
});

test('headers are those of the object, and a picture that did not change is not made again', async () => {
  const whole = await server.request('/storage/v1/object/public/open/wide.jpg');
  const made = await render('width=70&download=small.jpg');
  for (const name of ['etag', 'cache-control', 'last-modified', 'content-security-policy', 'x-content-type-options']) {
    expect([name, made.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
  }
  expect(made.headers.get('content-disposition')).toContain('filename="small.jpg"');
  const again = await render('width=70', { 'if-none-match': made.headers.get('etag') ?? '' });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const head = await server.request(`${PUBLIC}/wide.jpg?width=70`, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, 'image/jpeg', '']);
});

test.each([
  ['width=-1', 'width must be integer'],
  ['width=1.5', 'width must be integer'],
  ['width=a', 'width must be integer'],
  ['height=1e3', 'height must be integer'],
  ['quality=19', 'quality must be >= 20'],
  ['quality=101', 'quality must be <= 100'],
  ['resize=stretch', 'resize must be equal to one of the allowed values'],
  ['format=gif', 'format must be equal to one of the allowed values'],
])('%s is refused', async (query, message) => {
  const response = await render(query);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    statusCode: '400',
    error: 'InvalidRequest',
    message,
    code: 'InvalidRequest',
  });
});

test('a signature over such a value is refused, and over a parameter that is not offered', async () => {
  const sign = (transform: object) => storage.from('closed').createSignedUrl('wide.jpg', 60, { transform });
  expect((await sign({ quality: 5 })).error).toMatchObject({ statusCode: '400', code: 'InvalidRequest' });
  expect((await sign({ gravity: 'no' })).error).toMatchObject({ statusCode: '422', code: 'FeatureNotEnabled' });
});

test.each(['note.txt', 'drawing.svg', 'half.jpg'])('of %s no picture is made', async (name) => {
  const response = await server.request(`${PUBLIC}/${name}?width=100`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({
    statusCode: '400',
    code: 'InvalidRequest',
    message: 'The source image is invalid or unsupported for rendering',
  });
});

test('a picture of too many pixels is refused by its header, and many at once are made one by one [E39]', async () => {
  const huge = await sharp({ create: { width: 7000, height: 6000, channels: 3, background: '#0f0' } })
    .png()
    .toBuffer();
  await storage.from('open').upload('huge.png', huge, { contentType: 'image/png' });
  expect((await server.request(`${PUBLIC}/huge.png?width=100`)).status).toBe(400);
  const responses = await Promise.all(Array.from({ length: 8 }, (_, at) => render(`width=${100 + at}`)));
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
});
