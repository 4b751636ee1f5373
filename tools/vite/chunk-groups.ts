import type { Rolldown } from 'vite';

type Groups = NonNullable<Exclude<Rolldown.OutputOptions['codeSplitting'], boolean | undefined>['groups']>;

const SHARED =
  /\/(?:app\/(?!decode\/|features\/(?:owner\/(?:first-line|save-item)|stickers\/use-sticker-texts)|form\/|i18n\/(?:speak|use)-phrases|item\/(?:find-items|finder-link|item-search|item-type-(?:grid|tile)|message-bubble|sticker\/lazy-sticker-dialog|type-name)|ui\/field\/switch-field|passkeys\/|verification\/|push\/(?:this-device|push-devices))|domain\/(?!contact\/|texts\/(?:stickers\/sticker-texts|describe-details|message-in-words|moment-in-words|phrase-in-words)))|\/node_modules\/(?:lucide-react|valibot)\//;
/** What several screens share, of which the dashboard is none. */
const NOT_OF_THE_DASHBOARD =
  /\/app\/(?:browser\/shrink-picture|client\/open-files|features\/(?:sign-in\/link\/recovery-link|site\/(?:item-frame|not-found-screen|prose))|push\/push-(?:mark|support)|verification\/recent-proof|ui\/field\/(?!one-time-code|password|switch).*)\.tsx?$/;
/** What the pages of the settings share. */
const SETTINGS =
  /\/app\/(?:features\/(?:settings\/(?!profile\/email-trouble)|site\/settings-page)|resilience\/use-reloadable)/;
/** What asks for credentials and codes, and what changed in an account. */
const SIGN_IN =
  /\/app\/(?:data\/changes\/|i18n\/use-sign-in-texts|ui\/field\/(?:one-time-code|password)-field)|\/domain\/(?:account\/(?:read-one-time-code|validate-credentials)|texts\/sign-in-texts)\.ts$|\/lucide-react\/.*\/eye(?:-off)?\.\w+$/;

const DASHBOARD = /\/app\/(?:root|routes\/(?:dashboard|journeys)|features\/owner\/items\/item-finder)\.tsx/;
const knownOfDashboard = new Map<string, boolean>();

