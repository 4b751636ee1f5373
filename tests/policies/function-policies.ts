import type { FunctionPolicy } from './function-policy.ts';
import { ADDRESS_FUNCTIONS } from './functions/address-functions.ts';
import { CALLER_FUNCTIONS } from './functions/caller-functions.ts';
import { CLAIMING_FUNCTIONS } from './functions/claiming-functions.ts';
import { CONTACT_FUNCTIONS } from './functions/contact-functions.ts';
import { CONVERSATION_FUNCTIONS } from './functions/conversation-functions.ts';
import { FINDER_ADDRESS_FUNCTIONS } from './functions/finder-address-functions.ts';
import { FINDER_FUNCTIONS } from './functions/finder-functions.ts';
import { NOTICE_ADDRESS_FUNCTIONS } from './functions/notice-address-functions.ts';
import { NOTICE_FUNCTIONS } from './functions/notice-functions.ts';
import { OFFER_FUNCTIONS } from './functions/offer-functions.ts';
import { OPERATOR_FUNCTIONS } from './functions/operator-functions.ts';
import { OWN_DATA_FUNCTIONS } from './functions/own-data-functions.ts';
import { PUSH_FUNCTIONS } from './functions/push-functions.ts';
import { REALTIME_FUNCTIONS } from './functions/realtime-functions.ts';
import { REPORT_FUNCTIONS } from './functions/report-functions.ts';
import { SESSION_FUNCTIONS } from './functions/session-functions.ts';
import { STICKER_FUNCTIONS } from './functions/sticker-functions.ts';
import { STORAGE_FUNCTIONS } from './functions/storage-functions.ts';
import { TRIGGER_FUNCTIONS } from './functions/trigger-functions.ts';

/**
 * Who may execute each function, whose rights it uses, and what calling it does. `functions.test.ts` verifies every
 * entry, and fails for a function that is missing here.
 */
export const FUNCTION_POLICIES: Readonly<Record<string, FunctionPolicy>> = {
  ...ADDRESS_FUNCTIONS,
  ...CALLER_FUNCTIONS,
  ...REPORT_FUNCTIONS,
  ...FINDER_ADDRESS_FUNCTIONS,
  ...FINDER_FUNCTIONS,
  ...CONTACT_FUNCTIONS,
  ...CONVERSATION_FUNCTIONS,
  ...CLAIMING_FUNCTIONS,
  ...NOTICE_FUNCTIONS,
  ...OFFER_FUNCTIONS,
  ...OPERATOR_FUNCTIONS,
  ...OWN_DATA_FUNCTIONS,
  ...NOTICE_ADDRESS_FUNCTIONS,
  ...PUSH_FUNCTIONS,
  ...REALTIME_FUNCTIONS,
  ...SESSION_FUNCTIONS,
  ...STICKER_FUNCTIONS,
  ...STORAGE_FUNCTIONS,
  ...TRIGGER_FUNCTIONS,
};
