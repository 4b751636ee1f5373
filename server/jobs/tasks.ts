import type { Task, TaskList } from 'graphile-worker';
import * as v from 'valibot';
import type { Email, Sms } from '#server/delivery/delivery.ts';
import { AddressRefused } from '#server/delivery/email/smtp-delivery.ts';
import { NoMailServer } from '#server/delivery/email/without-mail.ts';
import { NumberRefused } from '#server/delivery/sms/sms-sender.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { countNotices } from '#server/metrics/count-deliveries.ts';
import { sweepStorage } from '#server/storage/sweep-storage.ts';
import { newSignInPayload, notifyNewSignIn } from './account/notify-new-sign-in.ts';
import { accountMailPayload, sendAccountMail } from './account/send-account-mail.ts';
import { changeNoticePayload, sendChangeNotice } from './account/send-change-notice.ts';
import { sendTestMessage, testMessagePayload } from './account/send-test-message.ts';
import { notifyFinderOfReply, replyNoticePayload } from './finder/notify-finder-of-reply.ts';
import { finderProofPayload, proveFinderAddress } from './finder/prove-finder-address.ts';
import { notifyOperatorOfReport, reportNoticePayload } from './operator/notify-operator-of-report.ts';
import { reportDigestPayload, SEND_REPORT_DIGEST, sendReportDigest } from './operator/report-digest.ts';
import { messageDigestPayload, sendMessageDigest } from './owner/message-digest.ts';
import { messageNoticePayload, notifyOwnerOfMessage } from './owner/notify-owner-of-message.ts';
import { OwnerTurns } from './owner/receivers/owner-turns.ts';
import { noticePayload, sendNotice } from './owner/receivers/send-notice.ts';
import { pushPayload, sendPush } from './owner/receivers/send-push.ts';
import { offerMailPayload, sendOfferMail } from './owner/send-offer-mail.ts';
import { sendVoidMail, voidMailPayload } from './owner/send-void-mail.ts';
import { notifyOfUnseen, unseenNoticePayload } from './owner/unseen/notify-of-unseen.ts';
import { confirmOwnJob } from './queue/own-job.ts';
import { retryForADay } from './queue/retry-for-a-day.ts';
import { contactInvitationPayload, inviteSecondContact } from './second-contact/invite-second-contact.ts';
import { contactNoticePayload, notifySecondContact } from './second-contact/notify-second-contact.ts';
import { contactDigestPayload, sendContactDigest } from './second-contact/send-contact-digest.ts';
import { noteRefusedAddress } from './sending/note-refused-address.ts';
import { GIVE_TYPED_CODES, giveTypedCodes } from './upkeep/give-typed-codes.ts';
import { purgeExpired } from './upkeep/purge-expired.ts';
import { removeFiles } from './upkeep/remove-files.ts';

/** Jobs with workers of their own. */
export interface Share {
  readonly tasks: TaskList;
  /** How many of these jobs one process runs at the same time. */
  readonly workers: number;
  /** Jobs with one of these flags are left to another share. */
  readonly forbiddenFlags?: string[];
  /** When jobs of the share run by themselves (UTC): by any server, and once later where the time was missed. */
  readonly crontab?: string;
}

/** One less than the connections to the mail server, which codes for signing in use, too. */
const EMAILS = 3;
const TEXTS = 2;
const FILES = 2;
/** Of each kind, for known receivers and for any. */
const REQUESTS = 4;

/** Looks whether a backup is due, and writes what ended since the last one. */
const BACK_UP = 'back_up';

/**
 * Returns all jobs, by what they wait for: a mail server, an SMS provider, push services, or an object store that hangs
 * holds up the jobs of its own share alone.
 */
