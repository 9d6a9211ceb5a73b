import { useEffect, useRef } from 'react';
import type { NmosResource, Patch } from '../../app/protocol/nmos';
import { Button } from '../shell/button';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import styles from './connect-strip.module.css';
import { connectAsked, dropAsked } from './nmos-actions';
import { book, useNmos } from './nmos-store';
import { isOtherTransport, nameOf } from './resource-book';

const { nmos } = texts;
const patchMarks = { pending: 'INVALID', accepted: 'INVALID', done: 'PASS', failed: 'FAIL' } as const;

/** Asks before equipment is changed, and says what became of what was asked for last. */
export function ConnectStrip() {
  const asked = useNmos((state) => state.asked);
  const newest = useNmos((state) => state.view?.patches.at(-1) ?? null);
  if (asked) return <Question key={`${asked.receiverId} ${asked.senderId}`} {...asked} />;
  return newest && <Outcome patch={newest} />;
}

function Question({ receiverId, senderId }: { receiverId: string; senderId: string | null }) {
  const strip = useRef<HTMLDivElement>(null);
  // Enter answers what Enter asked; the focus goes back to where it was.
  useEffect(() => {
    const before = document.activeElement;
    strip.current?.querySelector('button')?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  const receiver = book.get('receiver', receiverId);
  if (!receiver) return null;
  const now = receiver.senderId === null ? undefined : book.get('sender', receiver.senderId);
  const sender = senderId === null ? undefined : book.get('sender', senderId);
  const names = [nameOf(receiver), senderName(sender ?? now, senderId ?? receiver.senderId)] as const;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its buttons are what is pressed; Esc is that of Cancel
    <div
      ref={strip}
      className={styles.strip}
      data-testid="nmos-question"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.nativeEvent.stopImmediatePropagation();
        dropAsked();
      }}
    >
      <p className={styles.words} role="alert">
        <b>{senderId === null ? nmos.disconnect(...names) : nmos.connect(...names)}</b> {nmos.changes}{' '}
        {sender && now && now.id !== sender.id && nmos.leaves(nameOf(now))}{' '}
        {sender &&
          isOtherTransport(sender, receiver) &&
          nmos.otherTransport(sender.transport, receiver.transport)}{' '}
        {sender && !sender.isActive && nmos.senderOff}
      </p>
      <Button isPrimary size="small" keys="Enter" keyLabel="↵" onPress={connectAsked}>
        {senderId === null ? nmos.doDisconnect : nmos.doConnect}
      </Button>
      <Button size="small" keys="Escape" keyLabel="Esc" onPress={dropAsked}>
        {nmos.cancel}
      </Button>
    </div>
  );
}

function Outcome({ patch }: { patch: Patch }) {
  // What it is about may change its state, or go.
  useNmos((state) => state.lists);
  const { state, problem } = patch;
  return (
    <div className={styles.strip} data-testid="nmos-outcome" data-state={state}>
      <VerdictMark verdict={patchMarks[state]} word={nmos.patchStates[state]} />
      <p className={styles.words} role="status">
        {outcomeOf(patch)}
        {problem && `: ${[problem.message, problem.remedy].filter(Boolean).join('. ')}`}
      </p>
    </div>
  );
}

function outcomeOf({ names: { receiver, sender }, senderId, state }: Patch): string {
  if (senderId === null || sender === null)
    return state === 'done' ? nmos.disconnected(receiver) : nmos.disconnecting(receiver);
  const words = nmos.connected(receiver, sender);
  const isOff = state === 'done' && book.get('sender', senderId)?.isActive === false;
  return isOff ? `${words}: ${nmos.connectedToOff}` : words;
}

function senderName(sender: NmosResource | undefined, id: string | null): string {
  return sender ? nameOf(sender) : (id ?? nmos.unknown);
}
