import { describe, expect, it } from 'vitest';
import { authMode, authModePath } from './auth-path.ts';

const mode = (query: string, hasCode = false) => authMode(new URLSearchParams(query), hasCode);

describe('authMode', () => {
  it('is the mode that the URL requests', () => {
    expect(
      ['mode=login', 'mode=link', 'mode=register', 'mode=reset', 'reset=true'].map((query) => mode(query, true)),
    ).toEqual(['login', 'link', 'register', 'reset', 'reset']);
  });

  it('is sign-up with a stored tag code, else sign-in', () => {
    expect(mode('', true)).toBe('register');
    expect(mode('', false)).toBe('login');
    expect(mode('mode=other&reset=yes', false)).toBe('login');
  });
});

describe('authModePath', () => {
  it('keeps the shape of the route', () => {
    expect(authModePath('tgt-a', 'login')).toBe('/auth/tgt-a?mode=login');
    expect(authModePath(undefined, 'reset')).toBe('/auth?mode=reset');
  });
});
