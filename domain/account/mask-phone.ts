/** A phone number of which only the last 4 characters can be read. A shorter one is hidden altogether. */
export function maskPhone(phone: string): string {
  const visible = phone.length > 4 ? phone.slice(-4) : '';
  return '•'.repeat(phone.length - visible.length) + visible;
}
