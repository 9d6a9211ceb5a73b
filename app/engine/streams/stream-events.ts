import { frames, lengthText, rateText } from '../../facts/count-words';
import type { StreamState } from '../../protocol/console';
import { defaultThresholds } from '../../protocol/thresholds';
import type { ShownCounts } from './counting/display-ledger';
import { MetadataEvents } from './metadata-events';
import type { Stream } from './stream';
import type { NoteEvent } from './stream-hosts';
import { explain } from './stream-states';
import type { Recovery } from './stream-watchdog';

interface Known {
  state: StreamState;
  connectedNs: number;
  recoveries: number;
  /** The longest silence that was reported, of a sender that may mean it; 0 before the first. */
  silentMs: number;
  shown: Shown | null;
}

/** What a display window reports of a stream, and when it did last. */
interface Shown {
  counts: ShownCounts;
  atNs: number;
}

/** States whose beginning the run reports; the others are the expected ones. */
const unreported: readonly StreamState[] = ['warming-up', 'receiving', 'removing'];
/** A restarted sender is followed from its beginning: until its first frames are reported, the window shows nothing. */
const betweenSendersNs = 1e9;
const limits = { ...defaultThresholds, warmUpSeconds: 0 };

/** Turns the states of streams into events of the run: connected, each trouble when it begins, recovered, shown on a display. */
export class StreamEvents {
  /** By the stream's id: a sender that is started again is another stream in the same place. */
  private readonly known = new Map<number, Known>();
  private readonly metadata: MetadataEvents;
  private readonly withoutPriority = new WeakSet<Stream>();

  constructor(private readonly noteEvent: NoteEvent) {
    this.metadata = new MetadataEvents(noteEvent);
  }

  look(stream: Stream, nowNs: number): void {
    const state = stream.state(nowNs, limits);
    const { recoveries, lastRecovery } = stream.watchdog;
    const known = this.known.get(stream.id);
    const isSame = known?.state === state;
    const shown = this.shown(stream, known?.shown ?? null, nowNs);
    const recovery = known && recoveries > known.recoveries ? lastRecovery : null;
    const knownMs = known?.silentMs ?? 0;
    // One that is silent again and again is reported when it is so for much longer than before.
    const isUsual = recovery !== null && isMeant(stream, recovery) && recovery.afterMs < 2 * knownMs;
    const silentMs = recovery && !isUsual && isMeant(stream, recovery) ? recovery.afterMs : knownMs;
    this.known.set(stream.id, { state, recoveries, silentMs, shown, connectedNs: known?.connectedNs ?? 0 });
    if (stream.firstCaptureNs > 0 && !this.isConnected(stream)) this.connected(stream);
    if (recovery && !isUsual && !stream.before?.isAsked) this.recovered(stream, recovery);
    const { followedBy, watchdog } = stream;
    const isSilentAgain =
      state === 'stalled' && silentMs > 0 && followedBy === 'times' && watchdog.isConnected;
    if (known && !isSame && !unreported.includes(state) && !isSilentAgain && !stream.hasEnded)
      this.report(stream, state);
    this.metadata.look(stream, nowNs);
    this.noteThread(stream);
  }

  /** Of those of which nothing is reported: that is the stall. */
  lookAtSilent(streams: readonly Stream[], nowNs: number): void {
    for (const stream of streams) if (stream.receivedBy()?.isSilent) this.look(stream, nowNs);
  }

  /** The stream was removed. */
  forget(stream: Stream): void {
    this.known.delete(stream.id);
    this.metadata.end(stream);
  }

