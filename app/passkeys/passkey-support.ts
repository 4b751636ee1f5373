/**
 * Whether passkeys work in this browser at this address. They need a secure context, and a host name: a network address
 * is none (WebAuthn, section 5.1.3, "valid domain").
 */
export function supportsPasskeys(): boolean {
  return isSecureContext && typeof PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(location.hostname);
}

/** Whether the browser lists passkeys among its suggestions for a field. */
export async function suggestsPasskeys(): Promise<boolean> {
  if (!supportsPasskeys() || typeof PublicKeyCredential.isConditionalMediationAvailable !== 'function') return false;
  return PublicKeyCredential.isConditionalMediationAvailable().catch(() => false);
}
