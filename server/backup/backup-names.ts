const NAME = /^reunite-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar(\.age)?$/;

/** @example nameOf(new Date('2026-11-28T05:24:07Z'), { encrypted: false }) // 'reunite-2026-11-28T05-24-07Z.tar' */
export function nameOf(moment: Date, { encrypted }: { readonly encrypted: boolean }): string {
  return `reunite-${moment.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar${encrypted ? '.age' : ''}`;
}

export function isNameOfBackup(name: string): boolean {
  return NAME.test(name);
}

/** Returns when the backup of this name was begun (ISO 8601), or null for another name. */
export function momentOf(name: string): string | null {
  const [, day, hour, minute, second] = NAME.exec(name) ?? [];
  return day === undefined ? null : `${day}T${hour}:${minute}:${second}.000Z`;
}
