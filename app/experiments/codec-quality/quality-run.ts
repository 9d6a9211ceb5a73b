import type { Manifest } from '../../engine/content/manifest';
import type { ContextWith } from '../../engine/experiment/experiment';
import { measureRow } from '../../engine/experiment/held-row';
import { withFigures } from '../../engine/experiment/row-values';
import type { LeftOut, PicturePairs } from '../../engine/streams/picture-pairs';
import type { RowMeter } from '../../engine/streams/rows/row-meter';
import type { ReasonedFigures } from '../../facts/reasoned';
import type { StreamsRow } from '../../facts/stream-row';
import { toProblem } from '../../protocol/errors';
import { framesPerSecond, type VideoFormat } from '../../protocol/format';
import { pairsFolder, type QualityCase, spread } from './cases';
import { compareClip, comparePairs } from './compare';
import { type CodecQualityParameters, codecQualityDeclaration } from './declaration';
import { bitsPerPixel, deliveredFigures, hapFigures } from './figures';
import { cutCrop, makeClip, makePairsFolder, removePairsFolder, requireSpace } from './prepare';
import { withoutPairs } from './verdict';

/** Both hosts are ready to keep pictures so long after a row has been opened. */
const readySeconds = 0.4;
/** What a row takes besides its warm-up and its hold time: opening, connecting, comparing. */
const restSeconds = 4;

const notOfBattery = 'only clips of the content battery can be compared with what they were made from';
const wholeClipReported = 'reported in the row of the full picture';

/** One run: a baseline, then a row for each case. */
export class QualityRun {
  /** Number of the next row. */
  private index = 0;
  /** Number of the current case. */
  private position = 0;
  /** Of the open row. */
  private pairs: PicturePairs | null = null;

  constructor(
    private readonly parameters: CodecQualityParameters,
    private readonly context: ContextWith<'streams' | 'native' | 'tools'>,
    private readonly cases: readonly QualityCase[],
    private readonly manifest: Manifest,
  ) {}

  async *rows(): AsyncGenerator<StreamsRow> {
    const { context, cases } = this;
    makePairsFolder(context.folder);
    try {
      for (const [position, one] of cases.entries()) {
        this.position = position;
        const format = await this.open(one);
        if (position === 0) {
          this.report('baseline', this.parameters.holdSeconds, this.caseSeconds);
          const baseline = await measureRow(context, this.index++, this.parameters);
          if (baseline) yield { ...baseline.row, label: `baseline: ${one.name}` };
        }
        if (context.signal.aborted) return;
        const row = await this.measure(one, format);
        if (row) yield row;
        if (context.signal.aborted) return;
        await context.streams.set.removeAll();
        await context.streams.set.closeSource();
      }
    } finally {
      removePairsFolder(context.folder);
    }
  }

  /** Makes ready what is sent, and plays it. */
  private async open(one: QualityCase): Promise<VideoFormat> {
    const { context } = this;
    const { signal, folder } = context;
    const { set: streams } = context.streams;
    if (one.clip) {
      this.report(`making ${one.clip.clip.name}`, 0, this.caseSeconds);
      const report = ({ stage, secondsLeft }: { stage: string; secondsLeft: number | null }): void =>
        this.report(`${one.clip?.clip.name} is being ${stage}`, secondsLeft ?? 0, this.caseSeconds);
      await makeClip(one.clip, this.manifest, context.native, report, context);
    }
    const settings = { source: one.source, format: one.format, pixelFormat: 'uyvy' } as const;
    if (!one.crop) return (await streams.openSource(settings, { signal })).format;
    this.report('cutting the crop', 0, this.caseSeconds);
    const { format } = await streams.choose(settings);
    const source = await cutCrop(one, one.crop, format, folder, context);
    return (await streams.openSource({ ...settings, source }, { signal })).format;
  }

  private async measure(one: QualityCase, format: VideoFormat): Promise<StreamsRow | null> {
    const { context, parameters } = this;
    const { folder } = context;
    const { set } = context.streams;
    const pictureBytes = 2 * format.width * format.height;
    await requireSpace(pairsFolder(folder), 2 * parameters.frames * pictureBytes, 'Keeping the pictures');
    this.report('connecting', context.thresholds.connectTimeoutSeconds, this.caseSeconds);
    await set.addStream(parameters.name, { audio: false });
    this.report('warm-up', parameters.warmUpSeconds, parameters.holdSeconds + restSeconds);
    try {
      const measured = await measureRow(context, this.index, parameters, (meter) => this.keep(meter, format));
      if (!measured) return null;
      this.index++;
      const { row } = measured;
      const delivered = await this.delivered({ ...row, label: one.name }, format);
      return withFigures(delivered, codecQualityDeclaration, {
        ...(await this.hapLoss(one)),
        ...this.compression(row, format),
      });
    } finally {
      await this.pairs?.close();
      this.pairs = null;
    }
  }

