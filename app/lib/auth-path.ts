/** Where somebody without a session goes, with the code in hand if there is one. */
export function authPath(code: string | null): string {
  return code === null ? '/auth' : `/auth/${code}`;
}
