import { useMemo, useRef } from 'react';
import type { ChosenRegistry, Patch } from '../../app/protocol/nmos';
import { figure } from '../format';
import { useScreenKeys } from '../sessions/screen-keys';
import { texts } from '../texts';
import { ConnectStrip } from './connect-strip';
import styles from './crosspoints.module.css';
import { Matrix } from './matrix';
import { useNmos } from './nmos-store';
import { matching } from './resource-book';

const { nmos } = texts;
const noPatches: readonly Patch[] = [];

/** Receivers by senders: what is connected to what, and the connecting of it. */
export function Crosspoints() {
  const { sender, receiver } = useNmos((state) => state.lists);
  const typedReceivers = useNmos((state) => state.receivers);
  const typedSenders = useNmos((state) => state.senders);
  const patches = useNmos((state) => state.view?.patches ?? noPatches);
  const registry = useNmos((state) => state.view?.chosen?.state ?? null);
  const receivers = useMemo(() => matching(receiver, typedReceivers), [receiver, typedReceivers]);
  const senders = useMemo(() => matching(sender, typedSenders), [sender, typedSenders]);
  const content = useMemo(
    () => ({
      ...{ receivers, senders },
      columnOf: new Map(senders.map(({ id }, column) => [id, column])),
      patches: new Map(patches.map((patch) => [patch.receiverId, patch])),
    }),
    [receivers, senders, patches],
  );
  const first = useRef<HTMLInputElement>(null);
  useScreenKeys({ '/': () => first.current?.select() });
  return (
    <section className={styles.crosspoints} aria-label={nmos.parts.crosspoints}>
      <div className={styles.filters}>
        <label className={styles.filter}>
          <span className={styles.label}>
            {nmos.filterReceivers}: {nmos.shown(figure(receivers.length), figure(receiver.length))}
          </span>
          <input
            ref={first}
            type="search"
            className={styles.input}
            value={typedReceivers}
            placeholder={nmos.filterHint}
            spellCheck={false}
            aria-keyshortcuts="/"
            onChange={({ target }) => useNmos.setState({ receivers: target.value })}
          />
        </label>
        <label className={styles.filter}>
          <span className={styles.label}>
            {nmos.filterSenders}: {nmos.shown(figure(senders.length), figure(sender.length))}
          </span>
          <input
            type="search"
            className={styles.input}
            value={typedSenders}
            placeholder={nmos.filterHint}
            spellCheck={false}
            onChange={({ target }) => useNmos.setState({ senders: target.value })}
          />
        </label>
      </div>
      {receivers.length > 0 && senders.length > 0 ? (
        <Matrix content={content} />
      ) : (
        <div className={styles.empty} data-testid="nmos-empty">
          <EmptyWords registry={registry} receivers={receiver.length} senders={sender.length} />
        </div>
      )}
      <ConnectStrip />
    </section>
  );
}

interface EmptyProps {
  registry: ChosenRegistry['state'] | null;
  receivers: number;
  senders: number;
}

/** Why there is no crosspoint to show. */
function EmptyWords({ registry, receivers, senders }: EmptyProps) {
  const isAny = receivers > 0 && senders > 0;
  const isUnknown = registry !== 'live' && !isAny;
  const title = registry === null ? nmos.chooseFirst : isUnknown ? nmos.states.unread : nmos.noCrosspoint;
  const text =
    registry === null
      ? nmos.chooseFirstText
      : isUnknown
        ? nmos.notRead
        : isAny
          ? nmos.noneMatches
          : nmos.noneHeld(senders, receivers);
  return (
    <>
      <h2 className={styles.emptyTitle}>{title}</h2>
      <p className={styles.label}>{text}</p>
    </>
  );
}
