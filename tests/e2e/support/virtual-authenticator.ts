import type { Page } from '@playwright/test';

/** A phone's own authenticator in the page's browser, whose user always agrees. */
export interface VirtualAuthenticator {
  /** How many passkeys it has. */
  count(): Promise<number>;
  /** Copies its passkeys to another page's authenticator, as a synchronized account does. */
  copyTo(other: VirtualAuthenticator): Promise<void>;
  add(credential: Credential): Promise<void>;
}

interface Credential {
  readonly credentialId: string;
  readonly isResidentCredential: boolean;
  readonly privateKey: string;
  readonly signCount: number;
}

/** Adds the authenticator (Chromium, `WebAuthn` domain of the DevTools protocol). It lasts as long as the page. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const credentials = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
  return {
    count: async () => (await credentials()).length,
    add: async (credential) => {
      await session.send('WebAuthn.addCredential', { authenticatorId, credential });
    },
    async copyTo(other) {
      for (const credential of await credentials()) await other.add(credential);
    },
  };
}
