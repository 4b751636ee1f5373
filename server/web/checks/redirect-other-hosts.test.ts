import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#server/config.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { requestChecks } from '#server/http/request-checks.ts';
import { redirectOtherHosts, stickerHosts } from './redirect-other-hosts.ts';

const CONFIG = readConfig({
  PUBLIC_URL: 'https://lost.example.org',
  STICKER_URL: 'https://f.example.org',
  FORMER_URLS: 'https://old.example.org, http://older.example.org:8080',
});

const check = redirectOtherHosts(CONFIG);
const app = new Hono<AppEnv>().use(requestChecks(...(check === null ? [] : [check]))).all('*', (c) => c.text('served'));

function visit(host: string, path: string, method = 'GET') {
  return app.request(`http://${host}${path}`, { method, headers: { Host: host } });
}

describe('redirectOtherHosts', () => {
  it.each([
    ['f.example.org', '/tgt-abcdefghijklmn', 'https://lost.example.org/tgt-abcdefghijklmn'],
    ['F.EXAMPLE.org', '/?code=keys', 'https://lost.example.org/?code=keys'],
    ['old.example.org', '/f/3DT6-Y0E3-TXX7-GGAD', 'https://lost.example.org/f/3DT6-Y0E3-TXX7-GGAD'],
    ['older.example.org:8080', '/item/a%20b?x=%26', 'https://lost.example.org/item/a%20b?x=%26'],
    ['old.example.org', '//evil.example/x', 'https://lost.example.org//evil.example/x'],
    ['old.example.org', '/.evil.example', 'https://lost.example.org/.evil.example'],
  ])('leads from %s%s to the same path of the public address', async (host, path, target) => {
    const response = await visit(host, path);
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(target);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['lost.example.org', 'older.example.org', 'x.f.example.org', 'unknown.example'])(
    'leaves %s alone',
    async (host) => {
      expect(await (await visit(host, '/tgt-abcdefghijklmn')).text()).toBe('served');
    },
  );

  it('leaves forms alone, which a redirect would empty', async () => {
    expect(await (await visit('f.example.org', '/item/abc/message', 'POST')).text()).toBe('served');
  });

  it('does not exist where stickers carry the public address', () => {
    expect(redirectOtherHosts(readConfig({ PUBLIC_URL: 'https://lost.example.org' }))).toBeNull();
    expect(
      redirectOtherHosts(
        readConfig({ PUBLIC_URL: 'https://lost.example.org', STICKER_URL: 'http://lost.example.org' }),
      ),
    ).toBeNull();
  });
});

describe('stickerHosts', () => {
  it('has every host that a sticker can carry', () => {
    expect(stickerHosts(CONFIG)).toEqual([
      'lost.example.org',
      'f.example.org',
      'old.example.org',
      'older.example.org:8080',
    ]);
  });
});
