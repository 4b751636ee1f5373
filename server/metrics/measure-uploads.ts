import type { StorageFiles } from '#server/storage/open-storage-files.ts';
import type { Metrics } from './metrics.ts';

/** Registers the room for uploads, and what was refused for want of it. */
export function measureUploads(metrics: Metrics, { disk, places, spool }: StorageFiles): void {
  metrics.gauge(
    { name: 'reunite_disk_free_bytes', help: 'Free space of the disk of DATA_DIRECTORY.', merge: 'max' },
    async () => (await disk.read()).free,
  );
  metrics.gauge(
    { name: 'reunite_disk_reserve_bytes', help: 'What uploads leave free of it.', merge: 'max' },
    async () => (await disk.read()).reserve,
  );
  metrics.gauge({ name: 'reunite_uploads_bytes', help: 'Bytes of unfinished uploads.' }, () => places.held);
  metrics.tally(
    { name: 'reunite_uploads_refused_total', help: 'Uploads that were refused for want of room.', labels: ['reason'] },
    () => Object.entries(spool.refused).map(([reason, value]) => ({ labels: { reason }, value })),
  );
}
