import { expect, test } from 'vitest';
import { NoticeDocuments } from './notice-documents.ts';

test('a refusal is made once for each encoding, and one that names a code for each request [K8]', () => {
  const made: string[] = [];
  const notices = new NoticeDocuments((kind, code, encoding) => {
    made.push(`${kind} ${code} ${encoding}`);
    return { bytes: new Uint8Array(), etag: `"${made.length}"` };
  });
  const first = notices.document('too-many', null, 'gzip');
  for (let count = 0; count < 100; count += 1) expect(notices.document('too-many', null, 'gzip')).toBe(first);
  notices.document('too-many', null, 'identity');
  notices.document('placeholder', 'tgt-a', 'gzip');
  notices.document('placeholder', 'tgt-a', 'gzip');
  expect(made).toEqual([
    'too-many null gzip',
    'too-many null identity',
    'placeholder tgt-a gzip',
    'placeholder tgt-a gzip',
  ]);
});
