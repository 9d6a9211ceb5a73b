import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { frameRangeText } from '../../app/facts/frame-range';
import { lossText, outageText } from '../../app/facts/loss-words';
import type { KnownLoss, TimelineBlock } from '../../app/protocol/timeline';
import { command } from '../engine/connection';
import { useConsole } from '../engine/console-store';
import { Button } from '../shell/button';
import { Choice } from '../shell/choice';
import { Dialog } from '../shell/dialog';
import { closeSheet } from '../shell/open-sheet';
import { texts } from '../texts';
import { besideLoss } from './loss-marks';
import { useTimeline } from './open-timeline';
import { TimelineCanvas } from './timeline-canvas';
import styles from './timeline-sheet.module.css';
import { type Asked, useTimelineBlock } from './use-timeline-block';
import { showing, type TimeRange, within, zoomed } from './view-range';

const words = texts.timeline;

const spans = (['minute', 'run'] as const).map((span) => [span, words.spans[span]] as const);

/** Intervals between the pictures of a stream over time, and its losses. */
export function TimelineSheet() {
  const streamId = useTimeline((view) => view.streamId);
  return streamId === null ? null : <StreamTimeline streamId={streamId} />;
}

function StreamTimeline({ streamId }: { streamId: number }) {
  const [name] = useState(
    () => useConsole.getState().engine?.streams.find(({ id }) => id === streamId)?.name ?? '',
  );
  const [span, setSpan] = useState<Asked['span']>('minute');
  const [range, setRange] = useState<TimeRange | null>(null);
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const { block, isGone } = useTimelineBlock({ streamId, span, range });
  const shownRange = block && (range ?? followed(block, span));

  function zoomTo(asked: TimeRange): void {
    if (block) setRange(within(asked, allOf(block)));
  }
  function zoomBy(factor: number): void {
    if (!shownRange) return;
    zoomTo(zoomed(shownRange, factor, (shownRange.fromMs + shownRange.toMs) / 2));
  }
  function choose(index: number | null): void {
    if (index === null || !block || !shownRange) return;
    setChosenKey(block.lossKeys[index] ?? null);
    const shown = showing(shownRange, block.lossFromMs[index] ?? 0);
    // Keep the range in place while the operator inspects it.
    setRange(within(shown, allOf(block)));
  }
  const beside = (step: 1 | -1): void => choose(block && besideLoss(block, chosenKey, step));
  const actions: Record<string, () => void> = {
    ArrowLeft: () => beside(-1),
    ArrowRight: () => beside(1),
    '+': () => zoomBy(0.5),
    '-': () => zoomBy(2),
    '0': () => setRange(null),
  };
  useKeys(actions);

  return (
    <Dialog title={words.title(name)} isWide onClose={closeSheet}>
      <div className={styles.head}>
        <div className={styles.tools}>
          <Button size="small" keys="-" keyLabel="−" label={words.zoomOut} onPress={() => zoomBy(2)} />
          <Button size="small" keys="+" label={words.zoomIn} onPress={() => zoomBy(0.5)} />
          <Button size="small" keys="0" onPress={() => setRange(null)}>
            {words.all}
          </Button>
          <Button size="small" keys="ArrowLeft" keyLabel="←" onPress={() => beside(-1)}>
            {words.previous}
          </Button>
          <Button size="small" keys="ArrowRight" keyLabel="→" onPress={() => beside(1)}>
            {words.next}
          </Button>
        </div>
        <div className={styles.spans}>
          <Choice
            label={words.span}
            options={spans}
            columns={spans.length}
            value={range === null ? span : null}
            onChange={(chosen) => {
              setSpan(chosen);
              setRange(null);
            }}
          />
        </div>
        <p className={styles.help}>{block && !block.isWhole ? words.together : words.each}</p>
      </div>
      <p className={styles.unit}>{words.interval}</p>
      <Drawing
        label={words.drawing(name)}
        shown={block && shownRange && { block, range: shownRange, chosenKey }}
        onZoom={zoomTo}
        onChoose={choose}
      />
      <div className={styles.said} data-testid="timeline-said">
        {isGone && <p>{words.gone}</p>}
        {block && <Summary block={block} />}
        <ChosenLoss streamId={streamId} lossKey={chosenKey} />
      </div>
    </Dialog>
  );
}

