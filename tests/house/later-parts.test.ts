import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Loaded by other means, each with the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'app/browser/load-screens.ts': 'fetches in advance; the offline guard opens a screen whose code is gone',
  'app/features/stickers/typesetting/typeset-worker.ts':
    'a worker, which has no document; its page handles the failure',
  'app/client/background-client.ts': 'in the background, right after the document',
  'app/client/live-client.ts': 'in the background, right after the document',
  'app/data/live/use-live-messages.ts': 'in the background, right after the document',
  'app/features/scanner/lazy-scanner.tsx': 'in advance; `useLazyDialog` has it loaded when it opens',
  'app/features/giving/giving-row.tsx': 'in advance; `useLazyDialog` has it loaded when it opens',
  'app/features/owner/contact-methods/contact-methods-row.tsx':
    'in advance; `useLazyDialog` has it loaded when it opens',
  'app/features/owner/delete-item.tsx': 'in advance; `useLazyDialog` has it loaded when it opens',
  'app/features/owner/item-details.tsx': 'in advance; `useLazyDialog` has it loaded when it opens',
  'app/features/owner/lost-mode.tsx': 'in advance; `useLazyDialog` has it loaded when it opens',
  'app/features/owner/returned/lazy-take-back-sheet.tsx': 'in advance; `useLazyDialog` has it loaded when it opens',
  'app/features/owner/stickers/stickers-row.tsx': 'in advance; `useLazyDialog` has it loaded when it opens',
  'app/features/settings/profile/profile-details.tsx': 'in advance; `useLazyDialog` has it loaded when it opens',
  'app/features/stickers/paper-choice.tsx': 'in advance; `useLazyDialog` has it loaded when it opens',
  'app/item/lazy-dialog.tsx': 'in advance; `useLazyDialog` has it loaded when it opens',
  'app/item/sticker/lazy-sticker-dialog.tsx': 'in advance; `useLazyDialog` has it loaded when it opens',
  'app/data/use-send-replies.ts': 'in the background; the refused reply is marked in its conversation, too',
  'app/features/owner/late-lines/use-late-lines.ts': 'in the background, once the screen is there',
  'app/client/language/use-save-language.ts': 'in the background, once the screen is there',
  'app/push/use-renew-push.ts': 'in the background, right after the document',
  'app/ui/notice/toasts.tsx': 'in the background, right after the document',
  'app/ui/load-once.ts': 'an example',
};

/** The lines of the app that import a module when they run, but for types and those in `loadPart`. */
function importsOf(path: string): string[] {
  const source = readFileSync(join(root, path), 'utf8').replaceAll(/loadPart\(\s*\(\) => import\(/g, '');
  return source.split('\n').filter((line) => /(?<!typeof )\bimport\(/.test(line) && !/^ *\*/.test(line));
}

test('every part of the app that is loaded later renews a document from before an update [K77]', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'app'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$/.test(path));
  const found = files.flatMap((path) => (path in OTHERWISE ? [] : importsOf(path).map((line) => `${path}: ${line}`)));
  expect(found).toEqual([]);
  const workers = files.filter((path) => readFileSync(join(root, path), 'utf8').includes('new Worker('));
  expect(workers.filter((path) => !readFileSync(join(root, path), 'utf8').includes('renewIfGone('))).toEqual([]);
});