  /** `how`: the way in which its frames are followed, in words. `isReported`: the run hears of it. */
  connected(stream: Stream, how = '', isReported = true): void {
    const known = this.known.get(stream.id);
    this.known.set(stream.id, {
      ...{ state: known?.state ?? 'connecting', recoveries: known?.recoveries ?? 0 },
      silentMs: known?.silentMs ?? 0,
      shown: known?.shown ?? null,
      connectedNs: stream.firstCaptureNs,
    });
    if (!isReported) return;
    const { connectedMs } = stream;
    // One that goes on for another ended an outage: that is no connecting.
    const connectMs = connectedMs === null ? stream.connectMs : null;
    const first = connectMs === null ? '' : `: first picture after ${Math.round(connectMs)} ms`;
    const begun = connectedMs === null ? first : ': followed anew';
    this.noteEvent(
      'stream-connected',
      `${stream.name}${begun}${how && `, ${how}`}`,
      { connectMs, ...receivedFormat(stream) },
      stream.id,
    );
  }

  private recovered(stream: Stream, recovery: Recovery): void {
    const { name, id, framesPerSecond, reportsRecords } = stream;
    const { afterMs } = recovery;
    const framesEstimated = Math.max(0, Math.round((afterMs / 1000) * framesPerSecond) - 1);
    const about = `, about ${frames(framesEstimated)} at ${rateText(framesPerSecond)} fps (an estimate)`;
    // Records of the sender give the exact number; a silence that may be meant costs nothing that is known.
    const cost = reportsRecords || isMeant(stream, recovery) ? '' : about;
    const text = `${name}: pictures again after ${lengthText(afterMs / 1000)}${cost}`;
    this.noteEvent('stream-recovered', text, { afterMs }, id);
  }

  /** A window that crashed, or shows another stream, counts as one that was closed: it reports nothing any more. */
  private shown({ id, name, display }: Stream, before: Shown | null, nowNs: number): Shown | null {
    const counts = display?.live(nowNs);
    if (counts) {
      if (!before) this.noteEvent('display-shown', `${name}: a display window shows it`, {}, id);
      return { counts, atNs: nowNs };
    }
    if (!before || nowNs - before.atNs < betweenSendersNs) return before;
    const { reported, missed, ticksMissed } = before.counts;
    const text = `${name}: no display window shows it any more; of ${reported} frames that it reported, ${missed} were not shown`;
    this.noteEvent('display-ended', text, { reported, missed, ticksMissed }, id);
    return null;
  }

  private noteThread(stream: Stream): void {
    if (!stream.senderRealTimeFinding || this.withoutPriority.has(stream)) return;
    this.withoutPriority.add(stream);
    const text = `${stream.name}: the sender’s thread ${stream.senderRealTimeFinding}`;
    this.noteEvent('thread-policy', text, {}, stream.id);
  }

  private isConnected(stream: Stream): boolean {
    return this.known.get(stream.id)?.connectedNs === stream.firstCaptureNs;
  }

  private report(stream: Stream, state: StreamState): void {
    const { text, remedy } = explain(state, {
      ...{ pictureClass: stream.watchdog.pictureClass, receiver: stream.receiver },
      ...{ followedBy: stream.followedBy, isConnected: stream.watchdog.isConnected },
      isRepeating: stream.watchdog.isRepeating,
      ...{ reportsRecords: stream.reportsRecords, receiverTrouble: stream.receiverTrouble, timedOut: false },
      stoppedProcessId: stream.stoppedProcessId,
      away: stream.away(),
      ...{ downLinks: stream.downLinks, backLinks: stream.backLinks },
      connectTimeoutSeconds: limits.connectTimeoutSeconds,
    });
    const kind =
      state === 'stalled' ? 'stream-stalled' : state === 'wrong-source' ? 'wrong-source' : 'stream-state';
    this.noteEvent(kind, `${stream.name}: ${text}`, { state, remedy }, stream.id);
  }
}

/** A sender without our code may be silent by design, as long as it is connected. */
function isMeant({ followedBy, connectionHistory }: Stream, { atNs, afterMs }: Recovery): boolean {
  return followedBy === 'times' && connectionHistory.goneNs(atNs - afterMs * 1e6, atNs) === 0;
}

/** Format of the pictures that the receiver gets; nothing before it is known. */
function receivedFormat({ receiver, framesPerSecond }: Stream): { format?: string } {
  if (!receiver || receiver.width === 0) return {};
  return { format: `${receiver.width}x${receiver.height}@${rateText(framesPerSecond)}` };
}
