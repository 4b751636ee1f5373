import type { DataClient } from '#app/client/data-client.ts';

/** A way that has no receiver of its own: the account's address and number. */
export type TestedWay = 'email' | 'sms';

/** The last test of a way, and what became of it. */
export interface TestMessage {
  readonly way: TestedWay;
  /** ISO 8601. */
  readonly askedAt: string;
  /** Null until there is an codes. */
  readonly outcome: 'sent' | 'refused' | 'failed' | 'too_many' | null;
  /** Codes of a mail server that did not accept it. */
  readonly codes: string | null;
}

interface TestMessageRow extends Omit<TestMessage, 'askedAt'> {
  readonly asked_at: string;
}

/** Returns the last test of each way that was tested. Throws the data service's error. */
export async function loadTestMessages(client: DataClient): Promise<TestMessage[]> {
  const { data, error } = await client
    .from('test_notices')
    .select('way, asked_at, outcome, codes')
    .overrideTypes<TestMessageRow[], { merge: false }>();
  if (error) throw error;
  return data.map(({ asked_at: askedAt, ...row }) => ({ ...row, askedAt }));
}

/** Sends a test. Throws the data service's error. */
export async function sendTestMessage(client: DataClient, way: TestedWay): Promise<void> {
  const { error } = await client.rpc('send_test_message', { way_param: way });
  if (error) throw error;
}
