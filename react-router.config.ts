import type { Config } from '@react-router/dev/config';

export default {
  ssr: true,
  // The whole route map is small: sending it once is cheaper than asking for pieces of it, and one endpoint fewer to guard.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
