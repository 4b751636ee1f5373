import { Ban, Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import type { ConversationState } from '#app/data/conversation-states.ts';
import { decideAbout } from '#app/data/conversations.ts';
import { useLanguage, useTexts } from '#app/i18n/use-texts.ts';
import { LazyDialog } from '#app/item/lazy-dialog.tsx';
import { Button } from '#app/ui/button.tsx';
import { announce } from '#app/ui/notice/announcer.tsx';
import { dismissToast, showToast } from '#app/ui/notice/toasts.tsx';
import { itemPageWords } from '#words/item-page.ts';
import { SaveStatus, useSave } from '../save-item.tsx';

interface MuteAndBlockProps {
  readonly conversationId: string;
  /** The finder's name on this page. */
  readonly finder: string;
  readonly state: ConversationState;
}

/** Mutes a conversation, and blocks its finder after a confirmation that says what a block can and cannot do. */
export function MuteAndBlock({ conversationId, finder, state }: MuteAndBlockProps) {
  const { common } = useTexts();
  const { threads } = itemPageWords(useLanguage());
  const saving = useSave();
  const [isAsking, setIsAsking] = useState(false);
  const isMuted = state.mutedAt !== null;
  const isBlocked = state.blockedAt !== null;
  const now = () => new Date().toISOString();

  /** Resolves with false where it is not saved. */
  const decide = async (change: Partial<ConversationState>) => {
    if (!(await saving.save((client) => decideAbout(client, conversationId, change)))) return false;
    setIsAsking(false);
    return true;
  };
  const mute = async () => {
    // What muting does is said nowhere else.
    if (await decide({ mutedAt: now() })) showToast('success', threads.mutedToast, { about: conversationId });
  };
  const unmute = async () => {
    if (!(await decide({ mutedAt: null }))) return;
    dismissToast(conversationId);
    announce(threads.unmuted);
  };
  const unblock = async () => {
    if (await decide({ blockedAt: null })) announce(threads.unblocked(finder));
  };
  const block = async () => {
    if (await decide({ blockedAt: now() })) announce(threads.blocked);
  };

  return (
    <>
      <Button variant="quiet" busy={saving.isBusy && !isAsking} onClick={() => void (isMuted ? unmute() : mute())}>
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
      <LazyDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={threads.blockTitle(finder)}
        closeLabel={common.close}
      >
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
      </LazyDialog>
    </>
  );
}
