import { Button } from '#app/ui/button.tsx';
import { Field, inputLook } from '#app/ui/field/field.tsx';
import { PLACE_LENGTH, type PlacedTap, TAPS } from '#domain/contact/message-details.ts';
import type { Texts } from '#domain/texts/en.ts';

interface TapFieldsProps {
  readonly texts: Texts;
  readonly typedPlace: string;
  /** The tap that lacks its place, without a script. */
  readonly asked: PlacedTap | undefined;
}

const LINK = 'min-h-11 px-1 font-semibold text-primary hover:underline';

/**
 * The part of the message form that needs no writing: buttons that send at once, or ask for the place that they mean, and
 * a place for these and the message. The script offers to add the phone's location, and shows what will be sent.
 */
export function TapFields({ texts: { taps }, typedPlace, asked }: TapFieldsProps) {
  return (
    <>
      <div data-taps="" className="flex flex-wrap gap-2">
        {TAPS.map((tap) => (
          <Button
            key={tap}
            type="submit"
            name="kind"
            value={tap}
            formNoValidate
            variant="outline"
            aria-pressed={tap === asked || undefined}
            className="flex-1 whitespace-nowrap aria-pressed:bg-primary aria-pressed:text-on-primary"
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
                name="place"
                maxLength={PLACE_LENGTH}
                defaultValue={typedPlace}
                autoComplete="off"
                className={inputLook(false)}
              />
              {/* Beside the place, and not the tap again: a second press of that sends nothing without a place. */}
              <Button type="submit" name="sure" value={asked} hidden={asked === undefined}>
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
            {taps.willSend} <bdi dir="ltr" data-coordinates="" className="font-semibold" />
            <span className="flex flex-wrap items-center justify-between gap-x-4">
              <label className="flex min-h-11 items-center gap-2">
                <input type="checkbox" name="exact" value="1" className="size-5" />
                {taps.exact}
              </label>
              <button type="button" data-leave-out="" className={LINK}>
                {taps.leaveOut}
              </button>
            </span>
          </p>
          <input type="hidden" name="latitude" />
          <input type="hidden" name="longitude" />
        </div>
      </details>
    </>
  );
}