  private chosenFrames(first: number, { rate }: VideoFormat): number[] {
    const { frames, holdSeconds } = this.parameters;
    const slots = Math.floor(holdSeconds * framesPerSecond(rate));
    const readying = Math.min(Math.ceil(readySeconds * framesPerSecond(rate)), Math.floor(slots / 4));
    return spread(first + readying, slots - readying, frames);
  }

  /** Keeps pictures of the row that has been opened; where a host is gone, it keeps none and the row says so. */
  private async keep(meter: RowMeter, format: VideoFormat): Promise<void> {
    const { context, parameters } = this;
    this.report('measuring', parameters.holdSeconds, restSeconds);
    const [stream] = context.streams.set.streams;
    const first = stream ? meter.firstSlot(stream) : null;
    if (!stream || first === null) return;
    const frames = this.chosenFrames(first, format);
    try {
      this.pairs = await context.streams.set.keepPairs(stream, pairsFolder(context.folder), frames);
    } catch (error) {
      context.noteEvent('problem', `No pictures are kept: ${toProblem(error).message}`);
    }
  }

  /** The row with what was delivered, as far as it could be compared. */
  private async delivered(row: StreamsRow, format: VideoFormat): Promise<StreamsRow> {
    const { context, pairs, parameters } = this;
    let reason = 'no stream was there to keep its pictures';
    try {
      if (pairs) {
        this.report('comparing', restSeconds);
        const kept = await pairs.settled(context.signal);
        if (kept.leftOut.length > 0) context.noteEvent('problem', leftOutText(row.label, kept.leftOut));
        reason = kept.leftOut[0]?.why ?? reason;
        if (kept.frames.length > 0) {
          const place = { index: row.index, label: row.label };
          const compared = await comparePairs(context, context.native, kept, format, place);
          const chosen = compared.length + kept.leftOut.length;
          return withFigures(row, codecQualityDeclaration, deliveredFigures(compared, chosen, reason));
        }
      }
    } catch (error) {
      reason = context.signal.aborted
        ? 'the run was stopped before its pictures were compared'
        : toProblem(error).message;
      context.noteEvent('problem', `${row.label}: ${reason}`);
    }
    return withoutPairs(
      withFigures(row, codecQualityDeclaration, deliveredFigures([], parameters.frames, reason)),
      reason,
    );
  }

  private async hapLoss({ clip, crop }: QualityCase): Promise<ReasonedFigures> {
    const { context, parameters } = this;
    if (!clip) return hapFigures([], null, notOfBattery);
    if (crop) return hapFigures([], null, wholeClipReported);
    if (context.signal.aborted) return hapFigures([], null, 'the run was stopped before');
    try {
      this.report('comparing the clip with what it was made from', restSeconds);
      const { compared, bitrateMbps } = await compareClip(context, context.native, clip, parameters.frames);
      return hapFigures(compared, bitrateMbps, 'the index of the clip does not give it');
    } catch (error) {
      return hapFigures([], null, toProblem(error).message);
    }
  }

  private compression(
    { figures: { bitrateMbps }, notMeasured }: StreamsRow,
    { width, height, rate }: VideoFormat,
  ): ReasonedFigures {
    const format = { width, height, framesPerSecond: framesPerSecond(rate) };
    return bitsPerPixel(bitrateMbps, format, notMeasured.bitrateMbps ?? 'there is no bitrate');
  }

  /** Estimated time of a case once its source is ready. */
  private get caseSeconds(): number {
    const { holdSeconds, warmUpSeconds } = this.parameters;
    return warmUpSeconds + holdSeconds + restSeconds;
  }

  /** @param thenSeconds of the same case, after the phase */
  private report(phase: string, phaseSeconds: number, thenSeconds = 0): void {
    const { cases, position } = this;
    const later = cases.length - 1 - position;
    this.context.progress({
      phase,
      // The baseline comes before the first.
      step: this.index === 0 ? 0 : position + 1,
      steps: cases.length,
      phaseSeconds,
      phaseElapsedSeconds: 0,
      remainingSeconds: phaseSeconds + thenSeconds + later * this.caseSeconds,
    });
  }
}

function leftOutText(label: string, leftOut: readonly LeftOut[]): string {
  const [first] = leftOut;
  const count = leftOut.length === 1 ? '1 frame was' : `${leftOut.length} frames were`;
  return `${label}: ${count} not compared, the first is ${first?.frame}: ${first?.why}`;
}
