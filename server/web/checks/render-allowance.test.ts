import { expect, test } from 'vitest';
import { createRenderAllowance, RENDERS } from './render-allowance.ts';

test('each address has its own bound for rendered pages, in a burst and each second [K34]', () => {
  let now = 0;
  const mayRender = createRenderAllowance(() => now);
  const rendered = (address: string, asked: number) =>
    Array.from({ length: asked }, () => mayRender(address)).filter(Boolean).length;
  expect(rendered('203.0.113.1', 1_000)).toBe(RENDERS.burst);
  expect(rendered('203.0.113.2', 1)).toBe(1);
  now += 1_000;
  expect(rendered('203.0.113.1', 1_000)).toBe(RENDERS.perSecond);
});

test('of too many addresses the one served longest ago is dropped', () => {
  const mayRender = createRenderAllowance(() => 0);
  for (let asked = 0; asked < RENDERS.burst; asked += 1) mayRender('busy');
  for (let other = 1; other < RENDERS.mostKeys; other += 1) mayRender(`other ${other}`);
  expect(mayRender('busy')).toBe(false);
  mayRender('one more');
  expect(mayRender('busy'), 'it has just been used').toBe(false);
});
