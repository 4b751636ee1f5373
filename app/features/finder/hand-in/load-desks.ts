import type { DataClient } from '#app/client/data-client.ts';
import { DESK_COLUMNS, type DeskRow, deskState, MOST_ON_PAGE, openFirst, toDesk } from '#domain/desks/desk.ts';
import { deskStateInWords } from '#domain/texts/desk-state-in-words.ts';
import { desksWords } from '#words/desks.ts';
import type { ShownDesks } from './desk-list.tsx';

/**
 * Returns the desks on an item's page within the app, in a language (BCP 47), as the finder's document has them; undefined
 * where there are none, or where they cannot be read: the page is complete without them.
 */
export async function loadDesks(client: DataClient, tag: string): Promise<ShownDesks | undefined> {
  const { data } = await client
    .from('desks')
    .select(DESK_COLUMNS)
    .order('position')
    .order('id')
    .overrideTypes<DeskRow[], { merge: false }>();
  if (data === null || data.length === 0) return undefined;
  const words = desksWords({ tag });
  const now = Date.now();
  const desks = data.map((row) => {
    const desk = toDesk(row);
    return { id: desk.id, name: desk.name, place: desk.place, state: deskState(desk, now) };
  });
  const list = openFirst(desks)
    .slice(0, MOST_ON_PAGE)
    .map(({ state, ...desk }) => ({ ...desk, state: deskStateInWords(state, tag, words) }));
  return { list, hasMore: true, words };
}