/** Whether a module of ours is imported by the dashboard, or by a module that is. What it imports comes along. */
function isOfDashboard(id: string, importersOf: (id: string) => readonly string[]): boolean {
  if (!/\/(?:app|domain)\//.test(id) || id.includes('/node_modules/')) return false;
  const known = knownOfDashboard.get(id);
  if (known !== undefined) return known;
  // Of modules that import each other.
  knownOfDashboard.set(id, false);
  const isOne = importersOf(id).some((each) => DASHBOARD.test(each) || isOfDashboard(each, importersOf));
  knownOfDashboard.set(id, isOne);
  return isOne;
}

/**
 * Divides the screens' code into files. By default the bundler creates one for each set of screens that share a module:
 * dozens of a few hundred bytes, each of which costs a round trip on a slow connection.
 */
export const chunkGroups: Groups = [
  // What loads the dashboard's data, without the framework, which arrives two seconds later on a slow connection.
  {
    name: 'data',
    test: /\/app\/(?:client\/(?:browser-client|current-session|read-public-config|session\/[\w-]+)|data\/(?:early\/(?:early-load|load-dashboard)|items|news\/item-news|contact-methods|profile|second-factor|load-all-rows|transfers\/transfers)|resilience\/(?:fetch-with-retry|is-retryable|retry-policy)|ui\/load-(?:once|part))\.ts$|\/domain\/(?:crockford|plain-typed|item\/item-catalogue)\.ts$|\/node_modules\/valibot\/|rolldown\/runtime/,
    // Before the framework, which would take along what both import.
    priority: 4,
  },
  // The framework of every screen, with the few bytes of ours that every document needs: a file of their own would cost
  // more in headers.
  {
    name: 'framework',
    test: /\/node_modules\/(?:react|react-dom|react-router|scheduler|cookie)\/|\/app\/browser\/plain-document\.ts$/,
    priority: 3,
  },
  // What reads and writes sessions. A session that is stored and valid needs none of it.
  { name: 'auth-client', test: /\/node_modules\/@supabase\/auth-js\/|\/app\/client\/app-client\.ts$/, priority: 3 },
  // The data client, which a signed-in screen needs before anything else.
  {
    name: 'client',
    test: /\/node_modules\/@supabase\/postgrest-js\/|\/app\/client\/data-client\.ts$/,
    priority: 3,
  },
  // What also loads the data of an owner's item, without the framework either.
  {
    name: 'item-data',
    test: /\/app\/data\/(?:early\/load-(?:own-item|thread-view)|messages|stickers|conversation-states|return-codes|transfers\/made-offers)\.ts$|\/domain\/contact\/return-code\.ts$/,
    priority: 3,
  },
  // What loads the data of the screen of stickers.
  {
    name: 'stickers-data',
    test: /\/app\/features\/stickers\/(?:blank\/blank-codes|items\/(?:item-stickers|load-stickers))\.ts$/,
    priority: 3,
  },
  // What the dashboard shares with other screens, which is most of what those share.
  {
    name: (id, build) => (isOfDashboard(id, (each) => build.getModuleInfo(each)?.importers ?? []) ? 'app' : null),
    minShareCount: 2,
    priority: 3,
  },
  // What derives a typed code from a tag code. Screens with stickers need it, and the dashboard does not.
  { name: 'typed-code', test: /\/node_modules\/@noble\/|\/tag-code\/derive-typed-code\.ts$/, priority: 3 },
  // What fields with behavior have in common, and the widgets of an item's page.
  {
    name: 'field-widgets',
    test: /\/@base-ui\/(?:react\/(?:merge-props|internals\/(?:field-|form-context|labelable-provider|useRenderElement|useValueChanged))|utils\/(?:useControlled|useValueAsRef|visuallyHidden))/,
    priority: 3,
  },
  { name: 'item-widgets', test: /\/@base-ui\/react\/switch\//, priority: 3 },
  // Other widgets with behavior, grouped by the screens that use them.
  {
    name: 'widgets',
    test: /\/node_modules\/(?:@base-ui|@floating-ui)\/|\/app\/ui\/dialog\/dialog\./,
    entriesAware: true,
    priority: 2,
  },
  // Our own modules that several screens share, except those that turn notifications on, that read codes,
  // and those below.
  {
    name: 'shared',
    test: (id) => SHARED.test(id) && !NOT_OF_THE_DASHBOARD.test(id) && !SIGN_IN.test(id) && !SETTINGS.test(id),
    minShareCount: 3,
    priority: 1,
  },
  {
    name: 'other-screens',
    test: NOT_OF_THE_DASHBOARD,
    minShareCount: 3,
    // After the others, because a group takes along what its modules import.
    priority: 0,
  },
  { name: 'settings', test: SETTINGS, minShareCount: 3, priority: 0 },
  // The list of an item's conversations. What shows one of them comes where there is one.
  { name: 'thread-list', test: /\/app\/features\/owner\/threads\/(?:mark-seen|thread-list)\.tsx?$/, priority: 0 },
  // Small parts of an item's page, of which other screens and pages of the settings have one or two.
  {
    name: 'item-parts',
    test: /\/app\/(?:form\/message-length|item\/(?:sticker\/void-code-notice|first-visit-steps|item-row|lazy-part|type-name)|features\/(?:photos\/(?:picture-controls|use-item-photo)|owner\/(?:returned\/lazy-take-back-sheet|save-item|skipped-visit|use-push-offer)))\.tsx?$|\/domain\/(?:item\/found-item|link-in-text)\.ts$|\/lucide-react\/.*\/(?:gift|mail|message-circle|phone|qr-code|search)\.\w+$/,
    priority: 0,
  },
];
