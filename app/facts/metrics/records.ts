import { count, type Metric } from './metric';

const flag = { unit: '', digits: 0, direction: 'none', shape: 'flag' } as const;
const frames = { unit: '', digits: 0, direction: 'none', shape: 'frames' } as const;
const code = 'frame code, submit records';

function histogram(id: string, heading: string, of: string, source: string): Metric {
  return {
    ...{ id: `${id}.histogram`, heading, unit: 'ms', digits: 0, direction: 'none', shape: 'histogram' },
    formula: 'number of times in each of 50 bins a decade, equally wide on a logarithmic axis, from 1 µs on',
    description: `How often each ${of} occurred, all streams together.`,
    source,
  };
}

/** What rows and streams record beside the figures of a table. */
export const recordMetrics: readonly Metric[] = [
  {
    ...{ id: 'machine', heading: 'Machine', unit: '', digits: 0, direction: 'none', shape: 'words' },
    formula: 'as set for the row',
    description: 'The machine that was measured, if a run measures several side by side.',
    source: 'parameter on',
  },
  {
    ...{ id: 'senderMissed', heading: 'Sender missed', ...flag },
    formula:
      'frames were missed: injected, held up by the transport’s send call, or late while the sender’s machine or its movie was the limit',
    description: 'The sender did not submit some frames. The NDI study of 2019 marks such a row red.',
    source: 'source thread, at the slot’s deadline',
  },
  {
    ...{ id: 'conserved', heading: 'Conserved', ...flag },
    formula: 'the sums of docs/measurement.md hold for each stream',
    description: 'Whether each frame is counted at exactly one stage.',
    source: code,
  },
  {
    ...{ id: 'method', heading: 'Method', ...flag, shape: 'words' },
    formula: 'frame-code, or timestamps',
    description:
      'How the frames of a stream were followed: by our code in the picture, or by the sender’s timestamps.',
    source: 'receiver thread',
  },
  count(
    'firstFrame',
    'First frame',
    'none',
    'lowest frame number',
    'First frame of a stream in the row.',
    code,
  ),
  count(
    'lastFrame',
    'Last frame',
    'none',
    'highest frame number',
    'Last frame of a stream in the row.',
    code,
  ),
  {
    ...{ id: 'droppedFrames', heading: 'Dropped frames', ...frames },
    formula: 'submitted numbers not seen when the row closed, the first 1,000',
    description: 'Which frames of a stream were dropped.',
    source: code,
  },
  {
    ...{ id: 'missedFrames', heading: 'Missed frames', ...frames },
    formula: 'slots whose submit had not begun by the next slot, the first 1,000',
    description: 'Which frames of a stream the sender missed.',
    source: code,
  },
  histogram('latencyMs', 'Latency', 'latency', 'frame code, monotonic clock'),
  histogram('submitIntervalMs', 'Submit interval', 'submit interval', 'sender thread, before the send call'),
  histogram(
    'receiveIntervalMs',
    'Receive interval',
    'receive interval',
    'receiver thread, after the capture call',
  ),
];
