import type { TestDatabase } from '../test-database.ts';
import type { TestOwner } from './create-owner.ts';
import { createTagCode } from './create-tag-code.ts';

export interface ItemDetails {
  readonly qrId?: string;
  readonly itemType?: string;
  readonly itemName?: string;
  readonly description?: string;
  readonly noteToFinders?: string;
  readonly reward?: string;
}

export interface TestItem {
  readonly id: string;
  readonly qrId: string;
  readonly itemName: string;
}

/** An item of the owner, whose code is claimed with it. */
export async function createItem(
  database: TestDatabase,
  owner: Pick<TestOwner, 'id'>,
  details: ItemDetails = {},
): Promise<TestItem> {
  const {
    qrId = createTagCode(),
    itemType = 'keys',
    itemName = `Keys on ${qrId}`,
    description,
    noteToFinders,
    reward,
  } = details;
  const [item] = await database.query<{ id: string }>(
    `insert into public.items (qr_id, user_id, item_type, item_name, description, note_to_finders, reward)
       values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [qrId, owner.id, itemType, itemName, description ?? null, noteToFinders ?? null, reward ?? null],
  );
  if (item === undefined) throw new Error('The item was not made.');
  return { id: item.id, qrId, itemName };
}
