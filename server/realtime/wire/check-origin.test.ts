import { expect, test } from 'vitest';
import { isOwnOrigin } from './check-origin.ts';

const production = { publicUrl: 'https://lost.example.org', production: true };
const development = { publicUrl: 'http://localhost:3000', production: false };

test.each([
  [undefined, 'lost.example.org', production, true],
  ['https://lost.example.org', 'lost.example.org', production, true],
  ['http://lost.example.org', 'lost.example.org', production, false],
  ['https://lost.example.org.evil.example', 'lost.example.org', production, false],
  ['https://10.0.0.5', '10.0.0.5', production, false],
  ['null', 'lost.example.org', production, false],
  ['', 'lost.example.org', production, false],
  ['http://localhost:3000', 'localhost:3000', development, true],
  ['http://192.168.1.7:3000', '192.168.1.7:3000', development, true],
  ['http://evil.example', 'localhost:3000', development, false],
  ['null', 'localhost:3000', development, false],
])('origin %j at host %j', (origin, host, config, own) => {
  expect(isOwnOrigin(origin, host, config)).toBe(own);
});
