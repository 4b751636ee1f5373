/** The currencies of countries (ISO 3166) that do not pay in euros. */
const OF_COUNTRIES: Readonly<Record<string, string>> = {
  AE: 'AED',
  AR: 'ARS',
  AU: 'AUD',
  BD: 'BDT',
  BR: 'BRL',
  CA: 'CAD',
  CH: 'CHF',
  CN: 'CNY',
  CZ: 'CZK',
  DK: 'DKK',
  EG: 'EGP',
  GB: 'GBP',
  HK: 'HKD',
  HU: 'HUF',
  ID: 'IDR',
  IL: 'ILS',
  IN: 'INR',
  IR: 'IRR',
  JP: 'JPY',
  KR: 'KRW',
  MX: 'MXN',
  NO: 'NOK',
  NZ: 'NZD',
  PL: 'PLN',
  RO: 'RON',
  RU: 'RUB',
  SA: 'SAR',
  SE: 'SEK',
  TH: 'THB',
  TR: 'TRY',
  TW: 'TWD',
  UA: 'UAH',
  US: 'USD',
  VN: 'VND',
  ZA: 'ZAR',
};

/** The currencies (ISO 4217) that an owner chooses from, the likeliest first. */
export function currenciesFor(languages: readonly string[]): readonly string[] {
  const countries = languages.map((tag) => new Intl.Locale(tag).maximize().region ?? '');
  const likely = countries.map((country) => OF_COUNTRIES[country] ?? 'EUR');
  return [...new Set([...likely, 'EUR', ...Object.values(OF_COUNTRIES)])];
}
