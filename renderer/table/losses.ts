import type { Loss } from '../../app/facts/loss';
import { outageText } from '../../app/facts/loss-words';
import type { LostBetweenRows } from '../../app/facts/lost-between-rows';
import { knownLostFramesOf } from '../../app/facts/lost-frames';
import type { Row, Subject } from '../../app/facts/row';
import { figureOf, numberOf } from '../../app/facts/row-figures';

/** A loss with the row and the stream that it belongs to. */
export interface StreamLoss extends Loss {
  /** Null: between rows. */
  row: number | null;
  streamId: string;
  name: string;
  /** With one stream in the row, there is no other that could have lost frames too. */
  isOnlyStream: boolean;
}

/** The losses of a row's streams in the order of time; null for rows written before losses were explained. */
export function lossesOf(row: Row): StreamLoss[] | null {
  const { index, subjects } = row;
  if (subjects.some(({ losses }) => losses === undefined)) return null;
  return subjects
    .flatMap(({ id, name, losses = [] }) =>
      losses.map((loss) => ({
        ...loss,
        row: index,
        streamId: id,
        name,
        isOnlyStream: subjects.length === 1,
      })),
    )
    .sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
}

/** Losses that no row has. */
export function lossesBetween(lost: readonly LostBetweenRows[]): StreamLoss[] {
  return lost.flatMap(({ stream: name, streamId, losses }) =>
    losses.map((loss) => ({ ...loss, row: null, streamId, name, isOnlyStream: (loss.streams ?? 1) < 2 })),
  );
}

export interface Explained {
  /** Frames that the row's losses explain. */
  explained: number;
  /** Frames that the row counts as lost at whatever stage; null if that was not measured. */
  counted: number | null;
  /** Why it was not measured. */
  reason?: string;
}

export function explainedOf({ subjects }: Row): Explained {
  const explained = sum(subjects.flatMap(({ losses = [] }) => losses).map(({ frames }) => frames));
  const uncounted = subjects.find((stream) => countedOf(stream) === null);
  if (!uncounted) return { explained, counted: sum(subjects.map((stream) => countedOf(stream) ?? 0)) };
  const figure = figureOf(uncounted, 'method') === 'timestamps' ? 'framesMissing' : 'framesDropped';
  return { explained, counted: null, reason: uncounted.notMeasured[figure] };
}

/** Of frames that have a number: a picture that stands for none is in no loss. */
function countedOf(stream: Subject): number | null {
  const lost = knownLostFramesOf(stream);
  const figure = (id: string): number => numberOf(stream, id) ?? 0;
  return lost === null ? null : figure('framesSenderMissed') + lost - figure('framesUndecodableUnmatched');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * The outages of all streams of a row; empty if there was none. Losses and gaps leave them out, since their frames are
 * an estimate.
 */
export function outagesText({ subjects }: Row): string {
  const texts = subjects.flatMap(({ name, outages = [] }) =>
    outages.map((outage) => `${name}: ${outageText(outage)}`),
  );
  return texts.join('; ');
}
