import * as v from 'valibot';
import type { DataClient } from '#app/client/data-client.ts';
import { readPublicConfig } from '#app/client/read-public-config.ts';
import {
  countedMeasures,
  haveSameMeasures,
  type MeasuredLabels,
  overflowOf,
} from '#domain/stickers/measured-labels.ts';
import { stickersWords } from '#words/stickers.ts';
import { isMeasured, readSetup } from '../paper-setup.ts';

/** Labels that an owner measured and saved for the account under a name of their own. */
export interface SavedLabels extends NewLabels {
  /** A UUID. */
  readonly id: string;
}

interface NewLabels {
  /** Unique in the account. */
  readonly name: string;
  readonly labels: MeasuredLabels;
}

/** How many an account may save. The database enforces it (`hold_measured_labels_quota`). */
export const MOST_SAVED = 20;
/** In characters. */
export const LONGEST_NAME = 40;

/** `full` where the account has saved as many as it may, `taken` where others have the name. */
export type SaveOutcome = 'saved' | 'full' | 'taken';

const COLUMNS =
  'id, name, page, shape, width:label_width, height:label_height, columns, rows, left:margin_left, top:margin_top, gapX:gap_x, gapY:gap_y';

const schema = v.array(
  v.object({
    id: v.string(),
    name: v.string(),
    page: v.picklist(['a4', 'letter', 'label']),
    shape: v.picklist(['rectangle', 'round']),
    ...v.entriesFromList(['width', 'height', 'columns', 'rows', 'left', 'top', 'gapX', 'gapY'], v.number()),
  }),
);

/**
 * Returns what the account has saved, by name, and saves first what only this browser has kept. Throws the data
 * service's error.
 */
export async function loadSavedLabels(client: DataClient): Promise<readonly SavedLabels[]> {
  const saved = await listSavedLabels(client);
  return (await takeOver(client, saved)) ? listSavedLabels(client) : saved;
}

async function listSavedLabels(client: DataClient): Promise<readonly SavedLabels[]> {
  const { data, error } = await client.from('measured_labels').select(COLUMNS).order('name').order('id');
  if (error) throw error;
  return v.parse(schema, data).map(({ id, name, ...labels }) => ({ id, name, labels }));
}

/** Saves labels. Throws the data service's other errors. */
export async function saveLabels(client: DataClient, { name, labels }: NewLabels): Promise<SaveOutcome> {
  const { error } = await client.from('measured_labels').insert({ name, ...columnsOf(labels) });
  if (error?.code === 'PT413') return 'full';
  if (error?.code === UNIQUE_VIOLATION) return 'taken';
  if (error) throw error;
  return 'saved';
}

/** Gives saved labels other measures. Throws the data service's error, also where they are gone. */
export async function changeLabels(client: DataClient, id: string, labels: MeasuredLabels): Promise<void> {
  const changed = client.from('measured_labels').update(columnsOf(labels)).eq('id', id);
  const { error } = await changed.select('id').single();
  if (error) throw error;
}

function columnsOf(measured: MeasuredLabels) {
  const { page, shape, width, height, columns, rows, left, top, gapX, gapY } = countedMeasures(measured);
  return {
    ...{ page, shape, label_width: width, label_height: height, columns, rows },
    ...{ margin_left: left, margin_top: top, gap_x: gapX, gap_y: gapY },
  };
}

/** Throws the data service's error, unless others have the name. */
export async function renameLabels(client: DataClient, id: string, name: string): Promise<'saved' | 'taken'> {
  const { error } = await client.from('measured_labels').update({ name }).eq('id', id);
  if (error?.code === UNIQUE_VIOLATION) return 'taken';
  if (error) throw error;
  return 'saved';
}

/** Removes labels. Those that are gone already are not an error. Throws the data service's other errors. */
export async function removeLabels(client: DataClient, id: string): Promise<void> {
  const { error } = await client.from('measured_labels').delete().eq('id', id);
  if (error) throw error;
}

const UNIQUE_VIOLATION = '23505';

/** Returns a name that no saved labels have. */
export function freeName(saved: readonly SavedLabels[], nameOf: (number: number) => string): string {
  const names = new Set(saved.map(({ name }) => name));
  let number = 1;
  while (names.has(nameOf(number))) number += 1;
  return nameOf(number);
}

/**
 * Saves, once for each browser, the labels that were measured in it while no account could save them. Returns whether it
 * saved any. A failure is no reason not to print: the next visit tries again.
 */
async function takeOver(client: DataClient, saved: readonly SavedLabels[]): Promise<boolean> {
  const key = `${readPublicConfig().storagePrefix}_sticker_labels_taken_over`;
  try {
    if (localStorage.getItem(key) !== null) return false;
    const { measured } = readSetup();
    const isKept = saved.some(({ labels }) => haveSameMeasures(labels, measured));
    const isWanted = isMeasured(measured) && overflowOf(measured) === null && !isKept;
    const name = freeName(saved, stickersWords({ tag: document.documentElement.lang }).measuredLabels.name);
    const outcome = isWanted ? await saveLabels(client, { name, labels: measured }) : null;
    localStorage.setItem(key, 'true');
    return outcome === 'saved';
  } catch {
    return false;
  }
}
