/** No answer at all, or a gateway's in place of the service's: nobody may have heard of it, and asking again does no harm. */
export function isOutOfReach(status: number): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504;
}
