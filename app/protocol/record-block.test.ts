import { deserialize, serialize } from 'node:v8';
import { expect, test } from 'vitest';
import { captures, misses, sourceRecords as sourceColumns, submits } from '../testing/columns';
import type { RecordsMessage } from './host';
import {
  audioRecords,
  clockRecords,
  fillsBlock,
  packRecords,
  submitRecords,
  unpackRecords,
} from './record-block';

/** Every column has numbers of its own, so that two that change places are noticed. */
const numbered = <Records extends object>(records: Records): Records => {
  let next = 1;
  for (const column of Object.values(records))
    if (ArrayBuffer.isView(column) && 'fill' in column && typeof column.fill === 'function')
      column.fill(next++);
  return records;
};

const frames = (count: number): { captureNs: number; frameNumber: number }[] =>
  Array.from({ length: count }, (_, frameNumber) => ({ captureNs: 0, frameNumber }));

function message(frameCount: number): RecordsMessage {
  const slots = Array.from({ length: frameCount }, (_, slot) => slot);
  const status = { state: 'running', sourceId: 5, startNs: 1, message: '', commandProcessId: 0 } as const;
  return {
    type: 'records',
    atNs: 5,
    processIds: [7],
    traffic: {
      atNs: 4,
      sockets: {
        sentBytes: 1,
        receivedBytes: 2,
        tcpSockets: 3,
        udpSockets: 0,
        gaps: 0,
        newestGap: null,
      },
    },
    standstills: [{ kind: 'stopped', fromNs: 1, toNs: 2 }],
    sources: [
      {
        sourceId: 1,
        status: { ...status, diskRateMBps: null, damagedPictures: 0, damage: '', realTimeFinding: '' },
        records: { ...numbered(sourceColumns(slots)), overflowed: 3 },
      },
    ],
    senders: [
      {
        streamId: 1,
        firstSlot: 0,
        connections: 1,
        metadataDropped: 0,
        realTimeFinding: '',
        submits: numbered(submits(slots)),
        misses: numbered(misses(slots.slice(1))),
      },
    ],
    receivers: [
      {
        streamId: 1,
        sourceName: 'M (s)',
        address: '127.0.0.1:5961',
        openedNs: 2,
        listed: true,
        captures: numbered(captures(frames(frameCount))),
        audio: audioRecords.empty(),
        time: clockRecords.empty(),
        status: null,
        metadata: ['<a/>'],
        soundPeakDbfs: -20,
      },
    ],
  };
}

test.each([0, 1, 2, 3, 7, 60])(
  '%i records of each ring come out as they went in, through a serializer',
  (count) => {
    const received = deserialize(serialize(packRecords(message(count))));
    expect(fillsBlock(received)).toBe(true);
    expect(unpackRecords(received)).toEqual(message(count));
  },
);

test.each([
  { order: 'of the block', first: 'beginNs', second: 'previousCallNs', isOnePiece: true },
  { order: 'that is another', first: 'previousCallNs', second: 'beginNs', isOnePiece: false },
])('columns in one piece of memory, in an order $order', ({ first, second, isOnePiece }) => {
  const memory = new ArrayBuffer(60);
  const records = {
    ...{ beginNs: new Float64Array(0), previousCallNs: new Float64Array(0), overflowed: 0 },
    [first]: new Float64Array(memory, 0, 3).fill(1),
    [second]: new Float64Array(memory, 24, 3).fill(2),
    frameNumber: new Uint32Array(memory, 48, 3).fill(3),
  };
  expect(submitRecords.isOnePiece(records)).toBe(isOnePiece);
  const [sender] = message(3).senders;
  const senders = sender ? [{ ...sender, submits: records }] : [];
  const received = deserialize(serialize(packRecords({ ...message(0), senders })));
  expect(unpackRecords(received).senders[0]?.submits).toEqual(records);
});

test('a block that begins anywhere in its buffer is read', () => {
  const packed = packRecords(message(5));
  const moved = new Float64Array(packed.block.length + 3);
  moved.set(packed.block, 3);
  expect(unpackRecords({ ...packed, block: moved.subarray(3) })).toEqual(message(5));
});
