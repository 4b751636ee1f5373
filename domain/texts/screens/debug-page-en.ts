/** The page `/test-redirect`, in English. */
export const debugPageEn = {
  title: 'Redirect test',
  qrId: 'QR code ID',
  userId: 'User ID',
  owner: 'Owner',
  noCode: 'No QR code ID in the address',
  signedOut: 'Not signed in',
  unclaimed: 'No one has registered this code',
  yours: (id: string) => `You (${id})`,
  another: (reference: string) => `Another account (${reference})`,
  register: 'Register this code',
  registering: 'Registering...',
  registered: 'This code is registered to you now',
  refused: (reason: string) => `Not registered: ${reason}`,
  signInToRegister: 'Sign In to Register',
  failed: 'We couldn’t reach the service. Please try again.',
  loadFailed: 'We couldn’t look up the owner',
} as const;
