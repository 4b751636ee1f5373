import { en, type Messages } from '#domain/messages/en.ts';

/** The words of the language that the page is shown in. */
export function useMessages(): Messages {
  return en;
}
