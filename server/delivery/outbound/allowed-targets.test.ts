import { expect, test } from 'vitest';
import { parseAllowedTarget } from './allowed-targets.ts';

test.each([
  ['ntfy.lan', 'https:', 'ntfy.lan', 443],
  ['ntfy.lan:443', 'https:', 'ntfy.lan', 443],
  ['NTFY.lan:8080', 'https:', 'ntfy.lan', 8080],
  ['http://ntfy.lan', 'http:', 'ntfy.lan', 80],
  ['http://ntfy.lan:80', 'http:', 'ntfy.lan', 80],
  ['http://ntfy.lan:443', 'http:', 'ntfy.lan', 443],
  ['127.0.0.1:8080', 'https:', '127.0.0.1', 8080],
  ['[fd00::7]:8443', 'https:', '[fd00::7]', 8443],
])('%s is a host', (entry, protocol, hostname, port) => {
  expect(parseAllowedTarget(entry)).toEqual({ protocol, hostname, port });
});

test.each([
  ['10.0.0.0/8', 4, 443],
  ['10.0.0.0/8:8080', 4, 8080],
  ['192.168.7.4/32', 4, 443],
  ['0.0.0.0/0', 4, 443],
  ['fd00::/8', 6, 443],
  ['FD12:3456:7890::/48:8443', 6, 8443],
])('%s is a network', (entry, family, port) => {
  expect(parseAllowedTarget(entry)).toMatchObject({ family, port });
});

test.each([
  ['a scheme that is not http', 'https://ntfy.lan', 'ftp://ntfy.lan', 'http:ntfy.lan', 'HTTP://ntfy.lan', '//ntfy.lan'],
  ['a path', 'ntfy.lan/topic', 'http://ntfy.lan/', 'http://ntfy.lan/topic', 'ntfy.lan?x', 'ntfy.lan#x', 'ntfy.lan\\x'],
  ['user information', 'user@ntfy.lan', 'user:password@ntfy.lan:80'],
  ['a wildcard', '*', '*.lan', '*:8080', '10.*'],
  [
    'a port out of range',
    'ntfy.lan:',
    'ntfy.lan:0x50',
    'ntfy.lan:65536',
    'ntfy.lan:-1',
    'ntfy.lan:08080',
    'ntfy.lan:1-9',
  ],
  [
    'an address in another form',
    '2130706433',
    '0177.0.0.1',
    '0x7f.1',
    '127.1',
    '[::ffff:127.0.0.1]',
    '[0::1]',
    '[::1%lo]',
  ],
  ['a network with bits behind its prefix', '10.0.0.1/8', '192.168.1.0/23', 'fd00::1/8', '::ffff:0:0/95'],
  [
    'a network in another form',
    '10/8',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/',
    '10.0.0.0/-1',
    'fd00::/129',
    '012.0.0.0/8',
  ],
  [
    'a network with more',
    '10.0.0.0/8/8',
    '10.0.0.0/8:',
    '10.0.0.0/8:0',
    '10.0.0.0/8:65536',
    'http://10.0.0.0/8',
    '[fd00::]/8',
  ],
  ['a name with spaces or controls', 'ntfy lan', 'ntfy.lan\n', '\tntfy.lan', 'ntfy.l\u00adan', 'ｎtfy.lan', ''],
])('refuses %s', (_, ...entries) => {
  for (const entry of entries) expect(parseAllowedTarget(entry), entry).toBeNull();
});
