import { type ReactNode, useEffect, useId, useState } from 'react';
import { usePublicConfig } from '#app/client/public-config.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Card } from '#app/ui/card.tsx';
import { overflowOf } from '#domain/stickers/measured-labels.ts';
import { cellsPerPage, fillPages } from '#domain/stickers/sheet-layout.ts';
import { typedCodeOf } from '#domain/tag-code/derive-typed-code.ts';
import { stickerCall } from '#domain/texts/stickers/sticker-calls.ts';
import { BlankChoice } from './blank/blank-choice.tsx';
import type { BlankCodes } from './blank/blank-codes.ts';
import { type Chosen, createDesigner } from './design-stickers.ts';
import { ItemChoice } from './items/item-choice.tsx';
import { firstChosen, type ItemStickers, isVoid } from './items/item-stickers.ts';
import { keepLook } from './kept-look.ts';
import { LookChoice } from './look-choice.tsx';
import type { SavedLabels } from './measured/saved-labels.ts';
import { NumberField } from './number-field.tsx';
import { PaperChoice } from './paper-choice.tsx';
import { formatOf, isOnLabels, usePaperSetup } from './paper-setup.ts';
import { SheetOutput } from './sheet-output.tsx';
import { type DrawnLook, isTooLight, type StickerLook, textsOf, USUAL_LOOK } from './sticker-look.ts';
import { TileChoice } from './tile-choice.tsx';
import { useSetTexts } from './typesetting/use-set-texts.ts';
import { useStickerCheck } from './use-sticker-check.ts';
import { useStickerTexts } from './use-sticker-texts.ts';

/** More stickers at once are an operator's task, and would fill a phone's memory. */
const MOST_STICKERS = 500;
const MOST_COPIES = 100;

interface StickersScreenProps {
  readonly userId: string;
  /** The look to begin with. */
  readonly keptLook: StickerLook;
  readonly items: readonly ItemStickers[];
  /** Codes without an item. */
  readonly blank: readonly BlankCodes[];
  /** The labels that the account has saved. */
  readonly labels: readonly SavedLabels[];
  /** The code that the owner came from. */
  readonly code: string | null;
}

