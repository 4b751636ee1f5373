/** An account, as operators find it: without a name or a contact detail. Times are ISO 8601. */
export interface FoundAccount {
  readonly id: string;
  readonly created_at: string;
  readonly last_sign_in_at: string | null;
  readonly confirmed_at: string | null;
  readonly disabled_until: string | null;
  readonly is_operator: boolean;
  readonly has_email: boolean;
  readonly has_phone: boolean;
  readonly second_factors: number;
  readonly email_refused_at: string | null;
  readonly sessions: number;
  readonly items: number;
  readonly stickers: number;
  readonly conversations: number;
}

export interface ContactDetails {
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}
