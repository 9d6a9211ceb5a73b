import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { Verdict } from '../../app/facts/verdict';
import type { EngineState } from '../../app/protocol/console';
import { useConsole } from '../engine/console-store';
import { Button } from '../shell/button';
import { Dialog } from '../shell/dialog';
import { VerdictMark } from '../shell/verdict-mark';
import { texts } from '../texts';
import { type TileFacts, tileFacts, worstRow } from './tile-facts';
import styles from './verdict-tile.module.css';

interface Props {
  /** Null: there is none whose verdict belongs here. */
  run: EngineState['run'];
}

/** How the newest run does, and its verdict, to be read from a distance; only a change of that is spoken. */
export function VerdictTile({ run }: Props) {
  const isIdle = useConsole((view) => (view.engine?.mode ?? 'idle') === 'idle');
  // A live run measures nothing but its streams.
  const hasSubject = useConsole(({ engine }) => engine?.mode !== 'live' || engine.streams.length > 0);
  const hasCrashed = useConsole((view) => view.life.state === 'crashed');
  const verdict = run?.verdict ?? null;
  const meaning = run && verdict ? texts.verdict.wordsOf(run.experiment)[verdict] : '';
  const isMeasuring = run !== null && verdict === null && !isIdle && hasSubject;
  const noneText = hasCrashed ? texts.verdict.crashedText : texts.verdict.noneText;
  return (
    <section
      className={styles.tile}
      aria-label={texts.verdict.title}
      data-testid="verdict-tile"
      data-verdict={verdict ?? undefined}
    >
      {isMeasuring ? (
        <Measuring />
      ) : (
        <>
          {verdict ? (
            <Span lead={texts.verdict.whole} testId="tile-whole">
              <VerdictMark verdict={verdict} size="large" />
              <WorstRow whole={verdict} />
            </Span>
          ) : (
            <p className={styles.none}>{texts.verdict.none}</p>
          )}
          <Reason text={run?.reason || meaning || (isIdle ? noneText : '')} />
        </>
      )}
      <p className="visually-hidden" role="status">
        {verdict && texts.verdict.announced(verdict, meaning)}
      </p>
    </section>
  );
}

function Measuring() {
  const measured = useConsole(
    useShallow(({ engine, rows, provisional }) => ({
      streams: engine?.streams ?? none,
      rows,
      provisional,
      progress: engine?.progress ?? null,
      cleanMs: engine?.mode === 'live' ? (engine.cleanTime?.nowMs ?? null) : null,
    })),
  );
  return <RunningTile facts={tileFacts(measured)} />;
}

const none: [] = [];

export function RunningTile({ facts: { now, soFar, reason, step, left } }: { facts: TileFacts }) {
  return (
    <>
      {now && (
        <Span lead={texts.verdict.now} testId="tile-now">
          <span className={styles.state} data-trouble={now.isTrouble || undefined}>
            {now.text}
          </span>
        </Span>
      )}
      {soFar ? (
        <Span lead={texts.verdict.soFar} testId="tile-so-far">
          <VerdictMark verdict={soFar.verdict} size="large" />
          <span className={styles.of}>{soFar.of}</span>
        </Span>
      ) : (
        <p className={styles.none}>{texts.verdict.measuring}</p>
      )}
      {(step !== null || left !== null) && (
        <p className={styles.step} data-testid="tile-step">
          <b>{step}</b> <span>{left}</span>
        </p>
      )}
      <Reason text={reason} />
    </>
  );
}

/** What is said of one time, under the name of that time. */
function Span({ lead, testId, children }: { lead: string; testId: string; children: ReactNode }) {
  return (
    <div className={styles.span} data-testid={testId}>
      <h2 className={styles.lead}>{lead}</h2>
      <p className={styles.said}>{children}</p>
    </div>
  );
}

/** Its verdict stands with it where it is not that of the whole run. */
function WorstRow({ whole }: { whole: Verdict }) {
  const rows = useConsole((view) => view.rows);
  const worst = worstRow(rows);
  // One row has the verdict of the run, and its sentence says why.
  if (!worst || worst.verdict === 'PASS' || rows.length === 1) return null;
  return (
    <span className={styles.of} data-testid="tile-worst">
      {texts.verdict.worst} {worst.verdict !== whole && <VerdictMark verdict={worst.verdict} />} {worst.of}
    </span>
  );
}

/** As much as there is room for; all of it is one click away. */
function Reason({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [lines, setLines] = useState<{ fit: number; isCut: boolean }>({ fit: leastLines, isCut: false });
  const [isOpen, setIsOpen] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may be cut where this one was not
  useLayoutEffect(() => {
    const element = box.current;
    const words = element?.firstElementChild;
    if (!element || !words) return;
    const measure = (): void => {
      const line = Number.parseFloat(getComputedStyle(words).lineHeight);
      const fit = Math.max(leastLines, Math.floor(element.clientHeight / line));
      const isCut = words.scrollHeight > fit * line + 1;
      setLines((before) => (before.fit === fit && before.isCut === isCut ? before : { fit, isCut }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [text]);
  if (text === '') return null;
  return (
    <div className={styles.why}>
      <div className={styles.room} ref={box}>
        <p
          className={styles.reason}
          style={{ WebkitLineClamp: lines.fit }}
          title={lines.isCut ? text : undefined}
        >
          {text}
        </p>
      </div>
      {lines.isCut && (
        <div className={styles.more}>
          <Button size="small" onPress={() => setIsOpen(true)}>
            {texts.verdict.more}
          </Button>
        </div>
      )}
      {isOpen && (
        <Dialog title={texts.verdict.title} onClose={() => setIsOpen(false)}>
          <p>{text}</p>
        </Dialog>
      )}
    </div>
  );
}

const leastLines = 1;
