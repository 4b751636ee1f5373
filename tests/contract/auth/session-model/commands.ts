import fc from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import { expect } from 'vitest';
import { withCodes } from '#tests/support/delivery-catcher.ts';
import { ownLinkIn } from '../support/link-in.ts';
import { type AccountModel, livingOf, type SessionModel } from './account-model.ts';
import { newSession, noteTokens, type RealAccount } from './real-account.ts';

type Command = fc.AsyncCommand<AccountModel, RealAccount>;

/** A refresh token from before a second factor was shown is good for as long. */
const REUSE_INTERVAL_MS = 10_000;

const SESSION_CHOICES = 10;

/** Picks one of the account's active sessions; sometimes an ended one, which its holder may still try. */
const pick = (model: AccountModel, choice: number): SessionModel => {
  const living = livingOf(model);
  const sessions = living.length === 0 || choice === SESSION_CHOICES - 1 ? model.sessions : living;
  const session = sessions[choice % sessions.length];
  if (session === undefined) throw new Error('An account begins with a session.');
  return session;
};

function endAllBut(
  model: AccountModel,
  kept: SessionModel | null,
  which: (session: SessionModel) => boolean = () => true,
) {
  for (const session of model.sessions) if (session !== kept && which(session)) session.alive = false;
}

function command(name: string, run: (model: AccountModel, real: RealAccount) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real);
      await real.expectToBe(model);
    },
    toString: () => name,
  };
}

const signIn = command('sign in', async (model, real) => {
  const { email } = real;
  const response = await real.call('POST', '/token?grant_type=password', { email, password: model.password });
  expect(response.status).toBe(200);
  model.sessions.push(newSession(response));
});

const refresh = (choice: number, age: number) =>
  command(`refresh(${choice}, ${age} old)`, async (model, real) => {
    const session = pick(model, choice);
    const { refreshTokens } = session;
    const at = Math.max(0, refreshTokens.length - 1 - age);
    const isLiving = at === refreshTokens.length - 1;
    const isParent = at === refreshTokens.length - 2;
    const response = await real.call('POST', '/token?grant_type=refresh_token', { refresh_token: refreshTokens[at] });
    const late = real.clock.now() - (session.raisedAt ?? Number.POSITIVE_INFINITY) > REUSE_INTERVAL_MS;
    if (!session.alive) expect(response.status).toBe(400);
    else if (isLiving) {
      expect(response.status).toBe(200);
      noteTokens(session, response);
      expect(new Set(refreshTokens).size, 'every token is another').toBe(refreshTokens.length);
      session.raisedAt = null;
    } else if (isParent && !late) {
      expect(response.body.refresh_token, 'the child that there is already').toBe(refreshTokens.at(-1));
      noteTokens(session, response);
      refreshTokens.pop();
    } else {
      expect(response).toMatchObject({ status: 400, body: { code: 'refresh_token_already_used' } });
      session.alive = false;
    }
  });

/** A stolen token is used after its owner has used it. */
const replay = (choice: number, seconds: number) =>
  command(`replay(${choice}, ${seconds} s later)`, async (model, real) => {
    await refresh(choice, 0).run(model, real);
    real.clock.advance(seconds * 1000);
    await refresh(choice, 1).run(model, real);
  });

const signOut = (choice: number, scope: 'global' | 'local' | 'others') =>
  command(`sign out(${choice}, ${scope})`, async (model, real) => {
    const session = pick(model, choice);
    const { status } = await real.call('POST', `/logout?scope=${scope}`, undefined, session);
    expect(status).toBe(session.alive ? 204 : 403);
    if (!session.alive) return;
    if (scope !== 'local') {
      const isUnfinished = model.factor !== null && session.aal === 'aal1';
      endAllBut(model, session, ({ aal }) => !isUnfinished || aal === 'aal1');
    }
    if (scope !== 'others') session.alive = false;
  });

const changePassword = (choice: number, password: string) =>
  command(`change password(${choice})`, async (model, real) => {
    const session = pick(model, choice);
    if (password === model.password) return;
    const { status } = await real.call('PUT', '/user', { password }, session);
    if (!session.alive) expect(status).toBe(403);
    else if (model.factor !== null && session.aal === 'aal1') expect(status).toBe(401);
    else {
      expect(status).toBe(200);
      model.password = password;
      endAllBut(model, session);
    }
  });

