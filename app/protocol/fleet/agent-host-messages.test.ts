import { expect, test } from 'vitest';
import { captures, misses, sourceRecords, submits } from '../../testing/columns';
import type { HostCommand, RecordsMessage } from '../host';
import { audioRecords, clockRecords, packRecords, unpackRecords } from '../record-block';
import { checkedHostMessage, checkedRecords, withoutOwn } from './agent-host-messages';

const slots = [1, 2, 3];

function message(): RecordsMessage {
  return {
    ...{ type: 'records', atNs: 5, processIds: [], traffic: null, standstills: [] },
    sources: [
      {
        sourceId: 1,
        status: {
          ...{ state: 'running', sourceId: 5, startNs: 1, message: '', commandProcessId: 0 },
          ...{ diskRateMBps: null, damagedPictures: 0, damage: '', realTimeFinding: '' },
        },
        records: sourceRecords(slots),
      },
    ],
    senders: [
      {
        ...{ streamId: 1, firstSlot: 0, connections: 1, metadataDropped: 0, realTimeFinding: '' },
        submits: submits(slots, { beginNs: () => 6 }),
        misses: misses([4]),
      },
    ],
    receivers: [
      {
        ...{ streamId: 1, sourceName: 'M (s)', address: '127.0.0.1:5961', openedNs: 2, listed: true },
        captures: captures([{ captureNs: 7, frameNumber: 1 }]),
        audio: audioRecords.empty(),
        time: clockRecords.empty(),
        ...{ status: null, metadata: [], soundPeakDbfs: null },
      },
    ],
  };
}

/** With sound and an answer for the time. */
function fullMessage(): RecordsMessage {
  const records = message();
  const zero = () => new Float64Array(1);
  for (const receiver of records.receivers) {
    receiver.audio = {
      ...{ captureNs: zero(), frameNumber: zero(), burstNs: zero(), overflowed: 0 },
      ...{ samples: new Uint32Array(1), sampleRate: new Uint32Array(1) },
    };
    receiver.time = {
      ...{ askedUs: zero(), heardUs: zero(), repliedUs: zero(), answeredUs: zero(), overflowed: 0 },
    };
  }
  return records;
}

const never = (): undefined => undefined;

test('records come through as a host packed them', () => {
  expect(unpackRecords(checkedRecords(packRecords(message())))).toEqual(message());
});

const packed = packRecords(message());
const [source] = packed.sources;
const [sender] = packed.senders;
if (!source || !sender) throw new Error('the message has a source and a sender');

test.each([
  ['a process', { processIds: [1] }],
  [
    'the process of a command',
    { sources: [{ ...source, status: { ...source.status, commandProcessId: 9 } }] },
  ],
  ['a block of bytes', { block: new Uint8Array(packed.block.buffer) }],
  ['a block that is no typed array', { block: [...packed.block] }],
  ['a block that is longer', { block: new Float64Array(packed.block.length + 1) }],
  ['a block that is shorter', { block: packed.block.slice(1) }],
  ['a ring behind its block', { sources: [{ ...source, records: { ...source.records, atByte: 1e6 } }] }],
  ['a ring before its block', { sources: [{ ...source, records: { ...source.records, atByte: -8 } }] }],
  ['a ring that is not aligned', { senders: [{ ...sender, misses: { ...sender.misses, atByte: 1 } }] }],
  ['a ring of half a record', { senders: [{ ...sender, submits: { ...sender.submits, length: 0.5 } }] }],
  ['a ring that is too long', { senders: [{ ...sender, submits: { ...sender.submits, length: 2 ** 40 } }] }],
  ['a ring over another one', { senders: [{ ...sender, misses: sender.submits }] }],
  ['a ring that is left out', { senders: [] }],
  ['a time that is none', { atNs: Number.NaN }],
  ['a log that lacks nothing', { logGaps: [{ streamId: 1, frames: 0, why: '', isFinal: true }] }],
])('records with %s are refused', (_, change) => {
  expect(() => checkedRecords({ ...packed, ...change })).toThrow(
    'Expected what a stream host sends as records',
  );
});

