import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { english, type Language } from '#domain/language.ts';
import { requestLanguage } from './request-language.ts';

const hebrew: Language = { ...english, tag: 'he', direction: 'rtl' };
const app = new Hono().get('/', (c) => c.text(requestLanguage(c, [english, hebrew]).tag));

test.each([
  ['he', 'he'],
  ['he-IL,he;q=0.9,en-US;q=0.8', 'he'],
  ['en-GB;q=0.8, he;q=0.9', 'he'],
  ['fr, de;q=0.5', 'en'],
  ['he;q=0, en', 'en'],
  ['hex', 'en'],
  ['*', 'en'],
  [';;;=,,q', 'en'],
])('Accept-Language: %s is served in %s', async (header, tag) => {
  const response = await app.request('/', { headers: { 'Accept-Language': header } });
  expect(await response.text()).toBe(tag);
});

test('a client that names no language is served the first', async () => {
  expect(await (await app.request('/')).text()).toBe('en');
});
