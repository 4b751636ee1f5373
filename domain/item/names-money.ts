/** Whether a reward, as its owner wrote it, can be a sum of money: it has a currency sign or a number. */
export function namesMoney(reward: string): boolean {
  return /[\p{Sc}\p{N}]/u.test(reward);
}
