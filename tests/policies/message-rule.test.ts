import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countCharacters, MESSAGE_LENGTH } from '#domain/contact/count-characters.ts';
import { trimMessage } from '#domain/contact/trim-message.ts';
import { createItem } from '#tests/support/factories/create-item.ts';
import { createOwner } from '#tests/support/factories/create-owner.ts';
import { assertProperty } from '#tests/support/long-runs.ts';
import { createTestDatabase } from '#tests/support/test-database.ts';

/** What the database accepts of a message equals what the page checks before sending. */
const database = await createTestDatabase();
const item = await createItem(database, await createOwner(database));

const blank = fc.constantFrom(
  ...'\t\n\v\f\r \u0085\u00a0\u1680\u180e\u2003\u200a\u200b\u200d\u200e\u2028\u202f\u2060\u3000\ufeff',
);
const visible = fc.constantFrom('a', 'ש', '🔑', 'e\u0301', '\r\n', '\u00ad');
const typed = fc.oneof(
  fc.array(fc.oneof(blank, visible), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);

async function trimmedByDatabase(texts: readonly string[]): Promise<{ kept: string; length: number }[]> {
  return database.query<{ kept: string; length: number }>(
    `select kept, char_length(kept) as length
       from unnest($1::text[]) with ordinality as given (text, place), internal.trim_message(given.text) as kept
       order by place`,
    [texts],
  );
}

function trimmedByPage(texts: readonly string[]): { kept: string; length: number }[] {
  return texts.map(trimMessage).map((kept) => ({ kept, length: countCharacters(kept) }));
}

test('both sides trim the same characters, one by one', async () => {
  const characters: string[] = [];
  for (let code = 1; code <= 0xffff; code += 1)
    if (code < 0xd800 || code > 0xdfff) characters.push(String.fromCharCode(code));
  expect(await trimmedByDatabase(characters)).toEqual(trimmedByPage(characters));
});

test('for any text both sides keep and count the same characters', async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(typed, { minLength: 50, maxLength: 50 }), async (texts) => {
      const storable = texts.map((text) => text.replaceAll('\0', ''));
      expect(await trimmedByDatabase(storable)).toEqual(trimmedByPage(storable));
    }),
    { short: 40, long: 400 },
  );
});

test('a message is accepted exactly if the page would send it, and stored as the page shows it', async () => {
  const around = fc.array(blank, { maxLength: 4 }).map((parts) => parts.join(''));
  const core = fc
    .tuple(fc.constantFrom('a', '🔑', '\u200b', '\u00a0'), fc.constantFrom(0, 1, 249, 250, 251))
    .map(([character, times]) => character.repeat(times));
  await assertProperty(
    fc.asyncProperty(around, core, around, async (before, middle, after) => {
      const text = before + middle + after;
      const body = trimMessage(text);
      const sent = database.query<{ id: string }>("select public.send_message($1, $2) ->> 'message_id' as id", [
        item.qrId,
        text,
      ]);
      if (body === '' || countCharacters(body) > MESSAGE_LENGTH) {
        await expect(sent).rejects.toMatchObject({ code: '22023' });
        return;
      }
      const [message] = await sent;
      expect(await database.query('select body from public.messages where id = $1', [message?.id])).toEqual([{ body }]);
    }),
    { short: 150, long: 1_500 },
  );
});
