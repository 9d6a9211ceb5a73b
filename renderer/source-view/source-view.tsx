import { useEffect, useRef, useState } from 'react';
import type { StreamView } from '../../app/protocol/console';
import { useConsole } from '../engine/console-store';
import { figure } from '../format';
import { Button } from '../shell/button';
import { useMouseMoved } from '../shell/mouse-moved';
import { Notice } from '../shell/notice';
import { texts } from '../texts';
import { closeView, useOpenView } from './open-view';
import type { Shown } from './shown';
import { SourcePicture } from './source-picture';
import styles from './source-view.module.css';

const { sourceView } = texts;

/** The source of one stream over the whole window, when it is asked for. */
export function SourceView() {
  const streamId = useOpenView((view) => view.streamId);
  return streamId === null ? null : <OpenView key={streamId} streamId={streamId} />;
}

function OpenView({ streamId }: { streamId: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const stream = useConsole((view) => view.engine?.streams.find(({ id }) => id === streamId) ?? null);
  // Outlives the stream, so that the view can say what has ended.
  const [name] = useState(stream?.name ?? texts.streams.label(streamId));

  useEffect(() => {
    dialog.current?.showModal();
    // Not its button: Space and Enter are no way out, and nothing is to be ringed.
    dialog.current?.focus();
  }, []);

  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      className={styles.view}
      aria-label={sourceView.title(name)}
      data-testid="source-view"
      onClose={closeView}
      onKeyDown={(event) => {
        if (event.key.toLowerCase() === 'v' && !event.repeat) dialog.current?.close();
      }}
    >
      {stream ? <SourceOf stream={stream} /> : <Ended name={name} />}
      <div className={styles.close}>
        <Button size="small" keys="Escape" keyLabel="Esc" onPress={() => dialog.current?.close()}>
          {texts.actions.close}
        </Button>
      </div>
    </dialog>
  );
}

function Ended({ name }: { name: string }) {
  const hasCrashed = useConsole((view) => view.life.state === 'crashed');
  return (
    <Notice title={sourceView.ended(name)}>
      {hasCrashed ? texts.engine.crashedTitle : sourceView.endedText}
    </Notice>
  );
}

function SourceOf({ stream }: { stream: StreamView }) {
  const { id, name, isSenderRemote, sentFrom } = stream;
  const blocks = useRef<HTMLCanvasElement>(null);
  const preview = useRef<HTMLCanvasElement>(null);
  const figures = useRef<HTMLParagraphElement>(null);
  const streamSize = useRef('');
  const [shown, setShown] = useState<Shown>({ kind: 'waiting' });
  const [hasPicture, setHasPicture] = useState(false);
  const [damage, setDamage] = useState('');
  const isStirred = useMouseMoved();

  useEffect(() => {
    streamSize.current = `${stream.width}×${stream.height}`;
  }, [stream.width, stream.height]);

  useEffect(() => {
    const [blocksCanvas, previewCanvas] = [blocks.current, preview.current];
    if (!blocksCanvas || !previewCanvas) return;
    // What changes with each picture goes past React.
    const report = (text: string): void => {
      if (figures.current) figures.current.textContent = text;
      setHasPicture(true);
    };
    const picture = new SourcePicture({
      streamId: id,
      isSenderRemote,
      sentFrom,
      blocksCanvas,
      previewCanvas,
      onShown: (next) => {
        setShown(next);
        setHasPicture(false);
      },
      onDamage: setDamage,
      onDrawn: ({ frame, frames, width, height }, picturesPerSecond) =>
        report(sourceView.blocksFigures(frame, frames, `${width}×${height}`, figure(picturesPerSecond, 1))),
      onPreview: ({ frameNumber, width, height }) =>
        report(sourceView.previewFigures(figure(frameNumber), streamSize.current, `${width}×${height}`)),
    });
    return () => picture.close();
  }, [id, isSenderRemote, sentFrom]);

  // A picture that is not the source's own is always marked as such.
  const isQuiet = !isStirred && shown.kind === 'blocks' && hasPicture && damage === '' && isFine(stream);
  return (
    <div className={styles.picture} data-shown={shown.kind} data-quiet={isQuiet || undefined}>
      <canvas ref={blocks} className={styles.blocks} role="img" aria-label={sourceView.title(name)} />
      <canvas ref={preview} className={styles.preview} role="img" aria-label={texts.streams.preview(id)} />
      {!hasPicture && <Waiting stream={stream} isNative={shown.kind === 'native'} />}
      <div className={styles.caption} data-testid="source-caption">
        <p className={styles.title}>
          {shown.kind === 'native' ? sourceView.received(name) : sourceView.title(name)}
        </p>
        <p ref={figures} className={styles.figures} data-testid="source-figures" />
        <How shown={shown} />
        {hasPicture && <Trouble stream={stream} />}
        {damage !== '' && (
          <p className={styles.damage} role="alert">
            <b>{sourceView.damaged}</b> {damage}
          </p>
        )}
        <p className={styles.hint}>{sourceView.close}</p>
      </div>
    </div>
  );
}

/** By which way the picture came, and what is in it. */
function How({ shown }: { shown: Shown }) {
  switch (shown.kind) {
    case 'waiting':
      return null;
    case 'blocks':
      return (
        <>
          <p data-testid="source-how">
            {shown.isSoftware ? sourceView.blocksBySoftware : sourceView.blocks} ·{' '}
            {sourceView.formats[shown.format]}
            {shown.hasAlphaBlocks && sourceView.andAlpha}
          </p>
          <p className={styles.hint}>{sourceView.blocksText}</p>
        </>
      );
    case 'native':
      return (
        <>
          <p data-testid="source-how">
            {sourceView.native}: {sourceView.reason(shown.why)}
          </p>
          <p className={styles.hint}>
            {shown.why.reason === 'remote-sender' ? sourceView.receivedText : sourceView.nativeText}
          </p>
        </>
      );
  }
}

/** The last picture stays: it does not say by itself that no other follows. */
function Trouble({ stream }: { stream: StreamView }) {
  if (isFine(stream)) return null;
  return (
    <p className={styles.damage} role="alert" data-testid="source-trouble">
      <b>{stream.stateText}.</b> {stream.remedy}
    </p>
  );
}

function Waiting({ stream, isNative }: { stream: StreamView; isNative: boolean }) {
  if (!isNative) return <Notice title={sourceView.waiting}>{sourceView.waitingText}</Notice>;
  const sentences = isFine(stream) ? [] : [stream.stateText, stream.remedy];
  const cause = sentences.filter((sentence) => sentence !== '').join('. ');
  return <Notice title={sourceView.nothingReceived}>{cause || sourceView.nothingReceivedText}</Notice>;
}

function isFine({ state }: StreamView): boolean {
  return state === 'receiving' || state === 'warming-up';
}
