import { type ServiceProcess, startServiceProcess } from '#tests/support/service-process.ts';

/** Nothing listens there: only the button and its error are tested. */
const PROVIDER = {
  id: 'example',
  name: 'Example',
  issuer: 'http://localhost:9',
  clientId: 'reunite',
  clientSecret: 'of no use',
};

/**
 * Each picture of a conversation has a finder who writes, all from this machine; and a test is quicker than a person from
 * one code to the next. The screen waits for a whole gap of 60 s, as in production.
 */
const LIMITS =
  'send_message_per_tag_and_address=100/3600,sms_gap_per_account=3/1,mail_gap_per_account=3/1,code_gap_per_account_and_address=60/60';

/**
 * Starts the service for browser tests and screenshots: with its defaults and one sign-in provider, from this checkout if
 * no other one is given.
 */
export function startService(dataDirectory: string, root?: string): Promise<ServiceProcess> {
  const environment = { OIDC_PROVIDERS: JSON.stringify([PROVIDER]), LIMITS };
  return startServiceProcess({ dataDirectory, environment, ...(root !== undefined && { root }) });
}
