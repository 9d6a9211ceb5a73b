import { type ReactNode, useRef, useSyncExternalStore } from 'react';
import type { Progress, StreamView } from '../../app/protocol/console';
import { doingText } from '../../app/protocol/progress-words';
import { history, isInBrowser } from '../engine/connection';
import { readinessOf, useConsole } from '../engine/console-store';
import { useHindrances } from '../engine/hindrances';
import { useIsRamp } from '../engine/ramp';
import { useSettings } from '../engine/source-settings';
import { useSilence } from '../engine/use-silence';
import { placeOf } from '../experiments/run-place';
import { momentText } from '../format';
import { Key } from '../shell/key';
import { NdiLink } from '../shell/sheets';
import { texts } from '../texts';
import { WhiteLineCanvas } from '../white-line/white-line-canvas';
import { FirstSteps } from './first-steps';
import { RampResult } from './ramp-result';
import { StreamViews } from './stream-views';
import styles from './streams-pane.module.css';
import { useRoom } from './use-room';

/** A strip for each stream, or why there is none and what to do. */
export function StreamsPane() {
  const live = useConsole((view) => view.engine?.streams ?? noStreams);
  const ended = useConsole((view) => view.ended);
  const canRemove = useHindrances().removeStream === null;
  const isSilent = useSilence(history);
  const isEnding = useConsole((view) => view.engine?.mode === 'stopping');
  const isEnded = live.length === 0 && ended.length > 0;
  const pane = useRef<HTMLElement>(null);
  const room = useRoom(pane);
  // Those that end are closed one by one: each stays, with its last picture.
  const streams = ended.length > 0 ? ended : live;
  return (
    <section ref={pane} className={styles.pane} aria-label={texts.streams.title}>
      {streams.length === 0 ? (
        <NoStreams />
      ) : (
        <StreamViews
          {...{ streams, canRemove, isEnded, room }}
          isStill={isSilent || isEnded}
          said={saidOf({ streams, isEnding, isEnded, isSilent })}
        />
      )}
    </section>
  );
}

const noStreams: [] = [];

interface Standing {
  streams: readonly StreamView[];
  isEnding: boolean;
  isEnded: boolean;
  isSilent: boolean;
}

/** What is to be known of all of them; empty: they go on. */
function saidOf({ streams, isEnding, isEnded, isSilent }: Standing): string {
  if (isEnding) return `${texts.streams.endingTitle}. ${texts.streams.endingText}`;
  if (isEnded) return texts.streams.ended(newestCount(streams));
  return isSilent ? texts.streams.silent : '';
}

/** Up to when the last of them was counted. */
function newestCount(streams: readonly StreamView[]): string | null {
  const newest = streams
    .map(({ countedTo }) => countedTo ?? '')
    .sort()
    .at(-1);
  return newest ? momentText(newest) : null;
}

function NoStreams() {
  const isRamp = useIsRamp();
  const run = useConsole(({ engine, life }) =>
    engine?.mode === 'idle' && life.state === 'running' ? engine.run : null,
  );
  const session = useConsole((view) => view.engine?.session ?? null);
  const rows = useConsole((view) => view.rows);
  // One that was stopped has no verdict, but says what it found until then.
  if (!isRamp || !run?.reason || rows.length === 0) return <WhyNone />;
  return <RampResult run={run} rows={rows} place={placeOf(run.folder, session).run} />;
}

function WhyNone() {
  const readiness = useConsole(readinessOf);
  const isEnding = useConsole((view) => view.engine?.mode === 'stopping');
  const doing = useConsole(({ engine }) => engine?.progress && noStreamText(engine.progress));
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
  if (isEnding) return <State title={texts.streams.endingTitle}>{texts.streams.endingText}</State>;
  if (doing) return <State title={texts.streams.emptyTitle}>{doing}</State>;
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
  const keys = (
    <>
      {before}
      <Key>A</Key>
      <span className="visually-hidden">A</span>
      {between}
      <Key>{isLive ? 'Esc' : 'Space'}</Key>
      <span className="visually-hidden">{isLive ? 'Escape' : 'Space'}</span>
      {after}
    </>
  );
  if (isLive)
    return (
      <State title={texts.streams.emptyTitle} testId="empty" showsLine>
        {keys}
      </State>
    );
  return (
    <Framed testId="empty" showsLine>
      <FirstSteps keys={keys} />
    </Framed>
  );
}

/** What a run does before its first stream, or without any. */
function noStreamText(progress: Progress): string {
  return progress.phase === 'baseline' ? texts.streams.baselineText : doingText(progress);
}

interface FrameProps {
  children: ReactNode;
  testId?: string;
  showsLine?: boolean;
}

function State({ title, children, ...frame }: FrameProps & { title: string }) {
  return (
    <Framed {...frame}>
      <div>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.text}>{children}</p>
      </div>
    </Framed>
  );
}

function Framed({ children, testId, showsLine }: FrameProps) {
  const isStill = useReducedMotion();
  return (
    <div className={styles.state} data-testid={testId}>
      {showsLine && <WhiteLineCanvas className={styles.line} isStill={isStill} />}
      {children}
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
