/**
 * Hides all but the last 4 characters of a phone number, or all of a shorter one.
 *
 * @example maskPhone('+972501234567'); // '•••••••••4567'
 */
export function maskPhone(phone: string): string {
  const visible = phone.length > 4 ? phone.slice(-4) : '';
  return '•'.repeat(phone.length - visible.length) + visible;
}