export function sharesOf(dependencies: Dependencies): readonly Share[] {
  const { backups } = dependencies;
  const task = taskWith(dependencies);
  const forADay = (work: Task) => retryForADay(dependencies.database, work);
  const countNotice = countNotices(dependencies.metrics);
  const [pushTurns, noticeTurns] = [new OwnerTurns(), new OwnerTurns()];
  const notifyContact = forADay(task(contactNoticePayload, notifySecondContact));
  const sendDigest = forADay(task(contactDigestPayload, sendContactDigest));
  const inviteContact = task(contactInvitationPayload, inviteSecondContact);
  const notifyUnseen = forADay(task(unseenNoticePayload, notifyOfUnseen));
  const notifySignIn = task(newSignInPayload, notifyNewSignIn);
  const sendChange = task(changeNoticePayload, sendChangeNotice);
  const sendMail = task(accountMailPayload, sendAccountMail);
  const sendTest = task(testMessagePayload, sendTestMessage);
  return [
    {
      workers: EMAILS,
      tasks: {
        notify_owner_of_message: forADay(
          task(messageNoticePayload, (needs, { message_id }) => notifyOwnerOfMessage(needs, message_id)),
        ),
        notify_operator_of_report: task(reportNoticePayload, (needs, { report_id }) =>
          notifyOperatorOfReport(needs, report_id),
        ),
        [SEND_REPORT_DIGEST]: task(reportDigestPayload, sendReportDigest),
        invite_second_contact: inviteContact,
        notify_second_contact: notifyContact,
        send_contact_digest: sendDigest,
        notify_of_unseen: notifyUnseen,
        prove_finder_address: task(finderProofPayload, proveFinderAddress),
        notify_finder_of_reply: task(replyNoticePayload, notifyFinderOfReply),
        send_message_digest: task(messageDigestPayload, sendMessageDigest),
        notify_new_sign_in: notifySignIn,
        send_offer_mail: task(offerMailPayload, sendOfferMail),
        send_void_mail: task(voidMailPayload, sendVoidMail),
        send_account_mail: sendMail,
        send_test_email: sendTest,
        send_change_notice: sendChange,
      },
    },
    {
      workers: TEXTS,
      tasks: {
        invite_second_contact_by_sms: inviteContact,
        notify_second_contact_by_sms: notifyContact,
        send_contact_digest_by_sms: sendDigest,
        notify_of_unseen_by_sms: notifyUnseen,
        send_account_sms: sendMail,
        send_test_sms: sendTest,
        notify_new_sign_in_by_sms: notifySignIn,
        send_change_notice_by_sms: sendChange,
      },
    },
    ...toReceivers((forKnown) => ({
      send_push: task(pushPayload, (needs, push) =>
        sendPush({ ...needs, turns: pushTurns, forKnown, countNotice }, push),
      ),
    })),
    ...toReceivers((forKnown) => ({
      send_notice: task(noticePayload, (needs, notice) =>
        sendNotice({ ...needs, turns: noticeTurns, forKnown, countNotice }, notice),
      ),
    })),
    {
      workers: FILES,
      tasks: {
        remove_files: (payload) => removeFiles(dependencies, payload),
        sweep_storage: () => sweepStorage(dependencies),
      },
      crontab: '17 * * * * sweep_storage ?fill=1h&jobKey=sweep_storage',
    },
    {
      workers: 1,
      tasks: {
        purge_expired: () => purgeExpired(dependencies),
        [GIVE_TYPED_CODES]: () => giveTypedCodes(dependencies),
      },
      crontab: '23 3 * * * purge_expired ?fill=12h&jobKey=purge_expired',
    },
    {
      workers: 1,
      tasks: {
        [BACK_UP]: async (_payload, { abortSignal }) => backups?.run(abortSignal),
      },
      // One that is at work goes on, and the next waits for it: no two servers make one.
      ...(backups !== null && { crontab: `*/5 * * * * ${BACK_UP} ?fill=5m&queue=${BACK_UP}&jobKey=${BACK_UP}` }),
    },
  ];
}

/** Receivers that are slow on purpose, or fail, cannot take the workers of those that are known. */
function toReceivers(tasks: (forKnown: boolean) => TaskList): readonly Share[] {
  return [
    { workers: REQUESTS, tasks: tasks(true), forbiddenFlags: ['unproved'] },
    { workers: REQUESTS, tasks: tasks(false) },
  ];
}

/** What a job has: its delivery sends nothing once another server has taken over the job. */
type JobNeeds = Dependencies & { readonly confirmJob: () => Promise<void> };

/** Drops and logs a job whose payload is malformed, because it can never succeed. */
function taskWith(dependencies: Dependencies) {
  return <Payload extends v.GenericSchema>(
    payload: Payload,
    work: (needs: JobNeeds, job: v.InferOutput<Payload>) => Promise<void>,
  ): Task =>
    async (given, { job }) => {
      const parsed = v.safeParse(payload, given);
      if (!parsed.success) {
        dependencies.log.error({ task: job.task_identifier }, 'A job with a malformed payload was dropped.');
        return;
      }
      const { delivery } = dependencies;
      const confirmJob = () => confirmOwnJob(dependencies.database, job);
      const needs = {
        ...dependencies,
        confirmJob,
        delivery: {
          ...delivery,
          async sendEmail(email: Email) {
            await confirmJob();
            await sendNoted(dependencies, email);
          },
          sendSms: (sms: Sms) => confirmJob().then(() => delivery.sendSms(sms)),
        },
      };
      try {
        await work(needs, parsed.output);
      } catch (error) {
        if (error instanceof NoMailServer) return;
        if (!(error instanceof AddressRefused || error instanceof NumberRefused)) throw error;
        const { message: reason } = error;
        dependencies.log.info(
          { task: job.task_identifier, reason },
          'The recipient was refused for good; the job is over.',
        );
      }
    };
}

/** Sends an email, and notes whether the address takes any. */
async function sendNoted({ delivery, database }: Dependencies, email: Email): Promise<void> {
  try {
    await delivery.sendEmail(email);
  } catch (error) {
    if (error instanceof AddressRefused) await noteRefusedAddress(database, email.to, { isRefused: true });
    throw error;
  }
  // It was sent: a failure here must not send it again.
  await noteRefusedAddress(database, email.to, { isRefused: false }).catch(() => undefined);
}
