import type { StreamState } from '../../protocol/console';
import { defaultThresholds } from '../../protocol/thresholds';
import type { Stream } from './stream';
import type { NoteEvent } from './stream-set';

interface Known {
  state: StreamState;
  sinceNs: number;
  connected: boolean;
}

/** Turns the states of streams into events of the run: connected, stalled, recovered, wrong source. */
export class StreamEvents {
  private readonly known = new WeakMap<Stream, Known>();

  constructor(private readonly noteEvent: NoteEvent) {}

  look(stream: Stream, nowNs: number): void {
    const state = stream.state(nowNs, 0, defaultThresholds.connectTimeoutSeconds);
    const before = this.known.get(stream);
    const connected = stream.firstCaptureNs > 0;
    if (connected && !before?.connected) {
      const { connectMs } = stream;
      const text = `${stream.name}: first picture after ${Math.round(connectMs ?? 0)} ms`;
      this.noteEvent('stream-connected', text, { connectMs }, stream.id);
    }
    if (before?.state === state) {
      before.connected = connected;
      return;
    }
    this.known.set(stream, { state, sinceNs: nowNs, connected });
    if (state === 'stalled')
      this.noteEvent('stream-stalled', `${stream.name}: no picture any more`, {}, stream.id);
    if (state === 'wrong-source') {
      this.noteEvent('wrong-source', `${stream.name}: pictures of another sender arrive`, {}, stream.id);
    }
    if (state === 'receiving' && before?.state === 'stalled') {
      const stalledMs = (nowNs - before.sinceNs) / 1e6;
      const text = `${stream.name}: pictures again after ${Math.round(stalledMs)} ms`;
      this.noteEvent('stream-recovered', text, { stalledMs }, stream.id);
    }
  }
}
