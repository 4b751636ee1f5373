import type { Context, Next } from 'hono';
import { finderPageTexts } from '#domain/texts/finder/finder.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import { isSameOrigin } from './same-origin.ts';
import { wantsJson } from './wants-json.ts';

/** Rejects methods other than POST and cross-site posts. */
export function onlyOwnForms(publicUrl: string) {
  return async (c: Context<AppEnv>, next: Next) => {
    if (c.req.method !== 'POST') return c.text('Method not allowed', 405, { Allow: 'POST' });
    return isSameOrigin(c.req, publicUrl) ? next() : refuseForm(c, 403);
  };
}

/** A short refusal in the requested format, for requests that our forms never send. */
export function refuseForm(c: Context<AppEnv>, status: 400 | 403 | 413 | 415): Response {
  const { common, finder } = finderPageTexts(requestLanguage(c));
  const text = status === 403 ? finder.foreignForm : common.anErrorOccurred;
  return wantsJson(c) ? c.json({ problem: text }, status) : c.text(text, status);
}
