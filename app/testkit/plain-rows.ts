import type { Loss as RecordedLoss, Outage as RecordedOutage } from '../facts/loss';
import { lossText, outageText } from '../facts/loss-words';
import type { LostBetweenRows as RecordedLost } from '../facts/lost-between-rows';
import type { Row as RecordedRow, Subject } from '../facts/row';
import type { RunEvent } from '../facts/run';
import type { Loss, LostBetweenRows, Outage, Row, StreamEvent } from './types';

/** What the engine recorded, as the kit gives it to tests. */

export function plainRow({ from, to, verdict, reason, figures, notMeasured }: RecordedRow): Row {
  return { from, to, verdict, reason, figures, notMeasured };
}

/** The same for one stream of a row: what spoils the row, spoils it. */
export function plainStream(row: RecordedRow, stream: Subject): Row {
  const isSpoilt = row.verdict === 'INVALID' || row.subjects.length === 1;
  const { verdict = row.verdict, reason = row.reason } = isSpoilt ? row : stream;
  return { ...plainRow(row), verdict, reason, figures: stream.figures, notMeasured: stream.notMeasured };
}

export function plainLoss(loss: RecordedLoss): Loss {
  const { stage, firstFrame, lastFrame, frames, startedAt, endedAt, causes = [] } = loss;
  return { stage, firstFrame, lastFrame, frames, startedAt, endedAt, causes, text: lossText(loss) };
}

export function plainEvent({ at, kind, text, details = {} }: RunEvent): StreamEvent {
  return { at, kind, text, details };
}

export function plainOutage(outage: RecordedOutage): Outage {
  const { startedAt, endedAt, seconds, framesEstimated } = outage;
  return { startedAt, endedAt, seconds, framesEstimated, text: outageText(outage) };
}

export function plainLost({ stream, from, to, frames, losses, outages }: RecordedLost): LostBetweenRows {
  return { stream, from, to, frames, losses: losses.map(plainLoss), outages: outages.map(plainOutage) };
}
