import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { classNames } from '#app/ui/class-names.ts';
import { SwitchField } from '#app/ui/field/switch-field.tsx';
import { notificationsWords } from '#words/notifications.ts';
import { MESSAGE_EVENTS, type MessageEvent } from './notice-choices.ts';

interface WhichMessagesProps {
  /** The name of the way. */
  readonly of: string;
  readonly isOn: (event: MessageEvent) => boolean;
  readonly onChange: (event: MessageEvent, isOn: boolean) => void;
}

/** Of which messages a way tells: a line that opens to one switch for each kind. */
export function WhichMessages({ of, isOn, onChange }: WhichMessagesProps) {
  const { switches } = notificationsWords(useLanguage());
  const [isOpen, setIsOpen] = useState(false);
  const panel = useId();
  const count = MESSAGE_EVENTS.filter(isOn).length;
  const said = count === 0 ? switches.none : count < MESSAGE_EVENTS.length ? switches.some : switches.all;
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{of}</legend>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panel}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-11 w-full flex-wrap items-center justify-between gap-x-3 text-start text-sm hover:text-primary"
      >
        <span className="font-medium">{switches.which}</span>
        <span className="flex items-center gap-1 text-end text-ink-soft">
          {said}
          <ChevronDown
            className={classNames('size-4 shrink-0 transition-[rotate]', isOpen && 'rotate-180')}
            aria-hidden="true"
          />
        </span>
      </button>
      <div id={panel} className={isOpen ? 'border-line border-s-2 ps-4 pb-1 text-sm' : 'hidden'}>
        {MESSAGE_EVENTS.map((event) => (
          <SwitchField
            key={event}
            label={switches[event]}
            checked={isOn(event)}
            onChange={(on) => onChange(event, on)}
          />
        ))}
      </div>
    </fieldset>
  );
}