function Summary({ block }: { block: TimelineBlock }) {
  if (block.firstMs === null) return <p>{words.none}</p>;
  return (
    <p>
      {words.losses(block.lossKeys.length, block)}{' '}
      {block.framesUnlisted > 0 && words.unlisted(block.framesUnlisted)}
    </p>
  );
}

/** The event behind a mark: its frames, where, why, and the rows of the picture where they are known. */
function ChosenLoss({ streamId, lossKey }: { streamId: number; lossKey: string | null }) {
  const [known, setKnown] = useState<KnownLoss | null>(null);
  useEffect(() => {
    setKnown(null);
    if (lossKey === null) return;
    let isChosen = true;
    void command({ name: 'explainLoss', streamId, key: lossKey }).then(({ result }) => {
      if (isChosen) setKnown(result ?? null);
    });
    return () => {
      isChosen = false;
    };
  }, [streamId, lossKey]);
  if (!known) return <p className={styles.help}>{words.choose}</p>;
  return (
    <p data-testid="timeline-loss">
      <b>{headOf(known)}.</b> {known.kind === 'frames' ? lossText(known.loss) : outageText(known.outage)}
    </p>
  );
}

function headOf(known: KnownLoss): string {
  return known.kind === 'frames' ? words.frames(frameRangeText(known.loss)) : words.outage;
}

interface DrawingProps {
  label: string;
  shown: Parameters<TimelineCanvas['show']>[0] | null;
  onZoom(range: TimeRange): void;
  onChoose(index: number): void;
}

/** Drawn outside React, whatever changes. */
function Drawing({ label, shown, onZoom, onChoose }: DrawingProps) {
  const element = useRef<HTMLCanvasElement>(null);
  const drawing = useRef<TimelineCanvas | null>(null);
  const newest = useRef({ onZoom, onChoose });
  newest.current = { onZoom, onChoose };
  useLayoutEffect(() => {
    if (!element.current) return;
    const canvas = new TimelineCanvas(element.current, {
      zoom: (range) => newest.current.onZoom(range),
      choose: (index) => newest.current.onChoose(index),
    });
    drawing.current = canvas;
    return () => canvas.close();
  }, []);
  useLayoutEffect(() => {
    if (shown) drawing.current?.show(shown);
  });
  return (
    <canvas ref={element} className={styles.drawing} role="img" aria-label={label} data-testid="timeline" />
  );
}

/** All that is known, to the end of what was asked for. */
function allOf({ firstMs, lastMs, toMs }: TimelineBlock): TimeRange {
  return { fromMs: firstMs ?? toMs, toMs: lastMs ?? toMs };
}

function followed(block: TimelineBlock, span: Asked['span']): TimeRange {
  return span === 'run' ? within(allOf(block), allOf(block)) : { fromMs: block.fromMs, toMs: block.toMs };
}

/** Keys of the sheet. A choice that was reached by the keyboard keeps its arrows. */
function useKeys(actions: Record<string, () => void>): void {
  const newest = useRef(actions);
  newest.current = actions;
  useLayoutEffect(() => {
    let isByPointer = false;
    function onPointerDown(): void {
      isByPointer = true;
    }
    function onKeyDown(event: KeyboardEvent): void {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === 'Tab') isByPointer = false;
      if (event.target instanceof HTMLInputElement && !isByPointer) return;
      const action = newest.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    }
    window.addEventListener('pointerdown', onPointerDown);
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('pointerdown', onPointerDown);
      window.removeEventListener('keydown', onKeyDown);
    };
  }, []);
}
