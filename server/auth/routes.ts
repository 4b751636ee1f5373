import { type Context, Hono } from 'hono';
import { methodNotAllowed } from 'hono/method-not-allowed';
import type { Dependencies } from '#server/dependencies.ts';
import type { AppEnv } from '#server/http/app-env.ts';
import { adminRoutes } from './admin/admin-routes.ts';
import { inviteUser } from './admin/invite-user.ts';
import { requireOperator } from './admin/require-operator.ts';
import { answerFailure } from './answer-failure.ts';
import { AuthError } from './auth-error.ts';
import { type AuthService, type AuthServiceOptions, createAuthService } from './auth-service.ts';
import { changeUser } from './change-user.ts';
import { describeSettings, HEALTH } from './describe-service.ts';
import { factorRoutes } from './factors/factor-routes.ts';
import { followLink } from './follow-link.ts';
import { grantToken } from './grant-token.ts';
import { beginLinking } from './oidc/begin-linking.ts';
import { beginSignIn } from './oidc/begin-sign-in.ts';
import { finishSignIn } from './oidc/finish-sign-in.ts';
import { takePostedAnswer } from './oidc/take-posted-answer.ts';
import { unlinkIdentity } from './oidc/unlink-identity.ts';
import { readUser } from './read-user.ts';
import { reauthenticate } from './reauthenticate.ts';
import { recoverAccount } from './recover-account.ts';
import { requestCode } from './request-code.ts';
import { resendCode } from './resend-code.ts';
import { signOut } from './sign-out.ts';
import { signUp } from './sign-up.ts';
import { verifyOneTimeCode } from './verify-one-time-code.ts';

type UseCase = (service: AuthService, c: Context<AppEnv>) => Promise<Response>;

/** What the protocol has and this server does not, in the words of the 501 answer. */
const NOT_OFFERED: readonly (readonly [path: string, what: string])[] = [
  ['/admin/*', 'this part of the admin API'],
  ['/sso', 'single sign-on'],
  ['/sso/*', 'single sign-on'],
  ['/saml/*', 'SAML'],
  ['/oauth/*', 'an OAuth server'],
  ['/passkeys/*', 'passkeys'],
];

/** The auth service (wire contract, section 1): every endpoint, and what answers it. */
export function authRoutes(dependencies: Dependencies, options: AuthServiceOptions = {}): Hono<AppEnv> {
  const service = createAuthService(dependencies, options);
  const routes = new Hono<AppEnv>();
  const settings = describeSettings(dependencies.config);
  const { tokens, additionalKeys } = dependencies;
  const keySet = { keys: [...tokens.publicKeys.keys, ...(additionalKeys?.publicKeys ?? [])] };
  const answer = (useCase: UseCase) => async (c: Context<AppEnv>) => {
    // Every answer is about one person or holds their tokens.
    c.header('Cache-Control', 'no-store');
    return useCase(service, c);
  };

  routes.use(
    methodNotAllowed({
      app: routes,
      onMethodNotAllowed: (c, methods) => {
        c.header('Allow', methods.join(', '));
        return answerFailure(new AuthError('methodNotAllowed'), c);
      },
    }),
  );

  routes.post('/signup', answer(signUp));
  routes.post('/token', answer(grantToken));
  routes.post('/otp', answer(requestCode));
  routes.post('/recover', answer(recoverAccount));
  routes.post('/resend', answer(resendCode));
  routes.post('/verify', answer(verifyOneTimeCode));
  routes.get('/verify', answer(followLink));
  routes.get('/user', answer(readUser));
  routes.put('/user', answer(changeUser));
  routes.get('/reauthenticate', answer(reauthenticate));
  routes.post('/logout', answer(signOut));
  routes.get('/authorize', answer(beginSignIn));
  routes.get('/callback', answer(finishSignIn));
  routes.post('/callback', answer(takePostedAnswer));
  routes.get('/user/identities/authorize', answer(beginLinking));
  routes.delete('/user/identities/:identityId', answer(unlinkIdentity));

  routes.route('/factors', factorRoutes(service));
  routes.route('/admin', adminRoutes(service));
  routes.post('/invite', requireOperator(service), answer(inviteUser));

  routes.get('/settings', (c) => c.json(settings));
  routes.get('/health', (c) => c.json(HEALTH));
  routes.get('/.well-known/jwks.json', (c) => {
    c.header('Cache-Control', 'public, max-age=600');
    return c.json(keySet);
  });

  for (const [path, what] of NOT_OFFERED) {
    routes.all(path, () => {
      throw new AuthError('notOffered', { detail: what });
    });
  }
  // Answered and not thrown: what fails is none of the middleware's business.
  routes.all('*', (c) => answerFailure(new AuthError('notFound'), c));
  routes.onError(answerFailure);
  return routes;
}
