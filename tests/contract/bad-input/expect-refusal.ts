import { expect } from 'vitest';
import type { Endpoint } from './endpoints.ts';

export interface Received {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A refusal in the service's own format: 4xx, and no internal details. */
export function expectRefusal({ service }: Endpoint, { status, type, text }: Received, what: string): void {
  expect(status, `${what}: ${text.slice(0, 200)}`).toBeGreaterThanOrEqual(400);
  expect(status, `${what}: ${text.slice(0, 200)}`).toBeLessThan(500);
  expect(text, what).not.toMatch(/\bat \S+ \(.+:\d+:\d+\)|node_modules|json_agg|json_to_record|set_config/i);
  SHAPES[service]({ status, type, text }, what);
}

const isText = expect.any(String);

const SHAPES: Readonly<Record<Endpoint['service'], (response: Received, what: string) => void>> = {
  auth: ({ type, text }, what) => {
    expect(type, what).toMatch(/^application\/json/);
    expect(JSON.parse(text), what).toMatchObject({ code: isText, message: isText });
  },
  rest: ({ type, text }, what) => {
    expect(type, what).toBe('application/json; charset=utf-8');
    const body = JSON.parse(text);
    expect(Object.keys(body).sort(), what).toEqual(['code', 'details', 'hint', 'message']);
    expect(body, what).toMatchObject({ code: isText, message: isText });
  },
  storage: ({ type, text }, what) => {
    expect(type, what).toMatch(/^application\/json/);
    expect(JSON.parse(text), what).toMatchObject({ statusCode: isText, error: isText, message: isText });
  },
  realtime: ({ status, type, text }, what) => {
    expect(type, what).toMatch(/^application\/json/);
    // A body of the wrong shape gets an error for each invalid part.
    const shape = status === 422 ? { errors: expect.any(Object) } : { error: isText };
    expect(JSON.parse(text), what).toEqual(shape);
  },
  web: ({ type, text }, what) => {
    expect(type, what).toMatch(/^text\/(html|plain)/);
    expect(text.trim(), what).not.toBe('');
  },
};
