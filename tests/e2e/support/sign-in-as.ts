import type { BrowserContext } from '@playwright/test';
import type { Screen } from './screens.ts';
import { signIn } from './sign-in.ts';
import type { Story } from './story.ts';

/** Signs a browser in as the viewer of a screen. */
export async function signInAs(who: Screen['as'], context: BrowserContext, url: string, story: Story): Promise<void> {
  if (who === 'nobody') return;
  const { session, newcomer, careful, halfway, unconfirmed, giver } = story;
  await signIn(context, url, { owner: session, newcomer, careful, halfway, unconfirmed, giver }[who]);
}
