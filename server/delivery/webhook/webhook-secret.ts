import { createHmac } from 'node:crypto';
import type { Config } from '#server/config.ts';
import { deriveKey } from '#server/derive-key.ts';
import type { Secrets } from '#server/start/secrets.ts';

interface WebhookSecretOptions {
  readonly config: { readonly secrets: Pick<Config['secrets'], 'secondFactorSecret'> };
  readonly secrets: Pick<Secrets, 'refreshTokenSecret'>;
}

/**
 * Returns the key that signs what is sent to a webhook, 32 bytes. It is derived from the webhook's id with the service's
 * secret and stored nowhere, so that neither the database nor a backup of it lets anyone sign.
 */
export function webhookKeyOf({ config, secrets }: WebhookSecretOptions, addressId: string): Buffer {
  // The secret that stays when REFRESH_TOKEN_SECRET is changed.
  const secret = config.secrets.secondFactorSecret ?? secrets.refreshTokenSecret;
  return createHmac('sha256', deriveKey(secret, 'webhook signatures')).update(addressId).digest();
}

/** Returns that key as its owner sees it, in the form of Standard Webhooks. */
export function webhookSecretOf(options: WebhookSecretOptions, addressId: string): string {
  return `whsec_${webhookKeyOf(options, addressId).toString('base64')}`;
}
