/** SQL: what a phrase of `message` says beside its words, as `PhraseFields`. */
export const PHRASE_FIELDS = `to_char(message.moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as moment, message.time_zone,
        message.desk, message.amount::float8 as amount, message.currency`;
