import type { ReceiverReport, RecordsMessage, SenderReport, SourceReport } from '../host';
import { LateCause, MissCause, PictureClass, PictureStatus, SlotState } from '../records';

/** Whether a value is such as a stream host writes into its column. */
type Rule = (value: number) => boolean;
/** Columns of whole numbers without a sign need no rule where each number may stand. */
type Ruled = readonly [field: string, column: ArrayLike<number>, rule: Rule];

const finite: Rule = Number.isFinite;
const notNegative: Rule = (value) => value >= 0 && value < Number.POSITIVE_INFINITY;
const count: Rule = (value) => value >= 0 && Number.isSafeInteger(value);
/** NaN stands for what is not known. */
const orUnknown =
  (rule: Rule): Rule =>
  (value) =>
    Number.isNaN(value) || rule(value);
const oneOf = (names: Readonly<Record<string, number>>): Rule => {
  const known = new Set(Object.values(names));
  return (value) => known.has(value);
};

const slotState = oneOf(SlotState);
const lateCause = oneOf(LateCause);
const missCause = oneOf(MissCause);
const pictureStatus = oneOf(PictureStatus);
const pictureClass = oneOf(PictureClass);

/** A value of a column, and where it is. */
export interface ColumnValue {
  field: string;
  value: number;
}

/** The first value in records that no stream host writes, whatever others send to it; null: there is none. */
export function unlikelyValueIn({
  sources,
  senders,
  receivers,
}: Pick<RecordsMessage, 'sources' | 'senders' | 'receivers'>): ColumnValue | null {
  const within = (list: string, reports: readonly (readonly Ruled[])[]): ColumnValue | null => {
    for (const [index, columns] of reports.entries()) {
      const found = unlikelyOf(columns);
      if (found) return { ...found, field: `${list}.${index}.${found.field}` };
    }
    return null;
  };
  return (
    within('sources', sources.map(sourceColumns)) ??
    within('senders', senders.map(senderColumns)) ??
    within('receivers', receivers.map(receiverColumns))
  );
}

function sourceColumns({ records }: SourceReport): Ruled[] {
  return [
    ['slotNs', records.slotNs, notNegative],
    ['releaseNs', records.releaseNs, notNegative],
    ['state', records.state, slotState],
    ['lateCause', records.lateCause, lateCause],
  ];
}

function senderColumns({ submits, misses }: SenderReport): Ruled[] {
  return [
    ['submits.beginNs', submits.beginNs, notNegative],
    ['submits.previousCallNs', submits.previousCallNs, notNegative],
    ['misses.atNs', misses.atNs, notNegative],
    ['misses.cause', misses.cause, missCause],
  ];
}

function receiverColumns({ captures, audio, time }: ReceiverReport): Ruled[] {
  return [
    ['captures.captureNs', captures.captureNs, notNegative],
    ['captures.status', captures.status, pictureStatus],
    ['captures.pictureClass', captures.pictureClass, pictureClass],
    ['captures.transportDropped', captures.transportDropped, orUnknown(count)],
    ['captures.codeHealth', captures.codeHealth, orUnknown(finite)],
    // What a foreign sender says may be any number.
    ['captures.releaseTimeUs', captures.releaseTimeUs, finite],
    ['captures.timestampUs', captures.timestampUs, orUnknown(finite)],
    ['captures.timecodeUs', captures.timecodeUs, orUnknown(finite)],
    ['audio.captureNs', audio.captureNs, notNegative],
    ['audio.frameNumber', audio.frameNumber, orUnknown(finite)],
    ['audio.burstNs', audio.burstNs, orUnknown(notNegative)],
    ['time.askedUs', time.askedUs, finite],
    ['time.heardUs', time.heardUs, finite],
    ['time.repliedUs', time.repliedUs, finite],
    ['time.answeredUs', time.answeredUs, finite],
  ];
}

function unlikelyOf(columns: readonly Ruled[]): ColumnValue | null {
  for (const [field, column, rule] of columns)
    for (let index = 0; index < column.length; index++) {
      const value = column[index] as number;
      if (!rule(value)) return { field, value };
    }
  return null;
}
