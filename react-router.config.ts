import { join } from 'node:path';
import type { Config } from '@react-router/dev/config';
import { precompress } from './tools/vite/precompress.ts';

export default {
  ssr: true,
  // The whole route map is small: sending it once is cheaper than asking for pieces of it, and one endpoint fewer to guard.
  routeDiscovery: { mode: 'initial' },
  // One file a screen: its parts are small, and each file costs a round trip.
  splitRouteModules: false,
  async buildEnd({ reactRouterConfig }) {
    await precompress(join(reactRouterConfig.buildDirectory, 'client'));
  },
} satisfies Config;
