import type { Database } from '#server/postgres/database.ts';

/** What a conversation has of its finder's address. The address itself never leaves this room but to be written to. */
export type FinderAddressState = 'none' | 'unproved' | 'proved';

/** A finder's address as it was left. */
export interface LeftAddress {
  readonly conversationId: string;
  /** Normalized. */
  readonly address: string;
  /** The tag code of the page on which it was left. */
  readonly code: string;
  /** The tag of the language of that page. */
  readonly language: string;
}

/** Where an address belongs that a link names. */
export interface LinkedAddress {
  readonly conversation_id: string;
  readonly is_proved: boolean;
  readonly qr_id: string;
  /** The code under which the item is stored. */
  readonly own_code: string;
}

export type FinderAddresses = ReturnType<typeof finderAddresses>;

/** The email addresses that finders left, by which they are told of replies ([decision 85](../../docs/decisions/0085-emails-to-finders.md)). */
export function finderAddresses(database: Pick<Database, 'asService'>) {
  return {
    async stateOf(conversationId: string): Promise<FinderAddressState> {
      const { rows } = await database.asService<{ is_proved: boolean }>({
        name: 'state_of_finder_address',
        text: `select proved_at is not null as is_proved from internal.finder_addresses
                 where conversation_id = $1 and expires_at >= now()`,
        values: [conversationId],
      });
      if (rows[0] === undefined) return 'none';
      return rows[0].is_proved ? 'proved' : 'unproved';
    },

    /** Stores an address and enqueues the email that asks for its proof. Returns whether the conversation still exists. */
    async leave({ conversationId, address, code, language }: LeftAddress): Promise<boolean> {
      const { rows } = await database.asService<{ left: boolean }>({
        name: 'leave_finder_address',
        text: 'select internal.leave_finder_address($1, $2, $3, $4) as left',
        values: [conversationId, address, code, language],
      });
      return rows[0]?.left === true;
    },

    async removeFrom(conversationId: string): Promise<void> {
      await database.asService({
        name: 'remove_finder_address_from_conversation',
        text: 'delete from internal.finder_addresses where conversation_id = $1',
        values: [conversationId],
      });
    },

    /** Returns null where the address was removed, replaced, or has expired, or the item was given away. */
    async find(addressId: string): Promise<LinkedAddress | null> {
      const { rows } = await database.asService<LinkedAddress>({
        name: 'finder_address_of_link',
        text: `select address.conversation_id, address.proved_at is not null as is_proved, address.qr_id,
                   item.qr_id as own_code
                 from internal.finder_addresses as address
                 join public.conversations as conversation on conversation.id = address.conversation_id
                 join public.items as item on item.id = conversation.item_id and item.qr_id is not null
                 where address.id = $1 and address.expires_at >= now()`,
        values: [addressId],
      });
      return rows[0] ?? null;
    },

    /** Proves an address. Returns it; null where it was proved before, or is gone. */
    async prove(addressId: string): Promise<string | null> {
      const { rows } = await database.asService<{ address: string | null }>({
        name: 'prove_finder_address',
        text: 'select internal.prove_finder_address($1) as address',
        values: [addressId],
      });
      return rows[0]?.address ?? null;
    },

    /** Removes an address, if it is still there. Returns one that was not proved. */
    async remove(addressId: string): Promise<string | null> {
      const { rows } = await database.asService<{ unproved: string | null }>({
        name: 'remove_finder_address',
        text: `delete from internal.finder_addresses where id = $1
                 returning case when proved_at is null then address end as unproved`,
        values: [addressId],
      });
      return rows[0]?.unproved ?? null;
    },

    /** Stores that the finder has looked at a conversation and was shown these messages. */
    async noteLook(conversationId: string, messageIds: readonly string[]): Promise<void> {
      await database.asService({
        name: 'look_at_conversation',
        text: 'select internal.look_at_conversation($1, $2::uuid[])',
        values: [conversationId, messageIds],
      });
    },
  };
}
