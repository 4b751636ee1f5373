const MODES = ['login', 'link', 'phone', 'register', 'reset'] as const;

/** `link` signs in with an emailed link or its code, `phone` with a code by SMS. */
export type AuthMode = (typeof MODES)[number];

/** Returns the mode in the URL: `mode`, else `reset=true`; by default registering with a tag code, else signing in. */
export function authMode(query: URLSearchParams, hasCode: boolean): AuthMode {
  const asked = MODES.find((mode) => mode === query.get('mode'));
  if (asked !== undefined) return asked;
  if (query.get('reset') === 'true') return 'reset';
  return hasCode ? 'register' : 'login';
}

/** Returns the path of another mode at the same route: `/auth/{qrId}?mode=…` or `/auth?mode=…`. */
export function authModePath(routeCode: string | undefined, mode: AuthMode): string {
  return routeCode === undefined ? `/auth?mode=${mode}` : `/auth/${routeCode}?mode=${mode}`;
}
