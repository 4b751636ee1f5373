import { join } from 'node:path';
import type { Config } from '@react-router/dev/config';
import { precompress } from './tools/vite/precompress.ts';

export default {
  ssr: true,
  // The whole route map is small: sending it once is cheaper than asking for pieces of it, and one endpoint fewer to guard.
  routeDiscovery: { mode: 'initial' },
  async buildEnd({ reactRouterConfig }) {
    await precompress(join(reactRouterConfig.buildDirectory, 'client'));
  },
} satisfies Config;