test.each<[string, string, (records: RecordsMessage) => unknown]>([
  ['sources.0.slotNs', '-1', ({ sources }) => sources[0]?.records.slotNs.fill(-1)],
  [
    'sources.0.releaseNs',
    '.inf',
    ({ sources }) => sources[0]?.records.releaseNs.fill(Number.POSITIVE_INFINITY),
  ],
  ['sources.0.state', '3', ({ sources }) => sources[0]?.records.state.fill(3)],
  ['sources.0.lateCause', '5', ({ sources }) => sources[0]?.records.lateCause.fill(5)],
  ['senders.0.submits.beginNs', '.nan', ({ senders }) => senders[0]?.submits.beginNs.fill(Number.NaN)],
  ['senders.0.submits.previousCallNs', '-1', ({ senders }) => senders[0]?.submits.previousCallNs.fill(-1)],
  ['senders.0.misses.atNs', '.inf', ({ senders }) => senders[0]?.misses.atNs.fill(Number.POSITIVE_INFINITY)],
  ['senders.0.misses.cause', '4', ({ senders }) => senders[0]?.misses.cause.fill(4)],
  [
    'receivers.0.captures.captureNs',
    '.nan',
    ({ receivers }) => receivers[0]?.captures.captureNs.fill(Number.NaN),
  ],
  ['receivers.0.captures.status', '9', ({ receivers }) => receivers[0]?.captures.status.fill(9)],
  ['receivers.0.captures.pictureClass', '6', ({ receivers }) => receivers[0]?.captures.pictureClass.fill(6)],
  [
    'receivers.0.captures.transportDropped',
    '0.5',
    ({ receivers }) => receivers[0]?.captures.transportDropped.fill(0.5),
  ],
  [
    'receivers.0.captures.codeHealth',
    '-.inf',
    ({ receivers }) => receivers[0]?.captures.codeHealth.fill(Number.NEGATIVE_INFINITY),
  ],
  [
    'receivers.0.captures.releaseTimeUs',
    '.nan',
    ({ receivers }) => receivers[0]?.captures.releaseTimeUs.fill(Number.NaN),
  ],
  [
    'receivers.0.captures.timestampUs',
    '.inf',
    ({ receivers }) => receivers[0]?.captures.timestampUs.fill(Number.POSITIVE_INFINITY),
  ],
  [
    'receivers.0.captures.timecodeUs',
    '.inf',
    ({ receivers }) => receivers[0]?.captures.timecodeUs.fill(Number.POSITIVE_INFINITY),
  ],
  ['receivers.0.audio.captureNs', '-1', ({ receivers }) => receivers[0]?.audio.captureNs.fill(-1)],
  [
    'receivers.0.audio.frameNumber',
    '.inf',
    ({ receivers }) => receivers[0]?.audio.frameNumber.fill(Number.POSITIVE_INFINITY),
  ],
  ['receivers.0.audio.burstNs', '-1', ({ receivers }) => receivers[0]?.audio.burstNs.fill(-1)],
  ['receivers.0.time.askedUs', '.nan', ({ receivers }) => receivers[0]?.time.askedUs.fill(Number.NaN)],
  [
    'receivers.0.time.heardUs',
    '.inf',
    ({ receivers }) => receivers[0]?.time.heardUs.fill(Number.POSITIVE_INFINITY),
  ],
  [
    'receivers.0.time.repliedUs',
    '.inf',
    ({ receivers }) => receivers[0]?.time.repliedUs.fill(Number.POSITIVE_INFINITY),
  ],
  [
    'receivers.0.time.answeredUs',
    '.inf',
    ({ receivers }) => receivers[0]?.time.answeredUs.fill(Number.POSITIVE_INFINITY),
  ],
])('a column %s that holds %s is refused by its name and value', (field, value, spoil) => {
  const records = fullMessage();
  spoil(records);
  expect(() => checkedRecords(packRecords(records))).toThrow(
    `Expected what a stream host sends as records for ${field} but received ${value}`,
  );
});

