import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { proposedAddress, proxiesInFront } from './proposed-address.ts';

const app = new Hono();
app.get('/', (c) => c.json([proposedAddress(c.req), proxiesInFront(c.req, c.req.query('for') ?? '')]));
const ask = async (headers: Record<string, string>, publicUrl = '') =>
  (await app.request(`/?for=${publicUrl}`, { headers })).json();

test.each([
  [{ host: 'localhost:3000' }, 'http://localhost:3000'],
  [{ host: 'lost.lan:3000' }, 'http://lost.lan:3000'],
  [
    { host: 'lost.example.org', 'x-forwarded-proto': 'https', 'x-forwarded-for': '1.2.3.4' },
    'https://lost.example.org',
  ],
  [
    { host: 'reunite:3000', 'x-forwarded-host': 'lost.example.org', 'x-forwarded-proto': 'https,http' },
    'https://lost.example.org',
  ],
  [{ host: 'lost.example.org', 'x-forwarded-for': '1.2.3.4' }, 'https://lost.example.org'],
  [{ host: 'a"><script>', 'x-forwarded-proto': 'javascript' }, ''],
  [{ host: 'user@lost.example.org' }, ''],
])('a request with %j proposes %j', async (headers, address) => {
  expect((await ask(headers))[0]).toBe(address);
});

test.each([
  [{}, 'http://localhost:3000', 0],
  [{}, 'https://lost.example.org', 1],
  [{ 'x-forwarded-for': '1.2.3.4' }, 'http://lost.lan', 1],
  [{ 'x-forwarded-for': '1.2.3.4, 10.0.0.1' }, 'https://lost.example.org', 2],
  [{ 'x-forwarded-for': '1,'.repeat(40) }, 'https://lost.example.org', 10],
])('a request with %j for %s shows %i proxies', async (headers, publicUrl, proxies) => {
  expect((await ask({ host: 'localhost', ...headers }, publicUrl))[1]).toBe(proxies);
});
