import { BellRing, ChevronRight, Download, type LucideIcon, ShieldCheck, Speech, UsersRound } from 'lucide-react';
import { Link } from 'react-router';
import { usePublicConfig } from '#app/client/public-config.ts';
import type { Profile } from '#app/data/profile.ts';
import { formatList } from '#app/i18n/format-list.ts';
import { useLanguage } from '#app/i18n/use-texts.ts';
import { Card } from '#app/ui/card.tsx';
import { CONTACT_METHODS } from '#domain/contact/contact-methods.ts';
import type { SettingsWords } from '#domain/words/compiled/types.ts';
import { settingsWords } from '#words/settings.ts';
import type { SettingsSummary } from './load-summary.ts';

interface SettingsListProps {
  readonly profile: Profile;
  readonly summary: SettingsSummary;
}

/** The pages of the settings, each with one line about its state. A state that could not be loaded is left out. */
export function SettingsList({ profile, summary: { notifications, contacts } }: SettingsListProps) {
  const language = useLanguage();
  const { hasMail } = usePublicConfig();
  const { item } = language.texts;
  const texts = settingsWords(language).pages;
  const list = (states: readonly string[]) => formatList(states, language.tag, 'unit');
  const methods = CONTACT_METHODS.filter((way) => profile.channels[way]).map((way) => item.owner.channelNames[way]);
  const { state } = texts.security;
  const security = profile.needsPassword ? state.noPassword : profile.secondFactors.length > 0 ? state.on : state.off;
  return (
    <Card className="overflow-hidden p-0! sm:p-0!">
      <nav aria-label={texts.list}>
        <ul className="divide-y divide-line">
          <Row
            to="finders"
            icon={Speech}
            title={texts.finders.title}
            state={methods.length === 0 ? texts.finders.none : list(methods)}
          />
          <Row
            to="notifications"
            icon={BellRing}
            title={texts.notifications.title}
            state={
              notifications &&
              (list(noticesOn({ ...notifications, email: notifications.email && hasMail }, texts.notifications)) ||
                texts.notifications.off)
            }
          />
          <Row
            to="contacts"
            icon={UsersRound}
            title={texts.contacts.title}
            state={contacts && (list(contactsOf(contacts, texts.contacts)) || texts.contacts.none)}
          />
          <Row to="security" icon={ShieldCheck} title={texts.security.title} state={security} />
          <Row to="data" icon={Download} title={texts.ownData.title} state={texts.ownData.state} />
        </ul>
      </nav>
    </Card>
  );
}

type Pages = SettingsWords['pages'];
type Known<Part extends keyof SettingsSummary> = NonNullable<SettingsSummary[Part]>;

/** The ways that are on, the last ones with their number. */
function noticesOn(
  { email, devices, sms, addresses }: Known<'notifications'>,
  texts: Pages['notifications'],
): readonly string[] {
  return [
    ...(email ? [texts.email] : []),
    ...(devices > 0 ? [texts.devices(devices)] : []),
    ...(sms ? [texts.sms] : []),
    ...(addresses > 0 ? [texts.addresses(addresses)] : []),
  ];
}

function contactsOf({ agreed, invited }: Known<'contacts'>, texts: Pages['contacts']): readonly string[] {
  return [...(agreed > 0 ? [texts.agreed(agreed)] : []), ...(invited > 0 ? [texts.invited(invited)] : [])];
}

interface RowProps {
  readonly to: string;
  readonly icon: LucideIcon;
  readonly title: string;
  readonly state: string | null;
}

function Row({ to, icon: Icon, title, state }: RowProps) {
  return (
    <li>
      <Link
        to={`/profile/${to}`}
        className="flex min-h-16 items-center gap-4 px-5 py-3 transition-[background-color] -outline-offset-4! hover:bg-sunken sm:px-7"
      >
        <span className="grid size-10 shrink-0 place-content-center rounded-md bg-primary-soft text-primary">
          <Icon className="size-5" aria-hidden="true" />
        </span>
        <span className="min-w-0 flex-1">
          <span className="block font-semibold">{title}</span>
          {state !== null && <span className="block text-ink-soft text-sm">{state}</span>}
        </span>
        <ChevronRight className="size-5 shrink-0 text-ink-soft rtl:-scale-x-100" aria-hidden="true" />
      </Link>
    </li>
  );
}
