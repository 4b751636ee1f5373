import { Button } from '#app/ui/button.tsx';
import { classNames } from '#app/ui/class-names.ts';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { PLACE_LENGTH, type PlacedTap, TAPS } from '#domain/contact/message-details.ts';
import type { TapsWords } from '#domain/words/compiled/types.ts';

interface TapFieldsProps {
  readonly texts: TapsWords;
  readonly typedPlace: string;
  /** The tap that lacks its place, without a script. */
  readonly asked: PlacedTap | undefined;
  /** Whether they come before everything else: then the first of them stands out. */
  readonly isFirst: boolean;
}

/** The id of the form that they belong to, wherever they stand. */
export const MESSAGE_FORM = 'message-form';

const LINK = 'min-h-11 px-1 font-semibold text-primary hover:underline';

/**
 * The button of the Enter key, the first of its form on the page. Disabled, so that Enter in the place sends nothing unless a
 * tap has asked for it.
 */
export function EnterButton({ asked }: Pick<TapFieldsProps, 'asked'>) {
  return <button type="submit" form={MESSAGE_FORM} name="kind" value={asked} disabled={asked === undefined} hidden />;
}

/**
 * The part of the message form that needs no writing: buttons that send at once, or ask for the place that they mean, and
 * a place for these and the message. The script offers to add the phone's location, and shows what will be sent.
 */
export function TapFields({ texts: { taps }, typedPlace, asked, isFirst }: TapFieldsProps) {
  return (
    <>
      {isFirst && <EnterButton asked={asked} />}
      <div data-taps="" className="flex flex-wrap gap-2">
        {TAPS.map((tap, index) => (
          <Button
            key={tap}
            type="submit"
            form={MESSAGE_FORM}
            name="kind"
            value={tap}
            formNoValidate
            variant={isFirst && index === 0 ? 'primary' : 'outline'}
            aria-pressed={tap === asked || undefined}
            className={classNames(
              'whitespace-nowrap aria-pressed:bg-primary aria-pressed:text-on-primary',
              isFirst && index === 0 ? 'min-h-14 basis-full' : 'flex-1',
            )}
          >
            {taps.buttons[tap]}
          </Button>
        ))}
      </div>
      <details data-place="" open={typedPlace !== '' || asked !== undefined} className="text-sm">
        <summary className="cursor-pointer py-3">{taps.addPlace}</summary>
        <Field id="message-place" label={taps.place}>
          {(control) => (
            <div className="flex gap-2">
              <input
                {...control}
                form={MESSAGE_FORM}
                name="place"
                maxLength={PLACE_LENGTH}
                defaultValue={typedPlace}
                enterKeyHint="send"
                autoComplete="off"
                className={inputLook(false)}
              />
              {/* Beside the place, and not the tap again: a second press of that sends nothing without a place. */}
              <Button type="submit" form={MESSAGE_FORM} name="sure" value={asked} hidden={asked === undefined}>
                {taps.sendTap}
              </Button>
            </div>
          )}
        </Field>
        <div data-location="" hidden>
          <button type="button" data-locate="" className={LINK}>
            {taps.addLocation}
          </button>
          <p data-located="" hidden>
            {taps.willSend} <bdi translate="no" dir="ltr" data-coordinates="" className="font-semibold" />
            <span className="flex flex-wrap items-center justify-between gap-x-4">
              <label className="flex min-h-11 items-center gap-2">
                <input type="checkbox" form={MESSAGE_FORM} name="exact" value="1" className="size-5" />
                {taps.exact}
              </label>
              <button type="button" data-leave-out="" className={LINK}>
                {taps.leaveOut}
              </button>
            </span>
          </p>
          <input type="hidden" form={MESSAGE_FORM} name="latitude" />
          <input type="hidden" form={MESSAGE_FORM} name="longitude" />
        </div>
      </details>
    </>
  );
}
