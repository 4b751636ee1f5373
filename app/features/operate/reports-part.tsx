import { useState } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import { usePublicConfig } from '#app/client/public-config.ts';
import { formatMoment } from '#app/i18n/format-date.ts';
import { Button } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { ActDialog } from './act-dialog.tsx';
import type { OpenReport } from './console-data.ts';
import { callAsOperator } from './operator-calls.ts';
import { useOperateTexts } from './use-operate-texts.ts';

/** The open reports of finders and owners, and what can be done. */
export function ReportsPart({ reports }: { readonly reports: readonly OpenReport[] }) {
  const { reports: texts } = useOperateTexts();
  return (
    <Card>
      {reports.length === 0 && <p>{texts.none}</p>}
      <ul className="flex flex-col divide-y divide-line">
        {reports.map((report) => (
          <ReportLine key={report.id} report={report} />
        ))}
      </ul>
    </Card>
  );
}

type ReportAct = 'close' | 'take_down' | 'put_back';

function ReportLine({ report }: { readonly report: OpenReport }) {
  const { hasMail } = usePublicConfig();
  const texts = useOperateTexts();
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const account = report.reported_by ?? report.owner_then;

  const act = async (what: ReportAct, reason: string | null) => {
    const values = { report_id_param: report.id, act_param: what, reason_param: reason };
    const outcome = await callAsOperator<string>('act_on_report', values);
    if (what === 'take_down' && outcome !== 'done') return texts.reports.notTakenDown;
    await revalidate();
    showToast('success', texts.done, { about: 'operate' });
    return null;
  };
  const actAtOnce = async (what: ReportAct) => {
    setBusy(true);
    await act(what, null).catch(() => showToast('failure', texts.failed, { about: 'operate' }));
    setBusy(false);
  };
  return (
    <li className="flex flex-col gap-2 py-4">
      <div>
        <h2 className="font-medium">{texts.reports.kinds[report.kind]}</h2>
        <p className="text-ink-soft text-sm">
          {texts.reports.about(report.reported_by === null ? 'page' : 'other')} ·{' '}
          {texts.reports.reported({ date: formatMoment(report.created_at), times: report.repeats + 1 })}
        </p>
      </div>
      {report.body !== null && (
        <blockquote dir="auto" className="wrap-anywhere whitespace-pre-line border-line border-s-4 ps-3">
          {report.body}
        </blockquote>
      )}
      <div className="flex flex-wrap gap-2">
        {report.reported_by === null && (
          <>
            <Link
              to={`/item/${report.qr_id}`}
              reloadDocument
              className="inline-flex min-h-12 items-center rounded-md px-3 font-semibold text-primary hover:bg-primary-soft"
            >
              {texts.reports.page}
            </Link>
            {report.taken_down_at === null ? (
              <Button variant="outline" disabled={busy} onClick={() => setAsking(true)}>
                {texts.reports.takeDown}
              </Button>
            ) : (
              <Button variant="outline" busy={busy} onClick={() => void actAtOnce('put_back')}>
                {texts.reports.putBack}
              </Button>
            )}
          </>
        )}
        {account !== null && (
          <Button
            variant="outline"
            onClick={() => void navigate('/operate?see=accounts', { state: { find: account } })}
          >
            {texts.reports.account}
          </Button>
        )}
        <Button variant="outline" busy={busy} onClick={() => void actAtOnce('close')}>
          {texts.reports.close}
        </Button>
      </div>
      {asking && (
        <ActDialog
          title={texts.reports.takeDown}
          text={hasMail ? texts.reports.takeDownText : null}
          asksReason
          isDangerous
          onAct={(reason) => act('take_down', reason)}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  );
}
