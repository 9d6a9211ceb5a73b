import type { ReceiverReport, RecordsMessage, SenderReport, SourceReport } from './host';
import type {
  AudioRecords,
  CaptureRecords,
  ClockRecords,
  MissRecords,
  SourceRecords,
  SubmitRecords,
} from './records';

/**
 * A host's records on their way to the engine, with all columns in one block of memory. A message of 16 streams holds some
 * 400 columns of a few numbers each: to serialize them one by one takes longer than to count with them.
 */

type Column = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

interface ColumnType<C extends Column = Column> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): C;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): C;
}

type ColumnName<Records> = Exclude<keyof Records, 'overflowed'> & string;

/** Where the records of one ring are in the block. */
export interface RingSlice {
  atByte: number;
  length: number;
  overflowed: number;
}

/** Each ring's columns begin here or at a multiple of it, the widest first, so that all entries are aligned. */
const widestBytes = Float64Array.BYTES_PER_ELEMENT;

/** The columns of one kind of records. */
class Layout<Records extends Record<ColumnName<Records>, Column> & { overflowed: number }> {
  private readonly columns: readonly (readonly [name: ColumnName<Records>, type: ColumnType])[];
  private readonly widest: ColumnName<Records>;

  constructor(types: { readonly [Name in ColumnName<Records>]: ColumnType<Records[Name]> }) {
    const names = Object.keys(types) as ColumnName<Records>[];
    this.columns = names
      .map((name) => [name, types[name]] as const)
      .sort(([, a], [, b]) => b.BYTES_PER_ELEMENT - a.BYTES_PER_ELEMENT);
    const [first] = this.columns;
    if (!first) throw new Error('a ring without columns has no layout');
    [this.widest] = first;
  }

  write(records: Records, block: BlockWriter): RingSlice {
    const atByte = block.nextRing();
    const { length, buffer } = records[this.widest];
    if (length > 0 && this.isOnePiece(records)) block.add(new Uint8Array(buffer));
    else if (length > 0) for (const [name] of this.columns) block.add(records[name]);
    return { atByte, length, overflowed: records.overflowed };
  }

  /** Whether the columns lie in memory as they are to lie in the block: the native core makes them so. */
  isOnePiece(records: Records): boolean {
    const { buffer } = records[this.widest];
    let atByte = 0;
    for (const [name] of this.columns) {
      const column = records[name];
      if (column.buffer !== buffer || column.byteOffset !== atByte) return false;
      atByte += column.byteLength;
    }
    return atByte === buffer.byteLength;
  }

  read({ atByte, length, overflowed }: RingSlice, block: ArrayBufferView): Records {
    const records: Partial<Record<string, Column | number>> = { overflowed };
    let columnAtByte = block.byteOffset + atByte;
    for (const [name, type] of this.columns) {
      records[name] = length > 0 ? new type(block.buffer, columnAtByte, length) : new type(0);
      columnAtByte += length * type.BYTES_PER_ELEMENT;
    }
    // The columns are those of `types`, which the constructor's type ties to `Records`.
    return records as unknown as Records;
  }

  /** Bytes of `length` records. */
  bytesOf(length: number): number {
    return this.columns.reduce((sum, [, type]) => sum + length * type.BYTES_PER_ELEMENT, 0);
  }

  empty(): Records {
    return this.read({ atByte: 0, length: 0, overflowed: 0 }, new Float64Array(0));
  }
}

/** Where the next ring begins after one of this size. */
function ringFrom(bytes: number): number {
  return Math.ceil(bytes / widestBytes) * widestBytes;
}

/** Gathers columns, and copies them when all their places are known. */
class BlockWriter {
  private bytes = 0;
  private readonly columns: { column: Column; atByte: number }[] = [];

  nextRing(): number {
    this.bytes = ringFrom(this.bytes);
    return this.bytes;
  }

  add(column: Column): void {
    this.columns.push({ column, atByte: this.bytes });
    this.bytes += column.byteLength;
  }

  block(): Float64Array {
    const block = new Float64Array(this.nextRing() / widestBytes);
    const bytes = new Uint8Array(block.buffer);
    for (const { column, atByte } of this.columns)
      bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), atByte);
    return block;
  }
}

export const sourceRecords = new Layout<SourceRecords>({
  frameNumber: Uint32Array,
  slotNs: Float64Array,
  releaseNs: Float64Array,
  state: Uint8Array,
  lateCause: Uint8Array,
});

