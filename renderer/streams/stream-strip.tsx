import { useEffect, useRef } from 'react';
import type { StreamView } from '../../app/protocol/console';
import { metricOf } from '../../app/protocol/metrics/registry';
import { removeStream } from '../engine/actions';
import { previews } from '../engine/connection';
import { figure } from '../format';
import { VerdictMark } from '../shell/verdict-mark';
import { openView } from '../source-view/open-view';
import { texts } from '../texts';
import styles from './stream-strip.module.css';

interface StripFigure {
  key:
    | 'lostNow'
    | 'lostTotal'
    | 'deliveredFps'
    | 'latencyP50Ms'
    | 'latencyP99Ms'
    | 'longestGapMs'
    | 'codeHealthMin'
    | 'connectMs'
    | 'bitrateMbps';
  heading: string;
  help: string;
  unit: string;
  digits: number;
}

function ofMetric(key: StripFigure['key'], metricId: string): StripFigure {
  const { heading, description, unit, digits } = metricOf(metricId);
  return { key, heading, help: description, unit, digits };
}

const { streams } = texts;
const figures: readonly StripFigure[] = [
  { key: 'lostNow', heading: streams.lostNow, help: streams.lostNowHelp, unit: '', digits: 0 },
  { key: 'lostTotal', heading: streams.lostTotal, help: streams.lostTotalHelp, unit: '', digits: 0 },
  {
    key: 'deliveredFps',
    heading: streams.deliveredFps,
    help: streams.deliveredFpsHelp,
    unit: streams.framesPerSecond,
    digits: 1,
  },
  ofMetric('latencyP50Ms', 'latencyMs.p50'),
  ofMetric('latencyP99Ms', 'latencyMs.p99'),
  ofMetric('longestGapMs', 'longestGapMs'),
];

const furtherFigures: readonly StripFigure[] = [
  ofMetric('codeHealthMin', 'codeHealthMin'),
  ofMetric('connectMs', 'connectMs'),
  ofMetric('bitrateMbps', 'bitrateMbps'),
];

/** Counts of the second line, named as in the rows. */
const counts = [
  'framesSubmitted',
  'framesReceived',
  'framesDropped',
  'framesUndecodable',
  'framesSenderMissed',
  'framesLateSource',
] as const satisfies readonly (keyof StreamView)[];

/** Counts that appear once there is something to count. */
const rareCounts = [
  'framesLateSourceDisk',
  'framesLateSourceDecode',
  'framesLateSourceDamaged',
  'framesDuplicated',
  'framesReordered',
  'framesTorn',
  'framesDamaged',
] as const satisfies readonly (keyof StreamView)[];

interface Props {
  stream: StreamView;
  canRemove: boolean;
}

export function StreamStrip({ stream, canRemove }: Props) {
  const { id, name, state, verdict } = stream;
  return (
    <article
      className={styles.strip}
      aria-label={streams.label(id)}
      data-testid="stream-strip"
      data-stream-id={id}
      data-state={state}
    >
      <Preview streamId={id} />
      <div className={styles.name}>
        <b className={styles.title}>{name}</b>
        <span className={styles.format}>
          {streams.format(stream.width, stream.height, rateFigure(stream.framesPerSecond))}
        </span>
      </div>
      <dl className={styles.figures}>
        {figures.map(({ key, heading, help, unit, digits }) => (
          <div
            key={key}
            className={styles.figure}
            data-key={key}
            title={stream[key] === null ? streams.notYet : help}
          >
            <dt>
              {heading} {unit}
            </dt>
            <dd data-metric={key}>{figure(stream[key], digits)}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.verdict} title={stream.reason}>
        {verdict && <VerdictMark verdict={verdict} />}
        <span className={styles.state} data-testid="stream-state">
          {streams.states[state]}
        </span>
      </div>
      <button
        type="button"
        className={styles.remove}
        aria-label={texts.actions.removeThis(id)}
        disabled={!canRemove}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => removeStream(id)}
      >
        ×
      </button>
      {state !== 'receiving' && (
        <p className={styles.cause} data-testid="stream-cause">
          <b>{stream.stateText}</b> {stream.remedy}
        </p>
      )}
      <dl className={styles.counts}>
        {[...counts, ...rareCounts.filter((key) => stream[key] > 0)].map((key) => {
          const { heading, description } = metricOf(key);
          return (
            <div key={key} className={styles.count} title={description}>
              <dt>{heading}</dt>
              <dd data-metric={key}>{figure(stream[key])}</dd>
            </div>
          );
        })}
        {furtherFigures.map(({ key, heading, help, unit, digits }) => (
          <div key={key} className={styles.count} title={stream[key] === null ? streams.notYet : help}>
            <dt>{heading}</dt>
            <dd>
              <span data-metric={key}>{figure(stream[key], digits)}</span> {stream[key] !== null && unit}
            </dd>
          </div>
        ))}
      </dl>
    </article>
  );
}

/** Drawn by whoever receives the previews, never by React. The picture is the button to its source's view. */
function Preview({ streamId }: { streamId: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => (canvas.current ? previews.attach(streamId, canvas.current) : undefined), [streamId]);
  return (
    <div className={styles.preview}>
      <canvas
        ref={canvas}
        className={styles.picture}
        width={256}
        height={144}
        role="img"
        aria-label={streams.preview(streamId)}
        data-testid="preview"
      />
      <button
        type="button"
        className={styles.view}
        aria-label={texts.actions.viewSourceOf(streamId)}
        title={texts.actions.viewSourceOf(streamId)}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => openView(streamId)}
      >
        <svg className={styles.viewIcon} viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" />
        </svg>
      </button>
    </div>
  );
}

/** 60, 59.94: as many digits as the rate needs. */
function rateFigure(framesPerSecond: number): string {
  return figure(framesPerSecond, Number.isInteger(framesPerSecond) ? 0 : 2);
}
