import { expect } from 'vitest';
import type { Endpoint } from './endpoints.ts';

export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A clear refusal in the service's own words: 4xx (or 501 where nothing is offered), its shape, and nothing of our insides. */
export function expectRefusal({ service, notOffered }: Endpoint, { status, type, text }: Answered, what: string): void {
  if (notOffered === true && status === 501) expect(status, what).toBe(501);
  else {
    expect(status, `${what}: ${text.slice(0, 200)}`).toBeGreaterThanOrEqual(400);
    expect(status, `${what}: ${text.slice(0, 200)}`).toBeLessThan(500);
  }
  expect(text, what).not.toMatch(/\bat \S+ \(.+:\d+:\d+\)|node_modules|json_agg|json_to_record|set_config/i);
  SHAPES[service]({ status, type, text }, what);
}

const isText = expect.any(String);

const SHAPES: Readonly<Record<Endpoint['service'], (answer: Answered, what: string) => void>> = {
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
  realtime: ({ type, text }, what) => {
    expect(type, what).toMatch(/^application\/json/);
    expect(JSON.parse(text), what).toMatchObject({ error: isText });
  },
  web: ({ type, text }, what) => {
    expect(type, what).toMatch(/^text\/(html|plain)/);
    expect(text.trim(), what).not.toBe('');
  },
};
