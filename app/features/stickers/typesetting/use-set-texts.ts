import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { LineText } from '#domain/stickers/line-text.ts';
import { unprintableCharacters } from '#domain/stickers/printable-text.ts';
import type { Typeset } from '#domain/stickers/typesetting/typesetter.ts';
import { type BrowserTypesetter, openTypesetter } from './open-typesetter.ts';

/** The texts of a sticker that may be in any script. */
type Kind = 'own' | 'call' | 'product';

/** Normalized to NFC. */
export type WantedTexts = Readonly<Partial<Record<Kind, string>>>;

interface SetTexts {
  /** As they are drawn. While others are set, those that were shown before. */
  readonly texts: Readonly<Partial<Record<Kind, LineText>>>;
  readonly state: 'set' | 'setting' | 'failed';
  /** The characters of each text that no font has. Such a text is not among `texts`. */
  readonly unprintable: Readonly<Partial<Record<Kind, readonly string[]>>>;
}

type Result = Typeset | 'failed';

/**
 * Sets texts whose characters the typefaces of PDF readers lack, as outlines. The shaper and the fonts are fetched with the
 * first such text. Also returns a function that tries again after a failure.
 */
export function useSetTexts(wanted: WantedTexts): [SetTexts, () => void] {
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const typeset = useTypesetter();
  const outlined = Object.values(wanted).filter((text) => unprintableCharacters(text).length > 0);
  const next = outlined.find((text) => !results.has(text));

  const keep = useEffectEvent((text: string, result: Result) => {
    const used = [...results].filter(([other]) => outlined.includes(other));
    setResults(new Map([...used, [text, result]]));
  });
  const set = useEffectEvent(typeset);
  useEffect(() => {
    if (next === undefined) return;
    let isWanted = true;
    set(next).then(
      (result) => isWanted && keep(next, result),
      () => isWanted && keep(next, 'failed'),
    );
    return () => {
      isWanted = false;
    };
  }, [next]);

  const state = outlined.some((text) => results.get(text) === 'failed')
    ? 'failed'
    : next === undefined
      ? 'set'
      : 'setting';
  const current = collect(wanted, results);
  const [last, setLast] = useState({ wanted, current });
  if (state === 'set' && JSON.stringify(last.wanted) !== JSON.stringify(wanted)) setLast({ wanted, current });
  const { texts, unprintable } = state === 'setting' ? last.current : current;
  const tryAgain = () => setResults(new Map([...results].filter(([, result]) => result !== 'failed')));
  return [{ texts, unprintable, state }, tryAgain];
}

function collect(wanted: WantedTexts, results: ReadonlyMap<string, Result>): Omit<SetTexts, 'state'> {
  const texts: Partial<Record<Kind, LineText>> = {};
  const unprintable: Partial<Record<Kind, readonly string[]>> = {};
  // The names of the properties are the kinds.
  for (const [kind, text] of Object.entries(wanted) as [Kind, string][]) {
    const result = results.get(text);
    if (unprintableCharacters(text).length === 0) texts[kind] = text;
    else if (result === undefined || result === 'failed') continue;
    else if (result.kind === 'set') texts[kind] = result.text;
    else unprintable[kind] = result.characters;
  }
  return { texts, unprintable };
}

/** Returns what sets a text with one worker for the life of the screen, and with another one after a failure. */
function useTypesetter(): BrowserTypesetter['set'] {
  const opened = useRef<BrowserTypesetter | null>(null);
  useEffect(
    () => () => {
      opened.current?.close();
      opened.current = null;
    },
    [],
  );
  return async (text) => {
    opened.current ??= openTypesetter();
    const typesetter = opened.current;
    try {
      return await typesetter.set(text);
    } catch (error) {
      // A worker whose script did not arrive never answers.
      typesetter.close();
      if (opened.current === typesetter) opened.current = null;
      throw error;
    }
  };
}
