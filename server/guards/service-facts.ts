import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { backupsIn } from '#server/backup/backup-files.ts';
import { momentOf } from '#server/backup/backup-names.ts';
import { openPlace } from '#server/backup/places/backup-place.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { RELEASE } from '#server/project-root.ts';
import type { Guard } from '#server/rest/guard.ts';

type Needs = Pick<Dependencies, 'config' | 'delivery' | 'files' | 'now' | 'push'>;

/** What hangs is reported as failing. In milliseconds. */
const LOOK_WITHIN_MS = 4_000;

/** Adds to the database's facts about the service those that only the program knows. They contain no secret and no name. */
export function serviceGuard(needs: Needs): Guard {
  return {
    isForService: true,
    async complete(body) {
      const known = v.parse(v.record(v.string(), v.unknown()), JSON.parse(body));
      const [disk, store, mail, backup] = await Promise.all([
        needs.files.disk.read().catch(() => null),
        lookAtStore(needs),
        lookAtMail(needs),
        lookAtBackups(needs),
      ]);
      return JSON.stringify({
        ...known,
        program: { release: RELEASE, node: process.versions.node, up_seconds: Math.round(process.uptime()) },
        disk,
        store,
        mail,
        sms: needs.delivery.hasSms,
        has_push: needs.push !== null,
        backup,
      });
    },
  };
}

/** Asks for a file that is not there. */
async function lookAtStore({ config, files }: Needs): Promise<unknown> {
  const kind = config.storage.s3 === null ? 'folder' : 'object_store';
  return { kind, works: await works(files.blobs.open(randomUUID())) };
}

/** Signs in to the mail server, and sends nothing. */
async function lookAtMail({ config: { production, hasMail, smtp } }: Needs): Promise<unknown> {
  if (!hasMail) return { kind: 'none', works: true };
  if (!production || smtp === null) return { kind: 'outbox', works: true };
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtp.url,
    connectionTimeout: LOOK_WITHIN_MS,
    greetingTimeout: LOOK_WITHIN_MS,
    socketTimeout: LOOK_WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    return { kind: 'server', works: await works(transport.verify()) };
  } finally {
    transport.close();
  }
}

async function lookAtBackups({ config: { backups, objectStore }, now }: Needs): Promise<unknown> {
  if (backups === null) return null;
  const every = backups.schedule.every;
  const failing = { every, works: false, age_seconds: null, free: null };
  const place = openPlace(backups.to, objectStore);
  const look = (async () => {
    const free = await place.free();
    const [newest] = (await backupsIn(place)).flatMap(({ name }) => momentOf(name) ?? []);
    const age = newest === undefined ? null : Math.round((now() - Date.parse(newest)) / 1000);
    return { every, works: true, age_seconds: age, free };
  })();
  return (await inTime(look)) ?? failing;
}

/** Whether the promise is fulfilled in time. */
async function works(look: Promise<unknown>): Promise<boolean> {
  return (await inTime(look.then(() => true))) === true;
}

/** What it finds, or null where it fails or takes too long. */
async function inTime<Found>(look: Promise<Found>): Promise<Found | null> {
  const late = new Promise<null>((done) => {
    setTimeout(() => done(null), LOOK_WITHIN_MS).unref();
  });
  return Promise.race([look.catch(() => null), late]);
}
