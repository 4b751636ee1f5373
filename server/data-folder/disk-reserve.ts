import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { ServiceLog } from '#server/log/log.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

/** All in bytes. */
interface DiskSpace {
  /** What the service can still write. */
  readonly free: number;
  /** What uploads leave free. */
  readonly reserve: number;
}

/** A file would leave less than the reserve. */
export class DiskReserved extends Error {
  constructor() {
    super('The rest of the disk is reserved.');
  }
}

/** The free space of the disk on which the service stores files. */
export interface DiskReserve {
  read(): Promise<DiskSpace>;
  /**
   * Throws `DiskReserved` where `bytes` more would leave less than the reserve. The log says so once, and again once twice
   * the reserve is free.
   */
  require(bytes: number): Promise<void>;
}

/**
 * Returns how much of a disk of `total` bytes uploads leave to PostgreSQL, to the log, and to everything else: 5 %, at
 * least 256 MiB, which is what the embedded PostgreSQL may write between two checkpoints (`max_wal_size`), at most 1 GiB.
 * Of a disk below 1 GiB it is a quarter.
 *
 * @example reserveOf(16 * 1024 ** 3) // 819 MiB
 */
export function reserveOf(total: number): number {
  return Math.floor(Math.min(GIB, Math.max(total * 0.05, 256 * MIB), total / 4));
}

/** Looks at the disk that `directory` is on. The directory exists. */
export function diskReserve(
  directory: string,
  log: Pick<ServiceLog, 'warn' | 'error'>,
  look: (directory: string) => Promise<Pick<StatsFs, 'bavail' | 'blocks' | 'bsize'>> = statfs,
): DiskReserve {
  let isShort = false;

  async function read(): Promise<DiskSpace> {
    const { bavail, blocks, bsize } = await look(directory);
    return { free: bavail * bsize, reserve: reserveOf(blocks * bsize) };
  }

  return {
    read,
    async require(bytes) {
      const space = await read();
      const isRefused = space.free - bytes < space.reserve;
      if (isRefused && !isShort) {
        isShort = true;
        log.error(
          space,
          'The disk of DATA_DIRECTORY is almost full: uploads are refused, and everything else goes on.',
        );
      } else if (isShort && space.free >= 2 * space.reserve) {
        isShort = false;
        log.warn(space, 'The disk of DATA_DIRECTORY has room again.');
      }
      if (isRefused) throw new DiskReserved();
    },
  };
}
