import { decodeJwt } from 'jose';
import { expect } from 'vitest';
import type { TestClock } from '#tests/support/test-clock.ts';
import type { TestDatabase } from '#tests/support/test-database.ts';
import type { TestServer } from '#tests/support/test-server.ts';
import { type AuthResponse, callAuth } from '../support/call-auth.ts';
import { type AccountModel, livingOf, type SessionModel, seesOwnRows } from './account-model.ts';

/** The real account, as a client with curl deals with it. */
export class RealAccount {
  readonly id: string;
  readonly email: string;
  readonly clock: TestClock;
  readonly server: TestServer;
  #database: TestDatabase;

  constructor(options: { id: string; email: string; clock: TestClock; server: TestServer; database: TestDatabase }) {
    this.id = options.id;
    this.email = options.email;
    this.clock = options.clock;
    this.server = options.server;
    this.#database = options.database;
  }

  call(method: string, path: string, body?: unknown, session?: SessionModel): Promise<AuthResponse> {
    const headers = session === undefined ? {} : { Authorization: `Bearer ${session.accessToken}` };
    return callAuth(this.server, method, path, body, headers);
  }

  /** Compares the account with the model: its active sessions, their levels, and what each can read. */
  async expectToBe(model: AccountModel): Promise<void> {
    const rows = await this.#database.query(
      `select session.id, session.aal, count(token.*) filter (where token.revoked_at is null)::int as living
         from auth.sessions as session left join auth.refresh_tokens as token on token.session_id = session.id
         where session.user_id = $1 group by session.id order by session.id`,
      [this.id],
    );
    const expected = livingOf(model).map(({ id, aal }) => ({ id, aal, living: 1 }));
    expect(rows).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)));
    for (const session of model.sessions) {
      await expect
        .poll(() => this.#seesItself(session), { timeout: 5_000, interval: 20 })
        .toBe(seesOwnRows(model, session));
    }
  }

  async #seesItself({ accessToken }: SessionModel): Promise<boolean> {
    const response = await this.server.request('/rest/v1/profiles?select=id', {
      headers: { apikey: this.server.secrets.publishableKey, Authorization: `Bearer ${accessToken}` },
    });
    return response.status === 200 && (await response.text()) !== '[]';
  }
}

/** Records the tokens in a response. A token's level never exceeds its session's. */
export function noteTokens(session: SessionModel, { body }: AuthResponse): void {
  const claims = decodeJwt(body.access_token);
  expect(claims.session_id).toBe(session.id);
  expect(claims.aal).toBe(session.aal);
  session.accessToken = body.access_token;
  session.refreshTokens.push(body.refresh_token);
}

export function newSession({ body }: AuthResponse): SessionModel {
  const claims = decodeJwt(body.access_token);
  expect(claims.aal, 'a new session').toBe('aal1');
  return {
    id: String(claims.session_id),
    aal: 'aal1',
    refreshTokens: [body.refresh_token],
    raisedAt: null,
    accessToken: body.access_token,
    alive: true,
  };
}
