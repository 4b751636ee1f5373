/** Settings of earlier versions, with their replacements. Ignoring one silently would hide that it has no effect. */
const RETIRED: Readonly<Record<string, string>> = {
  CODE_GAP_SECONDS:
    'LIMITS has the gap of each channel, such as LIMITS=mail_gap_per_account=1/60,sms_gap_per_account=1/60',
};

export function retiredProblems(given: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(RETIRED)
    .filter(([name]) => Object.hasOwn(given, name))
    .map(([name, instead]) => `${name} is no longer a setting: ${instead}.`);
}
