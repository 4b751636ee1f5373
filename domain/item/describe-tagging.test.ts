import { expect, it } from 'vitest';
import { english } from '#domain/language.ts';
import { describeTagging } from './describe-tagging.ts';

const describe = (form: Parameters<typeof describeTagging>[0]) => describeTagging(form, english.texts.itemTypes);

it('takes the name of a catalogue type, and sends an empty description as null', () => {
  expect(describe({ chosen: 'baby', customName: '', description: '  ' })).toEqual({
    item_type: 'baby',
    item_name: 'Baby Item',
    description: null,
  });
});

it('takes a name of the owner’s own, trimmed', () => {
  expect(describe({ chosen: 'custom', customName: ' Cello case ', description: ' black ' })).toEqual({
    item_type: 'custom',
    item_name: 'Cello case',
    description: 'black',
  });
});

it('describes nothing without a type or a name', () => {
  expect(describe({ chosen: null, customName: '', description: 'x' })).toBeNull();
  expect(describe({ chosen: 'custom', customName: '  ', description: 'x' })).toBeNull();
});
