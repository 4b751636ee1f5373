import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** Every URL of the site. The server handles a visitor's `/item/{id}` and `/f/{typed code}`, and the redirects of
 * a scan, before these. */
export default [
  index('./routes/landing.tsx'),
  layout('./routes/journeys.tsx', [
    route('auth/callback', './routes/auth-callback.tsx'),
    route('not-mine', './routes/not-mine.tsx'),
    route('auth/:qrId?', './routes/auth.tsx'),
    route('profile', './routes/profile/profile.tsx'),
    route('profile/finders', './routes/profile/finders.tsx'),
    route('profile/notifications', './routes/profile/notifications.tsx'),
    route('profile/contacts', './routes/profile/contacts.tsx'),
    route('profile/security', './routes/profile/security.tsx'),
    route('profile/data', './routes/profile/data.tsx'),
    route('test-redirect', './routes/test-redirect.tsx'),
    route('dashboard', './routes/dashboard.tsx'),
    route('messages', './routes/messages.tsx'),
    route('stickers', './routes/stickers.tsx'),
    route('spreadsheet', './routes/spreadsheet.tsx'),
    route('offer/:offerId', './routes/offer.tsx'),
    route('given/:itemId?', './routes/given.tsx'),
    route('operate', './routes/operate.tsx'),
    route('item/:qrId', './routes/item.tsx'),
    route('f/:typedCode', './routes/typed-code.tsx'),
    route('privacy', './routes/privacy.tsx'),
    route('terms', './routes/terms.tsx'),
    route('faq', './routes/faq.tsx'),
    route('not-found', './routes/not-found.tsx'),
  ]),
  // A scan: `/qr?…`, `/tgt-…` and every other path.
  route('*', './routes/qr-redirect.tsx'),
] satisfies RouteConfig;
