import { expect, test } from 'vitest';
import { OtherMachine } from '../../testing/other-machine';
import { SimulatedClock } from '../../testing/simulated-clock';
import { temporaryFolder } from '../../testing/temporary-folder';
import { CaptureLogs } from './capture-logs';

const folder = temporaryFolder();
const clock = new SimulatedClock();
const render = new OtherMachine('render-1', clock, 0);
const stream = { id: 1, name: 'Whiteline 1' };
const gap = { streamId: 1, frames: 9, why: 'No space left on device', isFinal: false };

function logsTo(captureLogFolder?: string): { logs: CaptureLogs; events: string[] } {
  const events: string[] = [];
  const logs = new CaptureLogs({
    ...{ clock, captureLogFolder },
    noteEvent: (kind, text, _, streamId) => events.push(`${kind} ${streamId}: ${text}`),
  });
  return { logs, events };
}

test('what a log lacks is told once while its receiver is open, and in all when it is closed', () => {
  const { logs, events } = logsTo(folder);
  const { captureLogPath } = logs.open(stream, null, null);
  logs.noteGaps([gap]);
  logs.noteGaps([{ ...gap, frames: 20 }]);
  logs.noteGaps([{ ...gap, frames: 47, isFinal: true }]);
  logs.noteGaps([{ ...gap, frames: 47, isFinal: true }]);
  expect(events).toEqual([
    `problem 1: ${captureLogPath} lacks 9 captured frames: No space left on device. Nothing more is written to it, and frames are counted on; free some space for the next log`,
    `problem 1: ${captureLogPath} lacks 47 captured frames in all: No space left on device`,
  ]);
});

test('one that lost its last lines alone is told of once', () => {
  const { logs, events } = logsTo(folder);
  logs.open(stream, null, null);
  logs.noteGaps([{ ...gap, frames: 1, isFinal: true }]);
  expect(events).toEqual([expect.stringContaining('captured-1.log lacks 1 captured frame: No space')]);
});

test.each([folder, undefined])(
  'one of another machine is called by the stream and the machine (%s)',
  (to) => {
    const { logs, events } = logsTo(to);
    expect(logs.open(stream, render, {})).toEqual({});
    logs.noteGaps([gap, { ...gap, streamId: 2 }]);
    expect(events).toEqual([
      expect.stringContaining('The log of Whiteline 1 (stream 1) on render-1 lacks 9 captured frames'),
    ]);
  },
);
