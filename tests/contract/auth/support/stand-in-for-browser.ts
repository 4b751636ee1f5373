import type { SoftwareKey } from './software-key.ts';

/**
 * Puts the key where the official client looks for a browser’s authenticator, and lets it believe that the browser reads
 * and writes credentials as JSON (WebAuthn, section 5.1.9). Returns what takes it away again.
 */
export function standInForBrowser(key: SoftwareKey): () => void {
  class Credential {
    readonly toJSON: () => object;
    constructor(json: object) {
      this.toJSON = () => json;
    }
  }
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.assign(globalThis, {
    document: {},
    window: globalThis,
    PublicKeyCredential: Object.assign(Credential, {
      parseCreationOptionsFromJSON: (options: object) => options,
      parseRequestOptionsFromJSON: (options: object) => options,
    }),
  });
  Object.defineProperty(globalThis, 'navigator', {
    configurable: true,
    value: {
      credentials: {
        create: async ({ publicKey }: { publicKey: Parameters<SoftwareKey['create']>[0] }) =>
          new Credential(key.create(publicKey)),
        get: async ({ publicKey }: { publicKey: Parameters<SoftwareKey['get']>[0] }) =>
          new Credential(key.get(publicKey)),
      },
    },
  });
  return () => {
    for (const name of ['document', 'window', 'PublicKeyCredential']) Reflect.deleteProperty(globalThis, name);
    if (before !== undefined) Object.defineProperty(globalThis, 'navigator', before);
  };
}
