import { createHash } from 'node:crypto';

/** Returns the source of a content security policy that allows an inline style or script with this text, and no other. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
