import * as v from 'valibot';
import { type AllowedTargets, parseAllowedTarget } from '#server/delivery/outbound/allowed-targets.ts';
import { commaSeparated } from './values.ts';

const MUST_BE =
  'must be hosts such as ntfy.lan:8443 or http://ntfy.lan:8080 and networks such as 10.0.0.0/8, comma separated, each written in its usual form, without a path, a name or a wildcard';

/** `OUTBOUND_ALLOWED`. */
export const outboundAllowed = v.optional(
  v.pipe(
    commaSeparated,
    v.check((entries) => entries.every((entry) => parseAllowedTarget(entry) !== null), MUST_BE),
    v.transform((entries): AllowedTargets => {
      const targets = entries.map(parseAllowedTarget).filter((target) => target !== null);
      return {
        hosts: targets.filter((target) => 'hostname' in target),
        networks: targets.filter((target) => 'addresses' in target),
      };
    }),
  ),
  '',
);
