import { type ReactNode, useEffect, useRef } from 'react';
import type { StreamView } from '../../app/protocol/console';
import { removeStream } from '../engine/actions';
import { previews } from '../engine/connection';
import { type ElsewherePicture, useElsewherePictures } from '../engine/elsewhere-previews';
import { figure, momentText } from '../format';
import { VerdictMark } from '../shell/verdict-mark';
import { openView } from '../source-view/open-view';
import { texts } from '../texts';
import { TimelineName } from '../timeline/timeline-button';
import { nameParts } from './name-parts';
import { openRename } from './open-rename';
import { shownVerdict } from './shown-verdict';
import styles from './stream-parts.module.css';
import type { StripFigure } from './strip-figures';
import { kindsOf } from './strip-notes';

/** What strips, rows, tiles and pictures of a stream have in common. */

const { streams } = texts;

export interface StreamProps {
  stream: StreamView;
  canRemove: boolean;
  /** It was stopped, and is shown as it was then. */
  isEnded?: boolean;
}

/** Of the element that shows a stream, however it does. */
export function markOf({ id, state, method }: StreamView, isEnded: boolean) {
  return {
    'aria-label': streams.label(id),
    'data-testid': isEnded ? 'ended-strip' : 'stream-strip',
    'data-stream-id': id,
    'data-state': state,
    'data-method': method,
  };
}

export function formatOf({ width, height, framesPerSecond, frameFormat }: StreamView): string {
  return streams.format(width, height, rateFigure(framesPerSecond), frameFormat);
}

/** 60, 59.94: as many digits as the rate needs. */
function rateFigure(framesPerSecond: number): string {
  return figure(framesPerSecond, Number.isInteger(framesPerSecond) ? 0 : 2);
}

/** Up to when it is counted, as the end of a tooltip. */
export function countedIn({ countedTo }: StreamView): string {
  return countedTo === null ? '' : `\n${streams.countedTo(momentText(countedTo))}`;
}

interface NameProps {
  stream: StreamView;
  isShort?: boolean;
  /** It opens the timeline. */
  opens?: boolean;
  /** Beside it. */
  children?: ReactNode;
}

/** Its name and format; `isShort`: on one line, with what is particular about it in a word each. */
export function Name({ stream, isShort = false, opens, children }: NameProps) {
  const { id, name, ndiName } = stream;
  const kinds = isShort ? kindsOf(stream) : [];
  const announced = ndiName === name ? [] : [streams.ndiName(ndiName)];
  const words = isShort ? <ShortName name={name} /> : name;
  return (
    <div className={styles.name} data-part="name" data-short={isShort || undefined}>
      {opens ? (
        <TimelineName streamId={id} help={name} className={styles.title}>
          {words}
        </TimelineName>
      ) : (
        <div className={styles.heading}>
          <b className={styles.title} title={name}>
            {words}
          </b>
          {children}
        </div>
      )}
      {!isShort && <Way stream={stream} />}
      {!isShort && announced.length > 0 && (
        <span className={styles.way} title={ndiName}>
          <span>{announced}</span>
        </span>
      )}
      <span className={styles.format} title={kinds.map(({ lead, text }) => `${lead}: ${text}`).join('\n')}>
        {[...(isShort ? announced : []), formatOf(stream), ...kinds.map(({ lead }) => lead)].join(' · ')}
      </span>
    </div>
  );
}

