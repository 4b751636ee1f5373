import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import * as v from 'valibot';
import type { AuthService } from '#server/auth/auth-service.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { ofAccountOrDevice } from '#server/limits/limits.ts';
import { takeOrRefuse } from '../codes/code-allowance.ts';
import { lettersOf } from '../codes/letters-of.ts';
import { requireRecipientAllowance } from '../codes/sms-allowance.ts';
import { knownDeviceOfSession } from '../sessions/device-cookies.ts';
import { AuthError } from '../wire/auth-error.ts';
import { readBody, text } from '../wire/request-body.ts';
import { type Challenge, type FactorRow, insertChallenge } from './factor-queries.ts';
import { factorCodePurpose, requireFactor } from './require-factor.ts';
import { askSecurityKey } from './security-key.ts';

const CHALLENGE_LIFE_MS = 5 * 60_000;

const challengeBody = v.object({ channel: text });

/**
 * `POST /factors/:id/challenge`: lets this session verify the factor within 5 minutes. A phone factor is sent a code, and a
 * security key is asked to sign.
 */
export async function challengeFactor(service: AuthService, c: Context<AppEnv>): Promise<Response> {
  const { factor, signedIn } = await requireFactor(service, c);
  const { channel } = await readBody(c, challengeBody, { mayBeEmpty: true });
  if (channel !== '' && channel !== 'sms' && channel !== 'whatsapp') throw new AuthError('channelUnknown');
  const device = await knownDeviceOfSession(service, signedIn.sessionId);
  await takeOrRefuse(service, 'second_factor_challenges', ofAccountOrDevice(signedIn.user.id, device));

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
  else {
    const sms = { number: `+${factor.phone}`, client: c.get('clientAddress'), isKnownDevice: device !== null };
    await challengePhone(service, factor, challenge, sms);
  }
  const expires = Math.floor(challenge.expiresAt.getTime() / 1000);
  const described = { id: challenge.id, type: factor.factor_type, expires_at: expires };
  if (factor.factor_type !== 'webauthn') return c.json(described);
  return c.json({ ...described, webauthn: await askSecurityKey(service, signedIn.user, factor, challenge.id) });
}

async function challengePhone(
  service: AuthService,
  factor: FactorRow,
  challenge: Challenge,
  {
    number,
    client,
    isKnownDevice,
  }: { readonly number: string; readonly client: string; readonly isKnownDevice: boolean },
): Promise<void> {
  const { codes, delivery, config, alone } = service;
  const isProved = factor.status === 'verified';
  const ofNumber = [isKnownDevice ? 'sms_per_number_from_known_devices' : 'second_factor_sms_per_number'] as const;
  const recipient = { channel: 'sms', recipient: number, isProved, client, ofNumber } as const;
  const isSent = await requireRecipientAllowance(service, recipient);
  const code = codes.make();
  const codeHash = codes.hash(code, factorCodePurpose(factor, challenge.id));
  await insertChallenge(alone, { ...challenge, codeHash });
  if (!isSent) return;
  const { hostname: host } = new URL(config.publicUrl);
  const { texts } = await lettersOf(service, { userId: factor.user_id });
  const words = { product: config.productName, code, minutes: CHALLENGE_LIFE_MS / 60_000, host };
  try {
    await delivery.sendSms({
      to: number,
      text: texts.sms.code(words),
      key: `challenge:${challenge.id}`,
    });
  } catch (cause) {
    throw new AuthError('codeNotTexted', { cause });
  }
}