const resetPassword = (password: string) =>
  command('reset password', async (model, real) => {
    if (password === model.password) return;
    // The hour's messages to one address are few.
    real.clock.advance(10 * 60_000);
    const { email } = real;
    // Jobs write to the same address, whenever they run.
    const mails = () => withCodes(real.server.delivery.emails).filter(({ to }) => to === email);
    const sent = mails().length;
    expect((await real.call('POST', '/recover', { email })).status).toBe(200);
    await expect.poll(() => mails().length).toBeGreaterThan(sent);
    const response = await real.call('POST', '/verify', {
      type: 'recovery',
      token_hash: ownLinkIn(mails().at(-1) ?? { text: '' }).tokenHash,
    });
    expect(response.status).toBe(200);
    const session = newSession(response);
    model.sessions.push(session);
    const { status } = await real.call('PUT', '/user', { password }, session);
    expect(status).toBe(model.factor === null ? 200 : 401);
    if (model.factor !== null) return;
    model.password = password;
    endAllBut(model, session);
  });

/** The session is raised, and sessions without the second factor end. */
function raise(model: AccountModel, session: SessionModel, now: number): void {
  session.aal = 'aal2';
  session.raisedAt = now;
  endAllBut(model, session, ({ aal }) => aal === 'aal1');
}

async function show(model: AccountModel, real: RealAccount, session: SessionModel): Promise<void> {
  if (model.factor === null) return;
  // A code is good once, so the next one must be of a later step.
  real.clock.advance(60_000);
  const path = `/factors/${model.factor.id}`;
  const challenge = await real.call('POST', `${path}/challenge`, {}, session);
  expect(challenge.status).toBe(session.alive ? 200 : 403);
  if (!session.alive) return;
  const code = model.factor.code();
  const response = await real.call('POST', `${path}/verify`, { challenge_id: challenge.body.id, code }, session);
  expect(response.status).toBe(200);
  raise(model, session, real.clock.now());
  noteTokens(session, response);
}

const setUpFactor = (choice: number) =>
  command(`set up factor(${choice})`, async (model, real) => {
    const session = pick(model, choice);
    const response = await real.call('POST', '/factors', { factor_type: 'totp' }, session);
    if (!session.alive || model.factor !== null) {
      const refused = !session.alive || session.aal === 'aal1';
      expect(response.status).toBe(refused ? 403 : 200);
      // One is enough for the model.
      if (!refused) await real.call('DELETE', `/factors/${response.body.id}`, undefined, session);
      return;
    }
    expect(response.status).toBe(200);
    const totp = new TOTP({ secret: Secret.fromBase32(response.body.totp.secret) });
    const factor = { id: String(response.body.id), code: () => totp.generate({ timestamp: real.clock.now() }) };
    const before = model.factor;
    model.factor = factor;
    try {
      await show(model, real, session);
    } catch (error) {
      model.factor = before;
      throw error;
    }
  });

const showFactor = (choice: number) =>
  command(`show factor(${choice})`, (model, real) => show(model, real, pick(model, choice)));

const removeFactor = (choice: number) =>
  command(`remove factor(${choice})`, async (model, real) => {
    if (model.factor === null) return;
    const session = pick(model, choice);
    const { status } = await real.call('DELETE', `/factors/${model.factor.id}`, undefined, session);
    if (!session.alive) expect(status).toBe(403);
    else if (session.aal === 'aal1') expect(status).toBe(422);
    else {
      expect(status).toBe(200);
      model.factor = null;
      for (const living of livingOf(model)) living.aal = 'aal1';
    }
  });

const wait = (seconds: number) =>
  command(`wait(${seconds} s)`, async (_model, real) => real.clock.advance(seconds * 1000));

const session = fc.nat({ max: SESSION_CHOICES - 1 });
const password = fc.constantFrom('correct horse', 'battery staple', 'another good one');

/** Everything that an owner, or a thief of one of the owner's tokens, may do. */
export const COMMANDS: fc.Arbitrary<Command>[] = [
  fc.constant(signIn),
  fc.constant(signIn),
  fc.tuple(session, fc.nat({ max: 3 })).map(([choice, age]) => refresh(choice, age)),
  session.map((choice) => refresh(choice, 0)),
  fc.tuple(session, fc.constantFrom(0, 11, 4_000)).map(([choice, seconds]) => replay(choice, seconds)),
  fc
    .tuple(session, fc.constantFrom('global' as const, 'local' as const, 'others' as const))
    .map(([choice, scope]) => signOut(choice, scope)),
  fc.tuple(session, password).map(([choice, next]) => changePassword(choice, next)),
  password.map(resetPassword),
  session.map(setUpFactor),
  session.map(showFactor),
  session.map(removeFactor),
  fc.constantFrom(1, 9, 11).map(wait),
];
