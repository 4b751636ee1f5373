import { RestError } from '#server/rest/rest-error.ts';

/** The operator has set no key for Web Push. */
export const noWebPush = () => new RestError('PT404', 404, 'This server sends no notifications to browsers');

/** An address that may not be reached, or a key that is none. */
export const pushTargetRefused = () => new RestError('22023', 400, 'This is no address for notifications');

/** The words of the database functions that take an address. */
export const noEmailAddress = () => new RestError('22023', 400, 'This is no email address');

/** An address that gets no mail, by the operator's configuration: there is no mail server, or its domain is denied. */
export const mailNotAccepted = () => new RestError('22023', 400, 'This server sends no email to this address');

/** The console makes links only in place of emails: with a mail server, whoever reads the mailbox gets them. */
export const linksAreMailed = () => new RestError('PT404', 404, 'This server sends its links by email');

/** A URL that this server may not reach. */
export const noticeUrlRefused = () => new RestError('22023', 400, 'This server does not send to this address');

/** A number to which the operator sends no SMS. */
export const numberNotTexted = () => new RestError('PT422', 422, 'This server sends no SMS to this number');
