/** What is the same in every language: addresses, the product’s name, the time zone of notices, and the name of a technique. */
const NEUTRAL = /https?:\S+|\S+@\S+|\bReunite\b|\bUTC\b|\bSMS\b/g;

/** Returns the words in Latin script of a message to somebody who reads another one, without addresses and the product’s name. */
export function latinWords(text: string): string[] {
  return text.replace(NEUTRAL, ' ').match(/\p{Script=Latin}{2,}/gu) ?? [];
}
