/** Whether the operator's denylist has the domain of a normalized address, or a parent domain. */
export function isOfDeniedDomain(address: string, denylist: readonly string[]): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return denylist.some((denied) => domain === denied || domain.endsWith(`.${denied}`));
}
