import type { AppClient } from '#app/client/app-client.ts';
import { detachSticker } from '../stickers.ts';
import { cancelOffer } from '../transfers/made-offers.ts';
import type { Addition } from './account-changes.ts';

/** Removes what was added. Throws the service's error. */
export async function removeAddition(client: AppClient, { kind, id }: Addition): Promise<void> {
  switch (kind) {
    case 'offer':
      await cancelOffer(client, id);
      return;
    case 'sticker':
      return detachSticker(client, id);
    case 'factor': {
      const { error } = await client.auth.mfa.unenroll({ factorId: id });
      if (error) throw error;
      await client.auth.refreshSession();
      return;
    }
    case 'passkey': {
      const { error } = await client.auth.passkey.delete({ passkeyId: id });
      if (error) throw error;
      return;
    }
    case 'identity': {
      const { data } = await client.auth.getUserIdentities();
      const identity = data?.identities.find(({ identity_id }) => identity_id === id);
      const { error } = identity === undefined ? { error: null } : await client.auth.unlinkIdentity(identity);
      if (error) throw error;
      return;
    }
    case 'email':
    case 'phone':
    case 'contact_number': {
      const { error } = await client.rpc('remove_added_identifier', { kind_param: kind });
      if (error) throw error;
      await client.auth.refreshSession();
      return;
    }
    default: {
      const { error } = await client.from(TABLES[kind]).delete().eq('id', id);
      if (error) throw error;
    }
  }
}

const TABLES = {
  second_contact: 'second_contacts',
  notice_address: 'notice_addresses',
  device: 'push_subscriptions',
} as const;
