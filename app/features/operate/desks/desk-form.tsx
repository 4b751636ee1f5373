import { useId } from 'react';
import { useRevalidator } from 'react-router';
import { useForm } from '#app/form/use-form.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { SelectField, TextAreaField, TextField } from '#app/ui/field/fields.tsx';
import { Form } from '#app/ui/field/form.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { COMMON_TIME_ZONES } from '#domain/contact/time-zones.ts';
import { DAY_MS } from '#domain/desks/opening-hours.ts';
import { readDayHours, readOtherDays, writeDayHours, writeOtherDays } from '#domain/desks/typed-hours.ts';
import { isolateSigns } from '#domain/isolate-name.ts';
import { ActButtons } from '../act-buttons.tsx';
import type { ConsoleDesk } from '../console-data.ts';
import { useOperateTexts } from '../use-operate-texts.ts';
import { saveDesk } from './save-desk.ts';

interface DeskFormProps {
  /** Null for a new one. */
  readonly desk: ConsoleDesk | null;
  readonly onClose: () => void;
}

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const MONDAY = Date.UTC(2024, 0, 1);

// As the table has them.
const PHONE = /^\+?[0-9 ()/.-]{3,29}$/;
const LANGUAGE = /^[a-z]{2,3}(-([A-Z][a-z]{3}|[A-Z]{2}))?$/;

/** Adds a desk, or changes it. */
export function DeskForm({ desk, onClose }: DeskFormProps) {
  const texts = useOperateTexts();
  const { desks } = texts;
  const { tag } = useLanguage();
  const { revalidate } = useRevalidator();
  const hintId = useId();
  const weekday = new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' });
  const hoursHint = desks.hoursHint({
    example: isolateSigns('9–12:30, 14–18'),
    night: isolateSigns('22–2'),
    day: isolateSigns('0–24'),
  });
  const daysHint = desks.otherDaysHint({
    closed: isolateSigns('2026-12-25'),
    other: isolateSigns('2026-12-24 9–12'),
  });
  const phoneHint = desks.phoneHint(isolateSigns('+49 30 1234567'));
  const languagesHint = desks.languagesHint(isolateSigns('de, en'));

  const { frame, errors, edited, busy } = useForm({
    fields: ['name', 'place', 'zone', ...DAYS, 'otherDays', 'phone', 'languages'],
    check: (typed) => ({
      ...(typed.name.trim() === '' && { name: desks.missing }),
      ...(typed.place.trim() === '' && { place: desks.missing }),
      ...Object.fromEntries(DAYS.flatMap((day) => (readDayHours(typed[day]) === null ? [[day, hoursHint]] : []))),
      ...(readOtherDays(typed.otherDays) === null && { otherDays: daysHint }),
      ...(typed.phone.trim() !== '' && !PHONE.test(typed.phone.trim()) && { phone: phoneHint }),
      ...(!readLanguages(typed.languages).every((language) => LANGUAGE.test(language)) && { languages: languagesHint }),
    }),
    send: async (typed) => {
      await saveDesk({
        ...(desk !== null && { id: desk.id }),
        name: typed.name,
        place: typed.place,
        time_zone: typed.zone,
        week: DAYS.map((day) => readDayHours(typed[day]) ?? []),
        days: readOtherDays(typed.otherDays) ?? {},
        phone: typed.phone.trim() === '' ? null : typed.phone.trim(),
        languages: readLanguages(typed.languages),
      });
      await revalidate();
      showToast('success', texts.done, { about: 'operate' });
      onClose();
      return null;
    },
  });
  const text = (name: 'name' | 'place' | 'phone' | 'languages') => ({
    name,
    label: desks[name],
    onChange: () => edited(name),
    error: errors[name],
  });
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = desk?.time_zone ?? own;
  return (
    <Form {...frame}>
      <TextField {...text('name')} autoComplete="off" enterKeyHint="next" defaultValue={desk?.name} maxLength={60} />
      <TextField {...text('place')} autoComplete="off" enterKeyHint="next" defaultValue={desk?.place} maxLength={100} />
      <fieldset aria-describedby={hintId} className="flex flex-col gap-3">
        <legend className="mb-1 font-medium">{desks.hours}</legend>
        <p id={hintId} className="text-ink-soft text-sm">
          {hoursHint}
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          {DAYS.map((day, index) => (
            <TextField
              key={day}
              name={day}
              dir="ltr"
              label={weekday.format(MONDAY + index * DAY_MS)}
              defaultValue={writeDayHours(desk?.week[index] ?? [])}
              autoComplete="off"
              enterKeyHint="next"
              maxLength={100}
              onChange={() => edited(day)}
              error={errors[day]}
            />
          ))}
        </div>
      </fieldset>
      <TextAreaField
        name="otherDays"
        dir="ltr"
        label={desks.otherDays}
        hint={daysHint}
        defaultValue={writeOtherDays(desk?.days ?? {})}
        autoComplete="off"
        maxLength={8_000}
        onChange={() => edited('otherDays')}
        error={errors.otherDays}
      />
      <SelectField name="zone" label={desks.zone} defaultValue={zone}>
        {[...new Set([zone, own, ...COMMON_TIME_ZONES])].map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <TextField
        {...text('phone')}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        enterKeyHint="next"
        dir="ltr"
        hint={phoneHint}
        defaultValue={desk?.phone ?? undefined}
        maxLength={30}
      />
      <TextField
        {...text('languages')}
        autoComplete="off"
        enterKeyHint="done"
        dir="ltr"
        hint={languagesHint}
        defaultValue={desk?.languages.join(', ')}
        maxLength={200}
      />
      <ActButtons act={desks.save} busy={busy} onClose={onClose} />
    </Form>
  );
}

function readLanguages(typed: string): readonly string[] {
  return typed.split(/[,\s]+/).filter((language) => language !== '');
}
