import { randomBytes } from 'node:crypto';
import { anAddress } from '#tests/support/network-address.ts';
import type { Question } from './connection.ts';
import type { BenchmarkService } from './start-service.ts';

/** What a finder asks for with a code: the item, its document, or to send a first message. From another address each time. */
export function finderRequest(
  act: 'look-up' | 'document' | 'message',
  { publishableKey }: BenchmarkService,
  code: string,
): Question {
  const address = { 'X-Forwarded-For': anAddress() };
  if (act === 'document')
    return { method: 'GET', path: `/item/${code}`, headers: { ...address, 'Accept-Encoding': 'gzip, br' } };
  const headers = { ...address, apikey: publishableKey };
  if (act === 'look-up') return { method: 'GET', path: `/rest/v1/rpc/find_item?qr_id_param=${code}`, headers };
  const message = {
    qr_id_param: code,
    body_param: 'I found it.',
    finder_key_param: randomBytes(24).toString('base64url'),
  };
  return {
    method: 'POST',
    path: '/rest/v1/rpc/send_message',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(message),
  };
}
