import { expect, test } from 'vitest';
import { judgePushSupport, type PushSurroundings } from './push-support.ts';

const CHROME: PushSurroundings = {
  hasServerKey: true,
  mayHaveWorker: true,
  permission: 'default',
  hasWorkerPush: true,
  hasDeclarativePush: false,
  isTabOnIos: false,
};
const SAFARI = { ...CHROME, hasDeclarativePush: true };

test.each<[what: string, around: PushSurroundings, support: ReturnType<typeof judgePushSupport>]>([
  ['a browser that may ask', CHROME, 'available'],
  ['a browser that was allowed', { ...CHROME, permission: 'granted' }, 'available'],
  ['a browser that was refused', { ...CHROME, permission: 'denied' }, 'denied'],
  ['a server without a key', { ...CHROME, hasServerKey: false, permission: 'granted' }, 'server-off'],
  ['a browser without notifications', { ...CHROME, permission: null }, 'unsupported'],
  ['a browser without pushes', { ...CHROME, hasWorkerPush: false }, 'unsupported'],
  ['a tab of an iPhone', { ...CHROME, permission: null, hasWorkerPush: false, isTabOnIos: true }, 'install-first'],
  ['the home screen of an iPhone', SAFARI, 'available'],
  ['a server without the service worker', { ...CHROME, mayHaveWorker: false }, 'needs-worker'],
  ['the same with declarative pushes', { ...SAFARI, mayHaveWorker: false }, 'available'],
])('%s', (_, around, support) => expect(judgePushSupport(around)).toBe(support));
