import { Ban, Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import { type ConversationState, decideAbout } from '#app/data/conversations.ts';
import { useTexts } from '#app/i18n/use-texts.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog/dialog.tsx';
import { showToast } from '#app/ui/notice/toasts.tsx';
import { SaveStatus, useSave } from '../save-item.tsx';

interface MuteAndBlockProps {
  readonly conversationId: string;
  /** The finder's name on this page. */
  readonly finder: string;
  readonly state: ConversationState;
}

/** Mutes a conversation, and blocks its finder after a confirmation that says what a block can and cannot do. */
export function MuteAndBlock({ conversationId, finder, state }: MuteAndBlockProps) {
  const { common, threads } = useTexts();
  const saving = useSave();
  const [isAsking, setIsAsking] = useState(false);
  const isMuted = state.mutedAt !== null;
  const isBlocked = state.blockedAt !== null;
  const now = () => new Date().toISOString();

  const decide = async (change: Partial<ConversationState>, done: string) => {
    if (!(await saving.save((client) => decideAbout(client, conversationId, change)))) return;
    showToast('success', done, { about: conversationId });
    setIsAsking(false);
  };
  const mute = () => decide({ mutedAt: isMuted ? null : now() }, isMuted ? threads.unmutedToast : threads.mutedToast);
  const unblock = () => decide({ blockedAt: null }, threads.unblockedToast(finder));
  const block = () => decide({ blockedAt: now() }, threads.blockedToast(finder));

  return (
    <>
      <Button variant="quiet" busy={saving.isBusy && !isAsking} onClick={() => void mute()}>
        {isMuted ? <Bell className="size-5" aria-hidden="true" /> : <BellOff className="size-5" aria-hidden="true" />}
        {isMuted ? threads.unmute : threads.mute}
      </Button>
      <Button
        variant="quiet"
        busy={saving.isBusy && !isAsking}
        onClick={() => (isBlocked ? void unblock() : setIsAsking(true))}
      >
        <Ban className="size-5" aria-hidden="true" />
        {isBlocked ? threads.unblock : threads.block}
      </Button>
      {!isAsking && (
        <div className="basis-full empty:hidden">
          <SaveStatus state={saving.state} />
        </div>
      )}
      <Dialog open={isAsking} onOpenChange={setIsAsking} title={threads.blockTitle(finder)} closeLabel={common.close}>
        <p className="text-ink-soft">{threads.blockText}</p>
        <p className="text-ink-soft">{threads.blockLimits}</p>
        <SaveStatus state={saving.state} />
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" busy={saving.isBusy} onClick={() => void block()} className="flex-1">
            {threads.block}
          </Button>
          <Button variant="outline" onClick={() => setIsAsking(false)} className="flex-1">
            {threads.dontBlock}
          </Button>
        </div>
      </Dialog>
    </>
  );
}
