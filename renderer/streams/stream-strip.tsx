import { useEffect, useRef } from 'react';
import type { StreamView } from '../../app/protocol/console';
import { removeStream } from '../engine/actions';
import { previews } from '../engine/connection';
import { type ElsewherePicture, useElsewherePictures } from '../engine/elsewhere-previews';
import { figure, momentText } from '../format';
import { VerdictMark } from '../shell/verdict-mark';
import { openView } from '../source-view/open-view';
import { texts } from '../texts';
import { TimelineButton } from '../timeline/timeline-button';
import styles from './stream-strip.module.css';
import { figuresOf, notesOf, smallFiguresOf } from './strip-figures';

const { streams } = texts;

interface Props {
  stream: StreamView;
  canRemove: boolean;
  /** It was stopped, and is shown as it was then. */
  isEnded?: boolean;
}

export function StreamStrip({ stream, canRemove, isEnded = false }: Props) {
  const { id, name, state, verdict, method, countedTo } = stream;
  const counted = countedTo === null ? '' : `\n${streams.countedTo(momentText(countedTo))}`;
  return (
    <article
      className={styles.strip}
      aria-label={streams.label(id)}
      data-testid={isEnded ? 'ended-strip' : 'stream-strip'}
      data-stream-id={id}
      data-state={state}
      data-method={method}
    >
      <Preview streamId={id} receivedOn={stream.receivedOn} isEnded={isEnded} />
      <div className={styles.name}>
        <b className={styles.title} title={name}>
          {name}
        </b>
        <Way stream={stream} />
        {isOfOthers(stream) && stream.connectMs !== null && (
          <span className={styles.format} title={streams.followedHelp[method]} data-testid="stream-method">
            {streams.followed[method]}
          </span>
        )}
        <span className={styles.format}>
          {streams.format(stream.width, stream.height, rateFigure(stream.framesPerSecond))}
        </span>
      </div>
      <dl className={styles.figures}>
        {figuresOf(stream).map(({ key, heading, unit, help, text, uncertainty, isEstimate }) => (
          <div key={key} className={styles.figure} data-key={key} data-estimate={isEstimate} title={help}>
            <dt>
              {heading} {unit}
            </dt>
            <dd>
              <span data-metric={key}>{text}</span>
              {uncertainty && <span className={styles.uncertainty}>{uncertainty}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.verdict} title={stream.reason}>
        {verdict && <VerdictMark verdict={verdict} />}
        <span className={styles.state} data-testid="stream-state">
          {isEnded ? streams.endedState : streams.states[state]}
        </span>
        {!isEnded && <TimelineButton streamId={id} />}
      </div>
      {!isEnded && (
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
      )}
      <dl className={styles.counts}>
        {smallFiguresOf(stream).map(({ key, heading, unit, help, text }) => (
          <div key={key} className={styles.count} title={`${help}${counted}`}>
            <dt>{heading}</dt>
            <dd>
              <span data-metric={key}>{text}</span> {unit}
            </dd>
          </div>
        ))}
      </dl>
      <div className={styles.notes}>
        {stream.receivedOn !== null && !isEnded && <PictureNote streamId={id} machine={stream.receivedOn} />}
        {notesOf(stream, isEnded).map(({ kind, lead, text }) => (
          <p
            key={kind}
            className={styles.note}
            title={`${lead} ${text}`}
            data-kind={kind}
            data-testid={`stream-${kind}`}
          >
            <b>{lead}</b> {text}
          </p>
        ))}
      </div>
    </article>
  );
}

/** The machines of its two ends, as far as they are not this one; what finds no room is in the title. */
function Way({ stream: { sentFrom, receivedOn } }: { stream: StreamView }) {
  if (sentFrom === null && receivedOn === null) return null;
  const { from, to, way } = texts.source.places;
  return (
    <span className={styles.way} title={way(sentFrom, receivedOn)} data-testid="stream-way">
      {sentFrom !== null && <span>{from(sentFrom)}</span>}
      {receivedOn !== null && <span>{to(receivedOn)}</span>}
    </span>
  );
}

/** A sender that this console started, there or here, is its own. */
function isOfOthers({ isSenderRemote, sentFrom, receivedOn }: StreamView): boolean {
  return isSenderRemote && sentFrom === null && receivedOn === null;
}

interface PreviewProps {
  streamId: number;
  receivedOn: string | null;
  isEnded: boolean;
}

/** Drawn by the receiver of the previews, never by React. The picture is the button to its source's view. */
function Preview({ streamId, receivedOn, isEnded }: PreviewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isElsewhere = receivedOn !== null;
  const view = isElsewhere ? streams.elsewhere.onlySmall(receivedOn) : texts.actions.viewSourceOf(streamId);
  useEffect(
    () => (canvas.current ? previews.attach(streamId, canvas.current, { isElsewhere }) : undefined),
    [streamId, isElsewhere],
  );
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
        title={view}
        disabled={isElsewhere || isEnded}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => openView(streamId)}
      >
        {!isElsewhere && !isEnded && (
          <svg className={styles.viewIcon} viewBox="0 0 16 16" aria-hidden="true">
            <path d="M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" />
          </svg>
        )}
      </button>
      {isElsewhere && !isEnded && <NoPicture streamId={streamId} machine={receivedOn} />}
    </div>
  );
}

interface Elsewhere {
  streamId: number;
  machine: string;
}

const notAsked: ElsewherePicture = { state: 'open', hasPicture: false };

function useElsewherePicture(streamId: number): ElsewherePicture {
  return useElsewherePictures(({ [streamId]: picture }) => picture ?? notAsked);
}

/** Words in the place of a picture, or over the last one of a machine that is gone. */
function NoPicture({ streamId, machine }: Elsewhere) {
  const picture = useElsewherePicture(streamId);
  if (picture.hasPicture && picture.state !== 'gone') return null;
  return (
    <p className={styles.noPicture} data-testid="no-picture">
      {streams.elsewhere.picture(machine, picture)}
    </p>
  );
}

function PictureNote({ streamId, machine }: Elsewhere) {
  const text = streams.elsewhere.picture(machine, useElsewherePicture(streamId));
  return (
    <p className={styles.note} title={text} data-kind="picture" data-testid="stream-picture">
      {text}
    </p>
  );
}

/** 60, 59.94: as many digits as the rate needs. */
function rateFigure(framesPerSecond: number): string {
  return figure(framesPerSecond, Number.isInteger(framesPerSecond) ? 0 : 2);
}