/** On one line: where it finds no room, its end stays. */
export function ShortName({ name }: { name: string }) {
  const [start, end] = nameParts(name);
  return (
    <>
      <span className={styles.start}>{start}</span>
      <span className={styles.end}>{end}</span>
    </>
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

/** A figure with its heading above; `isLarge`: it can be read from two metres. */
export function Figure({ figure: shown, isLarge }: { figure: StripFigure; isLarge?: boolean }) {
  const { key, heading, unit, help, text, uncertainty, isEstimate, beside } = shown;
  return (
    <div
      className={styles.figure}
      data-key={key}
      data-large={isLarge || undefined}
      data-estimate={isEstimate}
      title={help}
    >
      <dt>
        {heading} {unit}
      </dt>
      <dd>
        <span data-metric={key}>{text}</span>
        {uncertainty && <span className={styles.uncertainty}>{uncertainty}</span>}
        {beside && (
          <span
            className={styles.beside}
            title={beside.help}
            data-figure={beside.key}
            data-loud={beside.isLoud || undefined}
          >
            {beside.text}
          </span>
        )}
      </dd>
    </div>
  );
}

/** Its verdict and one word of its state; `isShort`: the verdict alone, and its state in the place of that word where it says more. */
export function Standing({
  stream,
  isEnded,
  isShort = false,
  children,
}: {
  stream: StreamView;
  isEnded: boolean;
  isShort?: boolean;
  children?: ReactNode;
}) {
  const { state, reason } = stream;
  const verdict = isEnded ? stream.verdict : shownVerdict(stream);
  const word = isEnded ? streams.endedState : streams.states[state];
  const isUsual = isEnded || state === 'receiving';
  return (
    <div className={styles.standing} data-part="standing" data-state={state} title={reason}>
      {verdict && <VerdictMark verdict={verdict} word={isShort && !isUsual ? word : undefined} />}
      {!(isShort && verdict) && (
        <span className={styles.state} data-testid="stream-state">
          {word}
        </span>
      )}
      {children}
    </div>
  );
}

export function Rename({ streamId }: { streamId: number }) {
  const label = texts.actions.renameThis(streamId);
  return (
    <button
      type="button"
      className={styles.rename}
      aria-label={label}
      aria-keyshortcuts="F2"
      title={`${label} (F2)`}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => openRename(streamId)}
    >
      <svg className={styles.pencil} viewBox="0 0 16 16" aria-hidden="true">
        <path d="M2.5 13.5l.8-3.2 7.6-7.6 2.4 2.4-7.6 7.6zM9.3 4.3l2.4 2.4" />
      </svg>
    </button>
  );
}

/** What takes no part in a press by mouse keeps no focus from it. */
export function Remove({ streamId, canRemove }: { streamId: number; canRemove: boolean }) {
  return (
    <button
      type="button"
      className={styles.remove}
      data-part="remove"
      aria-label={texts.actions.removeThis(streamId)}
      disabled={!canRemove}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => removeStream(streamId)}
    >
      ×
    </button>
  );
}

interface PreviewProps {
  stream: StreamView;
  isEnded: boolean;
  /** As wide as a list needs them, without it. */
  mostWidth?: number;
}

/** Drawn by the receiver of the previews, never by React. The picture is the button to its source's view. */
export function Preview({ stream: { id, receivedOn }, isEnded, mostWidth }: PreviewProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isElsewhere = receivedOn !== null;
  const view = isElsewhere ? streams.elsewhere.onlySmall(receivedOn) : texts.actions.viewSourceOf(id);
  useEffect(
    () => (canvas.current ? previews.attach(id, canvas.current, { isElsewhere, mostWidth }) : undefined),
    [id, isElsewhere, mostWidth],
  );
  return (
    <div className={styles.preview} data-part="preview">
      <canvas
        ref={canvas}
        className={styles.picture}
        width={256}
        height={144}
        role="img"
        aria-label={streams.preview(id)}
        data-testid="preview"
      />
      <button
        type="button"
        className={styles.view}
        aria-label={texts.actions.viewSourceOf(id)}
        title={view}
        disabled={isElsewhere || isEnded}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => openView(id)}
      >
        {!isElsewhere && !isEnded && (
          <svg className={styles.viewIcon} viewBox="0 0 16 16" aria-hidden="true">
            <path d="M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4" />
          </svg>
        )}
      </button>
      {isElsewhere && !isEnded && <NoPicture streamId={id} machine={receivedOn} />}
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

export function PictureNote({ streamId, machine, className }: Elsewhere & { className?: string }) {
  const text = streams.elsewhere.picture(machine, useElsewherePicture(streamId));
  return (
    <p className={className} title={text} data-kind="picture" data-testid="stream-picture">
      {text}
    </p>
  );
}
