import type { ServiceProcess } from '#tests/support/service-process.ts';
import { operatorClient } from './register-person.ts';

/** The address of an account that a phone confirmed counts as proved from now on. */
export async function proveAddress(service: ServiceProcess, userId: string): Promise<void> {
  const { auth } = await operatorClient(service);
  const { error } = await auth.admin.updateUserById(userId, { email_confirm: true });
  if (error !== null) throw error;
}