/** Chooses items or blank stickers, paper, and look, and prints the stickers or saves them as files. */
export function StickersScreen({ userId, keptLook, items, blank, labels, code }: StickersScreenProps) {
  const texts = useStickerTexts();
  const language = useLanguage();
  const { productName, stickerUrl } = usePublicConfig();
  const [wantedSource, setSource] = useState<'items' | 'blank'>('items');
  const source = items.length === 0 ? 'blank' : wantedSource;
  const [chosenItems, setChosenItems] = useState(() => firstChosen(items, code));
  const [chosenBlank, setChosenBlank] = useState<ReadonlySet<string>>(new Set());
  const [copies, setCopies] = useState(1);
  const [setup, changeSetup] = usePaperSetup();
  const [look, setLook] = useState(keptLook);
  const [wantedCell, setWantedCell] = useState(0);
  const [design] = useState(() => createDesigner(stickerUrl));

  const format = formatOf(setup);
  const firstCell = isOnLabels(setup.paper) ? Math.min(wantedCell, cellsPerPage(format) - 1) : 0;
  const call = stickerCall(look.callLanguage ?? language.tag);
  const [said, setAgain] = useSetTexts(textsOf(look, { call, product: productName }));

  useEffect(() => {
    if (look !== USUAL_LOOK) keepLook(userId, look);
  }, [userId, look]);
  const drawnLook: DrawnLook = { color: look.color, logo: look.logo };
  const chosen: readonly Chosen[] =
    source === 'items'
      ? items.flatMap(({ item, stickers }) =>
          stickers.flatMap((own, index) =>
            chosenItems.has(own.code) && !isVoid(own)
              ? [{ name: texts.stickerOf(item.itemName, index + 1), qrId: own.code }]
              : [],
          ),
        )
      : blank
          .filter(({ madeAt }) => chosenBlank.has(madeAt))
          .flatMap(({ codes }) => codes.map((qrId) => ({ name: typedCodeOf(qrId), qrId })));
  const designs = design(chosen, { format, texts: said.texts, hasTypedCode: look.hasTypedCode, logo: look.logo });
  const fitting = designs.flatMap(({ drawing, ...design }) => (drawing === null ? [] : { ...design, drawing }));
  const isOverflowing = setup.paper === 'measured' && overflowOf(setup.measured) !== null;
  const isRefused = Object.keys(said.unprintable).length > 0 || isTooLight(look) || isOverflowing;
  const [check, checkAgain] = useStickerCheck(isRefused || fitting.length > MOST_STICKERS ? [] : fitting, {
    format,
    look: drawnLook,
  });
  // A blank sticker goes on one thing.
  const copiesOfEach = source === 'items' ? copies : 1;
  const unreadable = check.kind === 'checked' ? check.unreadable : new Set<string>();
  const readable = fitting.filter(({ id }) => !unreadable.has(id));
  const stickers = isRefused ? [] : readable.flatMap((design) => Array.from({ length: copiesOfEach }, () => design));

  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <div className="flex min-w-0 flex-col gap-6">
        <Step title={texts.itemsTitle}>
          {items.length > 0 && (
            <TileChoice
              legend={texts.sourceLegend}
              name="source"
              tiles={SOURCES.map((value) => ({ value, ...texts.sources[value], picture: null }))}
              chosen={source}
              onChange={setSource}
              className="sm:grid-cols-2"
            />
          )}
          {source === 'blank' ? (
            <BlankChoice blank={blank} chosen={chosenBlank} onChange={setChosenBlank} />
          ) : (
            <>
              <ItemChoice items={items} chosen={chosenItems} onChange={setChosenItems} from={code} />
              <NumberField
                label={texts.copies}
                hint={texts.copiesHint}
                problem={texts.copiesProblem(MOST_COPIES)}
                value={copies}
                least={1}
                most={MOST_COPIES}
                step={1}
                onChange={setCopies}
              />
            </>
          )}
        </Step>
        <Step title={texts.paperTitle}>
          <PaperChoice setup={setup} saved={labels} onChange={changeSetup} />
        </Step>
        <Step title={texts.looksTitle}>
          <LookChoice
            look={look}
            // A logo comes when it is decoded, and other changes may have come before it.
            onChange={(change) => setLook((now) => ({ ...now, ...change }))}
            call={call}
            product={productName}
            unprintable={said.unprintable}
          />
        </Step>
      </div>
      <Step title={texts.previewTitle} className="lg:sticky lg:top-[calc(1rem+var(--notices-room,0px))]">
        <SheetOutput
          // A new sheet is seen from its first page.
          key={format.id}
          format={format}
          paper={setup.paper}
          stickers={stickers.slice(0, MOST_STICKERS)}
          pages={fillPages(format, Math.min(stickers.length, MOST_STICKERS), firstCell)}
          look={drawnLook}
          firstCell={firstCell}
          onFirstCellChange={setWantedCell}
          offset={setup.offset}
          onOffsetChange={(offset) => changeSetup({ offset })}
          isChecking={check.kind === 'checking'}
          problems={{
            noneChosen: chosen.length === 0,
            isRefused,
            tooMany: stickers.length > MOST_STICKERS ? MOST_STICKERS : null,
            letters: said.state,
            checkFailed: check.kind === 'failed',
            tooSmall: designs.filter(({ drawing }) => drawing === null).map(({ name }) => name),
            unreadable: fitting.filter(({ id }) => unreadable.has(id)).map(({ name }) => name),
          }}
          onCheckAgain={checkAgain}
          onSetAgain={setAgain}
        />
      </Step>
    </div>
  );
}

const SOURCES = ['items', 'blank'] as const;

interface StepProps {
  readonly title: string;
  readonly className?: string;
  readonly children: ReactNode;
}

function Step({ title, className, children }: StepProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={className}>
      <Card className="flex flex-col gap-4">
        <h2 id={id} className="font-bold text-xl">
          {title}
        </h2>
        {children}
      </Card>
    </section>
  );
}
