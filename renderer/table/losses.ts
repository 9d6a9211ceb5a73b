import type { Loss, Row, StreamRow } from '../../app/protocol/row';

/** A loss with the row and the stream that it belongs to. */
export interface StreamLoss extends Loss {
  row: number;
  streamId: number;
  name: string;
  /** With one stream in the row, there is no other that could have lost frames too. */
  isOnlyStream: boolean;
}

/** The losses of a row's streams in the order of time; null for rows written before losses were explained. */
export function lossesOf(row: Row): StreamLoss[] | null {
  if (row.perStream.some((stream) => recorded(stream) === null)) return null;
  return row.perStream
    .flatMap((stream) =>
      (recorded(stream) ?? []).map((loss) => ({
        ...loss,
        row: row.row,
        streamId: stream.streamId,
        name: stream.name,
        isOnlyStream: row.perStream.length === 1,
      })),
    )
    .sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt));
}

/** A run of an older version has no losses: the schema is not asked when it is read back. */
function recorded({ losses }: { losses?: Loss[] }): Loss[] | null {
  return losses ?? null;
}

export interface Explained {
  /** Frames that the row's losses explain. */
  explained: number;
  /** Frames that the row counts as lost at whatever stage; null where that was not measured. */
  counted: number | null;
  /** Why it was not measured. */
  reason?: string;
}

export function explainedOf({ perStream }: Row): Explained {
  const explained = sum(perStream.flatMap((stream) => recorded(stream) ?? []).map(({ frames }) => frames));
  const uncounted = perStream.find((stream) => lostFramesOf(stream) === null);
  if (!uncounted) return { explained, counted: sum(perStream.map((stream) => lostFramesOf(stream) ?? 0)) };
  const figure = uncounted.method === 'timestamps' ? 'framesMissing' : 'framesDropped';
  return { explained, counted: null, reason: uncounted.notMeasured[figure] };
}

function lostFramesOf(stream: StreamRow): number | null {
  const { framesSenderMissed, framesDropped, framesMissing } = stream;
  const { framesUndecodable, framesTorn, framesDamaged } = stream;
  if (framesDropped === null && framesMissing === null) return null;
  const arrived = [framesUndecodable, framesTorn, framesDamaged];
  return sum([framesSenderMissed, framesDropped, framesMissing, ...arrived].map((frames) => frames ?? 0));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * The outages of all streams of a row; empty where there was none. Losses and gaps leave them out, since their frames are
 * an estimate.
 */
export function outageText({ perStream }: Row): string {
  const texts = perStream.flatMap(({ name, outages = [] }) => outages.map(({ text }) => `${name}: ${text}`));
  return texts.join('; ');
}
