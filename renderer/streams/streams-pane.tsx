import { type ReactNode, useSyncExternalStore } from 'react';
import { usePossibilities } from '../engine/actions';
import { history, isInBrowser } from '../engine/connection';
import { readinessOf, useConsole } from '../engine/console-store';
import { useSettings } from '../engine/source-settings';
import { useSilence } from '../engine/use-silence';
import { Key } from '../shell/key';
import { NdiLink } from '../shell/sheets';
import { texts } from '../texts';
import { WhiteLineCanvas } from '../white-line/white-line-canvas';
import { StreamStrip } from './stream-strip';
import styles from './streams-pane.module.css';

/** A strip for each stream, or why there is none and what to do. */
export function StreamsPane() {
  const streams = useConsole((view) => view.engine?.streams ?? noStreams);
  const possible = usePossibilities();
  const isSilent = useSilence(history);
  return (
    <section className={styles.pane} aria-label={texts.streams.title}>
      {streams.length === 0 ? (
        <NoStreams />
      ) : (
        <div
          className={styles.strips}
          data-few={streams.length <= 2 || undefined}
          data-silent={isSilent || undefined}
        >
          {isSilent && <p className={styles.silent}>{texts.streams.silent}</p>}
          {streams.map((stream) => (
            <StreamStrip key={stream.id} stream={stream} canRemove={possible.removeStream} />
          ))}
        </div>
      )}
    </section>
  );
}

const noStreams: [] = [];

function NoStreams() {
  const readiness = useConsole(readinessOf);
  const isMeasuring = useConsole((view) => view.engine?.progress != null);
  const adding = useConsole((view) => view.engine?.adding ?? null);
  const isLive = useConsole((view) => view.engine?.mode === 'live');
  const isLiveSource = useSettings(({ kind }) => kind === 'live');
  const ndiRemedy = useConsole(
    (view) =>
      view.engine?.alerts.find(({ code }) => code === 'NDI_MISSING')?.remedy ?? texts.ndi.missingRemedy,
  );
  if (readiness === 'starting' || readiness === 'ndi-loading') {
    return <State title={texts.engine.starting}>{texts.engine.startingText}</State>;
  }
  if (readiness === 'crashed') {
    const title = isInBrowser ? texts.served.lost.title : texts.engine.crashed;
    return (
      <State title={title} testId="crashed">
        {texts.engine.crashedPane}
      </State>
    );
  }
  if (readiness === 'ndi-missing') {
    return (
      <State title={texts.ndi.missingTitle} testId="ndi-missing">
        {texts.ndi.missingText} <b>{ndiRemedy}</b> <NdiLink />
      </State>
    );
  }
  if (adding) {
    return (
      <State title={texts.streams.addingTitle} testId="adding">
        {texts.streams.adding[adding]}
      </State>
    );
  }
  if (isMeasuring) return <State title={texts.streams.emptyTitle}>{texts.streams.baselineText}</State>;
  if (isLiveSource) {
    const [before, after] = texts.liveSources.emptyText;
    return (
      <State title={texts.streams.emptyTitle} testId="empty">
        {before}
        <Key>A</Key>
        <span className="visually-hidden">A</span>
        {after}
      </State>
    );
  }
  const [before, between, after] = isLive ? texts.streams.liveEmptyText : texts.streams.emptyText;
  return (
    <State title={texts.streams.emptyTitle} testId="empty" showsLine>
      {before}
      <Key>A</Key>
      <span className="visually-hidden">A</span>
      {between}
      <Key>{isLive ? 'Esc' : 'Space'}</Key>
      <span className="visually-hidden">{isLive ? 'Escape' : 'Space'}</span>
      {after}
    </State>
  );
}

interface StateProps {
  title: string;
  children: ReactNode;
  testId?: string;
  showsLine?: boolean;
}

function State({ title, children, testId, showsLine }: StateProps) {
  const isStill = useReducedMotion();
  return (
    <div className={styles.state} data-testid={testId}>
      {showsLine && <WhiteLineCanvas className={styles.line} isStill={isStill} />}
      <div>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.text}>{children}</p>
      </div>
    </div>
  );
}

const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

function useReducedMotion(): boolean {
  return useSyncExternalStore(
    (listener) => {
      reducedMotion.addEventListener('change', listener);
      return () => reducedMotion.removeEventListener('change', listener);
    },
    () => reducedMotion.matches,
  );
}