export const submitRecords = new Layout<SubmitRecords>({
  frameNumber: Uint32Array,
  beginNs: Float64Array,
  previousCallNs: Float64Array,
});

export const missRecords = new Layout<MissRecords>({
  frameNumber: Uint32Array,
  atNs: Float64Array,
  cause: Uint8Array,
});

export const captureRecords = new Layout<CaptureRecords>({
  captureNs: Float64Array,
  sourceId: Uint16Array,
  frameNumber: Uint32Array,
  releaseTimeUs: Float64Array,
  timestampUs: Float64Array,
  timecodeUs: Float64Array,
  transportDropped: Float64Array,
  status: Uint8Array,
  pictureClass: Uint8Array,
  codeHealth: Float32Array,
  senderId: Uint16Array,
  firstSpoiltRow: Uint16Array,
  lastSpoiltRow: Uint16Array,
  linePlaces: Uint16Array,
  lineWitnesses: Uint16Array,
});

export const audioRecords = new Layout<AudioRecords>({
  captureNs: Float64Array,
  frameNumber: Float64Array,
  samples: Uint32Array,
  sampleRate: Uint32Array,
  burstNs: Float64Array,
});

export const clockRecords = new Layout<ClockRecords>({
  askedUs: Float64Array,
  heardUs: Float64Array,
  repliedUs: Float64Array,
  answeredUs: Float64Array,
});

type WithPlaces<Report, Name extends keyof Report> = Omit<Report, Name> & Record<Name, RingSlice>;

/** `RecordsMessage` on its way. */
export interface PackedRecords
  extends Pick<RecordsMessage, 'type' | 'atNs' | 'processIds' | 'traffic' | 'standstills' | 'logGaps'> {
  sources: WithPlaces<SourceReport, 'records'>[];
  senders: WithPlaces<SenderReport, 'submits' | 'misses'>[];
  receivers: WithPlaces<ReceiverReport, 'captures' | 'audio' | 'time'>[];
  block: Float64Array;
}

export function packRecords({ sources, senders, receivers, ...rest }: RecordsMessage): PackedRecords {
  const block = new BlockWriter();
  return {
    ...rest,
    sources: sources.map((report) => ({ ...report, records: sourceRecords.write(report.records, block) })),
    senders: senders.map((report) => ({
      ...report,
      submits: submitRecords.write(report.submits, block),
      misses: missRecords.write(report.misses, block),
    })),
    receivers: receivers.map((report) => ({
      ...report,
      captures: captureRecords.write(report.captures, block),
      audio: audioRecords.write(report.audio, block),
      time: clockRecords.write(report.time, block),
    })),
    block: block.block(),
  };
}

/** The columns are views of the message's memory. */
export function unpackRecords({
  sources,
  senders,
  receivers,
  block,
  ...rest
}: PackedRecords): RecordsMessage {
  return {
    ...rest,
    sources: sources.map((report) => ({ ...report, records: sourceRecords.read(report.records, block) })),
    senders: senders.map((report) => ({
      ...report,
      submits: submitRecords.read(report.submits, block),
      misses: missRecords.read(report.misses, block),
    })),
    receivers: receivers.map((report) => ({
      ...report,
      captures: captureRecords.read(report.captures, block),
      audio: audioRecords.read(report.audio, block),
      time: clockRecords.read(report.time, block),
    })),
  };
}

/**
 * Whether each ring lies where `packRecords` puts it and all of them fill the block: only then does `unpackRecords` make views of
 * nothing but the block. The places are whole numbers of 0 or more.
 */
export function fillsBlock({
  sources,
  senders,
  receivers,
  block,
}: Pick<PackedRecords, 'sources' | 'senders' | 'receivers' | 'block'>): boolean {
  let bytes = 0;
  const isNext = (layout: { bytesOf(length: number): number }, { atByte, length }: RingSlice): boolean => {
    const isThere = atByte === ringFrom(bytes);
    bytes = atByte + layout.bytesOf(length);
    return isThere;
  };
  return (
    sources.every(({ records }) => isNext(sourceRecords, records)) &&
    senders.every(({ submits, misses }) => isNext(submitRecords, submits) && isNext(missRecords, misses)) &&
    receivers.every(
      ({ captures, audio, time }) =>
        isNext(captureRecords, captures) && isNext(audioRecords, audio) && isNext(clockRecords, time),
    ) &&
    ringFrom(bytes) === block.byteLength
  );
}
