import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { StreamView } from '../../app/protocol/console';
import type { DisplayFacts, PictureMessage } from '../../app/protocol/display';
import { command, shell } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { newestHere } from '../engine/newest-here';
import { useMouseMoved } from '../shell/mouse-moved';
import { Notice } from '../shell/notice';
import { texts } from '../texts';
import type { DisplayFeed } from './display-feed';
import { DisplayFiguresList } from './display-figures';
import { DisplayMenu } from './display-menu';
import { DisplayPicture, type DrawFault } from './display-picture';
import styles from './display-screen.module.css';
import type { NoFeedback } from './feedback-trial';
import { shownAs } from './shown-as';

const { display } = texts;

interface Props {
  feed: DisplayFeed;
  /** The stream to begin with; null: the newest. */
  streamId: number | null;
}

/** Every picture of one received stream over a whole display. */
export function DisplayScreen({ feed, streamId: wanted }: Props) {
  const [chosen, setChosen] = useState(wanted);
  const [hasFigures, setHasFigures] = useState(true);
  const streams = useConsole(useShallow((view) => view.engine?.streams.map(({ id }) => id) ?? []));
  const displays = useDisplays();
  const isStirred = useMouseMoved();
  const newest = useConsole((view) => newestHere(view.engine?.streams)) ?? streams.slice(-1)[0] ?? null;
  const streamId = chosen !== null && streams.includes(chosen) ? chosen : newest;

  function step(by: number): void {
    const index = streams.indexOf(streamId ?? 0);
    const next = streams[(index + by + streams.length) % streams.length];
    if (next !== undefined) setChosen(next);
  }

  function move(displayId: string | undefined): void {
    if (displayId !== undefined) void shell.moveDisplay(displayId, streamId);
  }

  function moveOn(): void {
    const index = displays.findIndex(({ isShown }) => isShown);
    if (displays.length > 1) move(displays[(index + 1) % displays.length]?.id);
  }

  const close = (): void => void shell.toggleDisplay(null);
  useKeys({
    arrowleft: () => step(-1),
    arrowright: () => step(1),
    m: moveOn,
    f: () => void shell.toggleFullScreen(),
    h: () => setHasFigures((shown) => !shown),
    d: close,
    escape: close,
  });

  const isQuiet = !hasFigures && !isStirred;
  return (
    <main className={styles.screen} data-quiet={isQuiet || undefined} aria-label={display.title}>
      {streamId === null ? (
        <Empty />
      ) : (
        <Viewed key={streamId} feed={feed} streamId={streamId} hasFigures={hasFigures} />
      )}
      {!isQuiet && (
        <DisplayMenu
          streamId={streamId}
          displays={displays}
          onStream={setChosen}
          onDisplay={move}
          hasFigures={hasFigures}
          onFigures={() => setHasFigures((shown) => !shown)}
        />
      )}
    </main>
  );
}

/** Of a stream that another machine receives no pictures come here that would fill a display. */
function Viewed(props: ShownProps) {
  const { streamId } = props;
  const stream = useConsole((view) => view.engine?.streams.find(({ id }) => id === streamId) ?? null);
  const machine = stream?.receivedOn ?? null;
  if (!stream || machine === null) return <Shown {...props} />;
  return <Notice title={stream.name}>{texts.streams.elsewhere.onlySmall(machine)}</Notice>;
}

function Empty() {
  const hasCrashed = useConsole((view) => view.life.state === 'crashed');
  return <Notice title={display.emptyTitle}>{hasCrashed ? display.crashed : display.emptyText}</Notice>;
}

interface ShownProps {
  feed: DisplayFeed;
  streamId: number;
  hasFigures: boolean;
}

function Shown({ feed, streamId, hasFigures }: ShownProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const video = useRef<HTMLVideoElement>(null);
  const [picture, setPicture] = useState<DisplayPicture | null>(null);
  const [shape, setShape] = useState<PictureMessage | null>(null);
  const [lack, setLack] = useState<NoFeedback | null>('probing');
  const [fault, setFault] = useState<DrawFault | null>(null);
  const stream = useConsole((view) => view.engine?.streams.find(({ id }) => id === streamId) ?? null);
  const name = stream?.name ?? texts.streams.label(streamId);

  useEffect(() => {
    if (!canvas.current || !video.current) return;
    const opened = new DisplayPicture({
      ...{ streamId, feed, canvas: canvas.current, video: video.current },
      onShape: setShape,
      onFeedback: setLack,
      onFault: setFault,
      onReport: (report) => void command({ name: 'reportDisplay', report }),
    });
    setPicture(opened);
    return () => opened.close();
  }, [feed, streamId]);

  const shown = shape && shownAs(shape);
  return (
    <>
      <div role="img" aria-label={display.picture(name)}>
        <canvas
          ref={canvas}
          className={styles.picture}
          data-hidden={lack === null || undefined}
          data-testid="display-canvas"
        />
        <video ref={video} className={styles.picture} data-testid="display-video" muted />
      </div>
      {fault ? (
        <Notice title={display.faults[fault]} />
      ) : (
        !shape && <Notice title={display.waiting}>{stateOf(stream)}</Notice>
      )}
      {shown?.isReduced && !hasFigures && (
        <p className={styles.reduced} data-testid="display-reduced">
          {shown.text}
        </p>
      )}
      <section className={styles.figures} hidden={!hasFigures} aria-label={display.figures}>
        <h1 className={styles.title}>{name}</h1>
        {shown && <p data-testid="display-shape">{shown.text}</p>}
        {stream && stream.state !== 'receiving' && <p role="status">{stateOf(stream)}</p>}
        {picture && <DisplayFiguresList picture={picture} />}
        <p className={styles.hint} data-testid="display-feedback">
          {lack === null ? display.feedback.known : display.feedback.unknown(display.feedback.reasons[lack])}
        </p>
        <p className={styles.hint}>{display.keys}</p>
      </section>
    </>
  );
}

function stateOf(stream: StreamView | null): string {
  if (!stream) return '';
  const sentences = [texts.streams.states[stream.state], stream.stateText, stream.remedy];
  return sentences.filter((sentence) => sentence !== '').join('. ');
}

function useDisplays(): DisplayFacts[] {
  const [displays, setDisplays] = useState<DisplayFacts[]>([]);
  useEffect(() => {
    const ask = (): void => void shell.listDisplays().then(setDisplays);
    shell.onDisplaysChanged(ask);
    ask();
  }, []);
  return displays;
}

/** One key for each action; a menu that is open, or has the focus, keeps its own. */
function useKeys(actions: Record<string, () => void>): void {
  const newest = useRef(actions);
  newest.current = actions;
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
      const key = event.key.toLowerCase();
      if (event.target instanceof HTMLSelectElement && key !== 'escape') return;
      const action = newest.current[key];
      if (!action) return;
      event.preventDefault();
      action();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}
