import type { Row } from '../../../app/facts/row';
import type {
  EngineState,
  LossSample,
  PreviewMessage,
  StreamMark,
  StreamView,
} from '../../../app/protocol/console';
import type { LoadPart, LoadSample } from '../../../app/protocol/load';
import { stateOf } from '../../../renderer/testing/engine-state';
import { rowOf, streamView } from '../../../renderer/testing/fixtures';
import { loadSample } from '../../../renderer/testing/samples';

/**
 * A live run of many streams as the engine would report it at any second: every figure that moves in a real run moves
 * here, so that a window has as much to write. The same at the same second, whenever it is asked.
 */

export const previewWidth = 256;
export const previewHeight = 144;

const loadPerStream = 5.5;
const frameRate = 60;
/** A stream is added each half minute, so that a row is closed each half minute too. */
const secondsPerRow = 30;
/** Now and then a stream loses frames, and one stands still for a while. */
const lossEverySeconds = 17;
const stallEverySeconds = 240;
const stallSeconds = 12;
const linePositions = 64;

const parts: LoadPart[] = (['read', 'compose', 'send', 'receive', 'sdk', 'runtime'] as const).map((name) => ({
  name,
  cpuPercent: 3.25,
  threads: 4,
}));

export function viewsAt(second: number, streams: number): StreamView[] {
  return Array.from({ length: streams }, (_, index) => viewAt(second, index + 1));
}

function viewAt(second: number, id: number): StreamView {
  const submitted = Math.floor(frameRate * second);
  const dropped = 3 * Math.floor((second + id) / lossEverySeconds);
  const isStalled = id === 3 && second % stallEverySeconds < stallSeconds;
  const wobble = Math.sin(second * 3 + id);
  return streamView(id, {
    framesSubmitted: submitted,
    framesReceived: submitted - dropped,
    framesDropped: dropped,
    lostTotal: dropped,
    lostNow: (second + id) % lossEverySeconds < 1 ? 3 : 0,
    deliveredFps: isStalled ? 0 : frameRate + wobble / 10,
    latencyP50Ms: 2.84 + wobble / 5,
    latencyP99Ms: 7.12 + wobble,
    longestGapMs: 21.4 + Math.floor(second / 60),
    audioOffsetMs: 1.3 + wobble / 10,
    bitrateMbps: 257 + wobble,
    lastLoss: `3 frames (${submitted - 3}–${submitted - 1}) were lost in transport`,
    lastLossStage: 'transport',
    lastOutageMs: null,
    verdict: 'WARN',
    reason: `${dropped} frames were lost since the start`,
    ...(isStalled && {
      state: 'stalled',
      stateText: `No picture for ${(second % stallEverySeconds).toFixed(1)} s while the sender submits`,
      remedy: 'Usually the link or the receiver is full: check network and CPU, or remove a stream.',
      verdict: 'FAIL',
    }),
  });
}

export function stateAt(second: number, streams: number): EngineState {
  return stateOf({
    streams: viewsAt(second, streams),
    state: {
      mode: 'live',
      run: {
        id: 'replayed',
        folder: '/home/operator/Whiteline/runs/replayed',
        title: 'Stream load',
        experiment: 'stream-load',
        verdict: 'FAIL',
        reason: `Stream 3 stood still ${1 + Math.floor(second / stallEverySeconds)} times`,
      },
    },
  });
}

/** A row for the baseline and for each stream that was added; the last is still open. */
export function rowsAt(second: number, streams: number): Row[] {
  const open = Math.min(streams, Math.floor(second / secondsPerRow));
  return Array.from({ length: open + 1 }, (_, index) => {
    if (index < open) return rowOf(index, { cpu: 6 * index });
    const received = Math.floor(frameRate * second * index);
    return rowOf(index, {
      cpu: 6 * index + Math.sin(second),
      figures: { framesSubmitted: received, framesReceived: received },
    });
  });
}

export function marksAt(second: number, streams: number, startMs: number): StreamMark[] {
  const added = Math.min(streams, Math.floor(second / secondsPerRow));
  return Array.from({ length: added }, (_, index) => ({
    kind: 'stream' as const,
    wallMs: startMs + (index + 1) * secondsPerRow * 1000,
    streams: index + 1,
    label: `Stream ${index + 1}`,
  }));
}

export function loadAt(second: number, streams: number, startMs: number): LoadSample {
  const added = Math.min(streams, Math.floor(second / secondsPerRow));
  const sample = loadSample(startMs + second * 1000, added, loadPerStream);
  const { sending = null, receiving = null } = sample.roles;
  return {
    ...sample,
    roles: {
      ...sample.roles,
      sending: sending && { ...sending, parts },
      receiving: receiving && { ...receiving, parts },
    },
  };
}

export function lossAt(second: number, startMs: number): LossSample {
  const isBad = second % lossEverySeconds < 2;
  return {
    wallMs: startMs + second * 1000,
    lostPerSecond: isBad ? 30 + Math.round(9 * Math.sin(second)) : 0,
  };
}

/** The white line on its way over the picture, painted once: what is replayed is the showing of pictures. */
export class ReplayedPictures {
  private readonly pictures = Array.from({ length: linePositions }, (_, position) => picture(position));

  preview(streamId: number, frameNumber: number): PreviewMessage {
    const pixels = this.pictures[(frameNumber + streamId * 7) % linePositions] as Uint8ClampedArray;
    const size = { width: previewWidth, height: previewHeight };
    return { type: 'preview', streamId, ...size, frameNumber, confirm: true, pixels };
  }
}

function picture(position: number): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(previewWidth * previewHeight * 4).fill(255);
  const lineWidth = previewWidth / linePositions;
  for (let pixel = 0; pixel < previewWidth * previewHeight; pixel += 1) {
    const x = pixel % previewWidth;
    const isLine = Math.floor(x / lineWidth) === position;
    pixels.fill(isLine ? 235 : 70 + ((x * 7) % 40), pixel * 4, pixel * 4 + 3);
  }
  return pixels;
}
