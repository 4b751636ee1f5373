import { Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { adminRoutes } from './admin/admin-routes.ts';
import { inviteUser } from './admin/invite-user.ts';
import { requireOperator } from './admin/require-operator.ts';
import { type AuthServiceOptions, createAuthService } from './auth-service.ts';
import { handlersOf } from './endpoint.ts';
import { changeUser } from './endpoints/change-user.ts';
import { signOut } from './endpoints/logout.ts';
import { requestCode } from './endpoints/otp.ts';
import { readUser } from './endpoints/read-user.ts';
import { reauthenticate } from './endpoints/reauthenticate.ts';
import { recoverAccount } from './endpoints/recover.ts';
import { resendCode } from './endpoints/resend.ts';
import { describeSettings, HEALTH } from './endpoints/settings.ts';
import { signUp } from './endpoints/signup.ts';
import { grantToken } from './endpoints/token.ts';
import { verifyOneTimeCode } from './endpoints/verify.ts';
import { followLink } from './endpoints/verify-link.ts';
import { factorRoutes } from './factors/factor-routes.ts';
import { acceptFormPost } from './oidc/accept-form-post.ts';
import { beginLinking, beginSignIn } from './oidc/begin-visit.ts';
import { finishSignIn } from './oidc/finish-sign-in.ts';
import { unlinkIdentity } from './oidc/unlink-identity.ts';
import { passkeyRoutes } from './passkeys/passkey-routes.ts';
import { AuthError, type Refusal } from './wire/auth-error.ts';
import { respondWithError } from './wire/respond-with-error.ts';

/** Endpoints of the protocol that this server does not implement, with the refusal and the name used in it. */
const NOT_OFFERED: readonly (readonly [path: string, refusal: Refusal, detail?: string])[] = [
  ['/admin/*', 'notOffered', 'this part of the admin API'],
  ['/sso', 'samlOff'],
  ['/sso/*', 'samlOff'],
  ['/saml/*', 'samlOff'],
  ['/oauth/*', 'notOffered', 'an OAuth server'],
];

/** The auth service: every endpoint with its handler. docs/protocol/auth.md lists what each supports. */
export function authRoutes(dependencies: Dependencies, options: AuthServiceOptions = {}): Hono<AppEnv> {
  const service = createAuthService(dependencies, options);
  const routes = new Hono<AppEnv>();
  const settings = describeSettings(dependencies.config);
  const { tokens, additionalKeys } = dependencies;
  const keySet = { keys: [...tokens.publicKeys.keys, ...(additionalKeys?.publicKeys ?? [])] };
  const respond = handlersOf(service);

  routes.use(
    methodNotAllowed({
      app: routes,
      onMethodNotAllowed: (c, methods) => {
        c.header('Allow', methods.join(', '));
        return respondWithError(new AuthError('methodNotAllowed'), c);
      },
    }),
  );

  routes.post('/signup', respond(signUp));
  routes.post('/token', respond(grantToken));
  routes.post('/otp', respond(requestCode));
  routes.post('/recover', respond(recoverAccount));
  routes.post('/resend', respond(resendCode));
  routes.post('/verify', respond(verifyOneTimeCode));
  routes.get('/verify', respond(followLink));
  routes.get('/user', respond(readUser));
  routes.put('/user', respond(changeUser));
  routes.get('/reauthenticate', respond(reauthenticate));
  routes.post('/logout', respond(signOut));
  routes.get('/authorize', respond(beginSignIn));
  routes.get('/callback', respond(finishSignIn));
  routes.post('/callback', respond(acceptFormPost));
  routes.get('/user/identities/authorize', respond(beginLinking));
  routes.delete('/user/identities/:identityId', respond(unlinkIdentity));

  routes.route('/factors', factorRoutes(service));
  routes.route('/passkeys', passkeyRoutes(service));
  routes.route('/admin', adminRoutes(service));
  routes.post('/invite', requireOperator(service), respond(inviteUser));

  routes.get('/settings', (c) => c.json(settings));
  routes.get('/health', (c) => c.json(HEALTH));
  routes.get('/.well-known/jwks.json', (c) => {
    c.header('Cache-Control', 'public, max-age=600');
    return c.json(keySet);
  });

  for (const [path, refusal, detail = ''] of NOT_OFFERED) {
    routes.all(path, () => {
      throw new AuthError(refusal, { detail });
    });
  }
  // Returned and not thrown, so that no middleware treats it as a failure.
  routes.all('*', (c) => respondWithError(new AuthError('notFound'), c));
  routes.onError(respondWithError);
  return routes;
}