test('what a log lacks comes through, on one line', () => {
  const gap = { streamId: 1, frames: 9, why: 'No space left', isFinal: false };
  const logGaps = [gap, { ...gap, why: 'a\nb' }];
  const checked = unpackRecords(checkedRecords(packRecords({ ...message(), logGaps })));
  expect(checked.logGaps).toEqual([gap, { ...gap, why: 'a\\u000ab' }]);
});

test('texts that are shown on one line stay on one', () => {
  const problem = { code: 'BAD_INPUT', message: 'a\nb', field: 'c\nd', value: 'e\nf', remedy: 'g\nh' };
  const reply = checkedHostMessage({ type: 'reply', requestId: 3, value: null, problem }, () => 'flush');
  expect(JSON.stringify(reply)).not.toContain('\\n');
  const { sources } = message();
  const status = { ...sources[0]?.status, message: 'a\nb', damage: 'a\nb', realTimeFinding: 'a\nb' };
  const records = { ...packed, sources: [{ ...source, status }] };
  expect(JSON.stringify(checkedRecords(records).sources)).not.toContain('\\n');
});

test.each([
  ['nothing', null],
  ['a text', 'records'],
  ['another type', { type: 'port-taken' }],
  ['a reply to a request that was never made', { type: 'reply', requestId: 1, value: null, problem: null }],
  ['an exit without a code', { type: 'exit', exitCode: 'x', words: null }],
  ['progress of half a frame', { type: 'progress', requestId: 1, framesDone: 0.5, frames: 1 }],
])('%s is no message of a host', (_, value) => {
  expect(() => checkedHostMessage(value, never)).toThrow('Expected what a stream host sends as');
});

const ready = { processId: null, addonProblem: null, transport: { name: 'memory' }, transportProblem: null };

test.each([
  ['start', ready, { ...ready, processId: 1 }],
  ['openSender', 'M (s)', null],
  ['openSource', null, 'x'],
  ['discover', [{ name: 'M (s)', address: '' }], [{ name: 'M (s)' }]],
  ['threadPolicy', undefined, {}],
] as const)('the reply to %s is what this command is answered with', (name, good, bad) => {
  const reply = (value: unknown) => ({ type: 'reply', requestId: 3, value, problem: null });
  const asked = (requestId: number) => (requestId === 3 ? name : undefined);
  if (good !== undefined) expect(checkedHostMessage(reply(good), asked)).toEqual(reply(good));
  expect(() => checkedHostMessage(reply(bad), asked)).toThrow(`as reply to ${name}`);
});

test('a problem comes instead of a value, with what it has to say', () => {
  const problem = { code: 'NAME_IN_USE', message: 'The name is taken', remedy: 'Take another' };
  const reply = { type: 'reply', requestId: 3, value: { any: 1 }, problem };
  expect(checkedHostMessage(reply, () => 'openSender')).toEqual({ ...reply, value: null });
});

test('a start loses what belongs to this machine, and nothing undefined is sent', () => {
  const start: HostCommand = {
    ...{ name: 'start', wallOffsetUs: 5, searchHosts: ['192.0.2.7'] },
    transport: { name: 'ndi', candidates: ['/opt/libndi.so'] },
  };
  const post = (command: HostCommand) => withoutOwn({ type: 'request', requestId: 1, command }).command;
  expect(post(start)).toStrictEqual({ name: 'start', searchHosts: ['192.0.2.7'] });
  expect(post({ ...start, searchHosts: undefined })).toStrictEqual({ name: 'start' });
  expect(() => post({ ...start, configuration: '{}' })).toThrow('no configuration of the transport');
  const receiver = { name: 'openReceiver', streamId: 1, sourceName: 'M (s)', askTime: true } as const;
  expect(post({ ...receiver, captureLogPath: undefined })).toStrictEqual(receiver);
});
