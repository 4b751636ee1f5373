import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as v from 'valibot';
import { smsEn } from '#domain/messages/sms-en.ts';
import { AuthError } from '#server/auth/auth-error.ts';
import type { AuthService } from '#server/auth/auth-service.ts';
import { takeOrRefuse } from '#server/auth/code-allowance.ts';
import { requireRecipientAllowance } from '#server/auth/message-allowance.ts';
import { readBody } from '#server/auth/read-body.ts';
import { text } from '#server/auth/wire-fields.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { type Challenge, type FactorRow, insertChallenge } from './factor-queries.ts';
import { factorCodePurpose, requireFactor } from './require-factor.ts';

const CHALLENGE_LIFE_MS = 5 * 60_000;

const challengeBody = v.object({ channel: text });

/** `POST /factors/:id/challenge`: this session may try to show the factor, for 5 minutes. A phone is sent a code. */
export async function challengeFactor(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { factor, signedIn } = await requireFactor(service, c);
  const { channel } = await readBody(c, challengeBody, { mayBeEmpty: true });
  if (channel !== '' && channel !== 'sms' && channel !== 'whatsapp') throw new AuthError('channelUnknown');
  await takeOrRefuse(service, 'second_factor_challenges_per_account', signedIn.user.id);

  const createdAt = new Date(service.now());
  const challenge: Challenge = {
    id: randomUUID(),
    factorId: factor.id,
    sessionId: signedIn.sessionId,
    codeHash: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + CHALLENGE_LIFE_MS),
  };
  if (factor.phone === null) await insertChallenge(service.alone, challenge);
  else await challengePhone(service, factor, challenge, `+${factor.phone}`);
  const expires = Math.floor(challenge.expiresAt.getTime() / 1000);
  return c.json({ id: challenge.id, type: factor.factor_type, expires_at: expires });
}

async function challengePhone(
  service: AuthService,
  factor: FactorRow,
  challenge: Challenge,
  number: string,
): Promise<void> {
  const { codes, delivery, config, alone } = service;
  const isProved = factor.status === 'verified';
  await requireRecipientAllowance(service, { channel: 'sms', recipient: number, isProved });
  const code = codes.make();
  const codeHash = codes.hash(code, factorCodePurpose(factor, challenge.id));
  await insertChallenge(alone, { ...challenge, codeHash });
  const { hostname: host } = new URL(config.publicUrl);
  const words = { product: config.productName, code, minutes: CHALLENGE_LIFE_MS / 60_000, host };
  try {
    await delivery.sendSms({ to: number, text: smsEn.code(words), key: `challenge:${challenge.id}` });
  } catch (cause) {
    throw new AuthError('codeNotTexted', { cause });
  }
}
