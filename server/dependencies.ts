import type { Logger } from 'pino';
import type { ScheduledBackups } from './backup/schedule/scheduled-backups.ts';
import type { Config } from './config.ts';
import type { Delivery } from './delivery/delivery.ts';
import type { OutboundClient } from './delivery/outbound/outbound-client.ts';
import type { WebPush } from './delivery/push/web-push.ts';
import type { SentKeys } from './delivery/sent-keys.ts';
import type { LimitName } from './limits/limits.ts';
import type { CallerMemory } from './limits/memory/caller-memory.ts';
import type { MissLimit } from './limits/miss-limit.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Database } from './postgres/database.ts';
import type { Secrets } from './start/secrets.ts';
import type { StorageFiles } from './storage/open-storage-files.ts';
import type { AdditionalKeys } from './tokens/additional-keys.ts';
import type { ResolveCaller } from './tokens/resolve-caller.ts';
import type { TokenKeys } from './tokens/token-keys.ts';

/** What the parts of the server are built from. Tests provide their own clock, delivery or database. */
export interface Dependencies {
  readonly config: Config;
  readonly secrets: Secrets;
  readonly database: Database;
  readonly tokens: TokenKeys;
  readonly additionalKeys?: AdditionalKeys;
  readonly resolveCaller: ResolveCaller;
  readonly delivery: Delivery;
  /** Reaches URLs that clients gave. */
  readonly outbound: OutboundClient;
  /** Null where the operator has set no key for it. */
  readonly push: WebPush | null;
  /** Which messages have been accepted. */
  readonly sent: SentKeys;
  readonly limits: RateLimits<LimitName>;
  readonly misses: MissLimit;
  /** What callers may hold together. */
  readonly callerMemory: CallerMemory;
  readonly files: StorageFiles;
  /** Null where the operator has set no schedule. */
  readonly backups: ScheduledBackups | null;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
