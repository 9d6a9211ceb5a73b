import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fault, faultVerbs } from '../../../app/protocol/records';
import type { Finder, MovieCheck, Receiver, Sender, Source } from '../../addon/index';
import { addon, codeOf, ndiFolder, smallFormat, uniqueName } from './addon_fixture';

type AnyConstructor = new (options: unknown) => unknown;

const classes = addon as unknown as Record<
  'Finder' | 'Source' | 'Sender' | 'Receiver' | 'MovieCheck',
  AnyConstructor
>;
const good = { kind: 'white-line', ...smallFormat };
const hap = { path: 'movie.mov', startFrame: 0, preload: false, reads: 'cached' };

let source: Source;

beforeAll(() => {
  addon.loadNdi([ndiFolder]);
  source = new addon.Source({ kind: 'white-line', ...smallFormat });
});

afterAll(() => source.close());

test.each([
  ['no options', undefined, /options/],
  ['a number', 3, /options but received 3/],
  ['a list', [], /options but received a list/],
  [
    'no kind',
    { ...good, kind: undefined },
    /one of white-line, noise, movie, hap for kind but received undefined/,
  ],
  ['an unknown kind', { ...good, kind: 'opera' }, /for kind but received opera/],
  ['width 0', { ...good, width: 0 }, /from 320 to 16384 for width but received 0/],
  ['an odd width', { ...good, width: 641 }, /an even number for width but received 641/],
  ['a width that is no number', { ...good, width: '640' }, /for width but received 640/],
  ['half a row', { ...good, height: 360.5 }, /a whole number for height but received 360.5/],
  ['a huge height', { ...good, height: 99999 }, /for height but received 99999/],
  ['not a number', { ...good, rateNumerator: Number.NaN }, /for rateNumerator but received NaN/],
  ['no denominator', { ...good, rateDenominator: 0 }, /for rateDenominator but received 0/],
  ['too fast', { ...good, rateNumerator: 60000 }, /at most 1000 frames per second for rateNumerator/],
  ['an unknown format', { ...good, pixelFormat: 'nv12' }, /for pixelFormat but received nv12/],
  [
    'an endless offset',
    { ...good, wallOffsetUs: Number.POSITIVE_INFINITY },
    /for wallOffsetUs but received Infinity/,
  ],
  ['source id 0', { ...good, sourceId: 0 }, /from 1 to 65535 for sourceId but received 0/],
  ['a movie without a command', { ...good, kind: 'movie' }, /an object for command/],
  [
    'arguments that are no list',
    { ...good, kind: 'movie', command: { file: 'x', arguments: 'y' } },
    /command.arguments/,
  ],
  [
    'an argument that is no text',
    { ...good, kind: 'movie', command: { file: 'x', arguments: [1] } },
    /arguments\[0\]/,
  ],
  [
    'a null character',
    { ...good, kind: 'movie', command: { file: 'a\0b', arguments: [] } },
    /null characters/,
  ],
  ['a Hap movie without its file', { ...good, kind: 'hap' }, /an object for hap/],
  ['an empty path', { ...good, kind: 'hap', hap: { ...hap, path: '' } }, /for hap.path/],
  [
    'a frame below 0',
    { ...good, kind: 'hap', hap: { ...hap, startFrame: -1 } },
    /from 0 to 3999999 for hap.startFrame but received -1/,
  ],
  [
    'half a frame',
    { ...good, kind: 'hap', hap: { ...hap, startFrame: 0.5 } },
    /a whole number for hap.startFrame/,
  ],
  [
    'a preload that is no flag',
    { ...good, kind: 'hap', hap: { ...hap, preload: 'yes' } },
    /true or false for hap.preload but received yes/,
  ],
  [
    'reads that are none',
    { ...good, kind: 'hap', hap: { ...hap, reads: 'mapped' } },
    /one of cached, direct for hap.reads but received mapped/,
  ],
])('a source refuses %s', (_, options, expected) => {
  const thrown = codeOf(() => new classes.Source(options));
  expect(thrown.code).toBe('INVALID_ARGUMENT');
  expect(thrown.message).toMatch(expected);
});

test.each([
  ['no source', { name: 'x', senderId: 1 }, /a Source for source but received undefined/],
  ['an object that is no source', { source: {}, name: 'x', senderId: 1 }, /a Source for source/],
  [
    'a forged source',
    { source: Object.create(addon.Source.prototype), name: 'x', senderId: 1 },
    /a Source for source/,
  ],
])('a sender refuses %s', (_, options, expected) => {
  const thrown = codeOf(() => new classes.Sender(options));
  expect(thrown.code).toBe('INVALID_ARGUMENT');
  expect(thrown.message).toMatch(expected);
});

test('a sender refuses a bad name, a bad number, a name in use and a closed source', () => {
  const senderWith = (options: object) =>
    codeOf(() => new classes.Sender({ transport: 'ndi', source, name: 'x', senderId: 1, ...options }));
  expect(senderWith({ name: '' }).message).toMatch(/for name/);
  expect(senderWith({ senderId: 0 }).message).toMatch(/from 1 to 65535 for senderId but received 0/);
  const name = uniqueName();
  const sender = new addon.Sender({ transport: 'ndi', source, name, senderId: 1 });
  expect(senderWith({ name }).code).toBe('NDI_FAILED');
  expect(senderWith({ audio: 1 }).message).toMatch(/true or false for audio but received 1/);
  expect(senderWith({ answerTime: 'yes' }).message).toMatch(/true or false for answerTime but received yes/);
  sender.close();
  const closed = new addon.Source({ kind: 'noise', ...smallFormat });
  closed.close();
  expect(senderWith({ source: closed }).code).toBe('CLOSED');
});

test('sound needs a frame in each second', () => {
  const slow = new addon.Source({ kind: 'white-line', ...smallFormat, rateNumerator: 1, rateDenominator: 2 });
  const thrown = codeOf(
    () => new addon.Sender({ transport: 'ndi', source: slow, name: uniqueName(), senderId: 1, audio: true }),
  );
  slow.close();
  expect(thrown.code).toBe('INVALID_ARGUMENT');
  expect(thrown.message).toMatch(/false with less than one frame per second for audio but received true/);
});

test('a sender refuses faults that it cannot put in', () => {
  const sender = new addon.Sender({ transport: 'ndi', source, name: uniqueName(), senderId: 1 });
  const refusal = (fault: object) => codeOf(() => sender.setFaults([fault as Fault]));
  const one = { first: 7, last: 7 };
  const refusals: [object, RegExp][] = [
    [{ verb: 'melt', ...one }, /one of miss, skip, .*, delay for faults\[0\].verb but received melt/],
    [{ ...one }, /for faults\[0\].verb but received undefined/],
    [{ verb: 'stall', ...one }, /stalls are the receiver's.* for faults\[0\].verb but received stall/],
    [{ verb: 'skip', first: -1, last: 7 }, /for faults\[0\].first but received -1/],
    [{ verb: 'tear', first: 7, last: 6 }, /the first frame or one behind it for faults\[0\].last/],
    [{ verb: 'swap', ...one }, /a frame behind the first for faults\[0\].last but received 7/],
    [{ verb: 'delay', ...one }, /from 0 to 10000 for faults\[0\].delayMs but received undefined/],
    [{ verb: 'delay', ...one, delayMs: 0 }, /more than 0 for faults\[0\].delayMs but received 0/],
    [{ verb: 'delay', ...one, delayMs: 10_001 }, /for faults\[0\].delayMs but received 10001/],
  ];
  for (const [fault, expected] of refusals) {
    expect(refusal(fault).code).toBe('INVALID_ARGUMENT');
    expect(refusal(fault).message).toMatch(expected);
  }
  expect(codeOf(() => sender.setFaults('skip' as unknown as Fault[])).message).toMatch(/a list of faults/);
  for (const verb of faultVerbs) {
    if (verb === 'stall') continue;
    // Across the wrap of frame numbers too.
    sender.setFaults([{ verb, first: 0xffffffff, last: 3, ...(verb === 'delay' && { delayMs: 0.5 }) }]);
  }
  sender.close();
});

test.each([
  ['neither name nor address', { name: '', receiverName: 'r' }, /for name/],
  ['an empty address', { name: '', address: '', receiverName: 'r' }, /for name/],
  [
    'an address that is no text',
    { name: 'x', address: 5961, receiverName: 'r' },
    /for address but received 5961/,
  ],
  ['no name of its own', { name: 'x' }, /for receiverName/],
  [
    'an offset that is no number',
    { name: 'x', receiverName: 'r', wallOffsetUs: '0' },
    /for wallOffsetUs but received 0/,
  ],
  [
    'a log that cannot be written',
    { name: 'x', receiverName: 'r', captureLogPath: '/nowhere/log' },
    /captureLogPath.*\/nowhere\/log/,
  ],
])('a receiver refuses %s', (_, options, expected) => {
  const thrown = codeOf(() => new classes.Receiver(options));
  expect(thrown.code).toBe('INVALID_ARGUMENT');
  expect(thrown.message).toMatch(expected);
});

test('a receiver refuses bad stalls and questions that are too many', () => {
  const receiver = new addon.Receiver({ transport: 'ndi', name: 'NOBODY (nothing)', receiverName: 'r' });
  const verdictOf = (stalls: unknown) => codeOf(() => receiver.setStalls(stalls as []));
  expect(verdictOf({})).toEqual({
    code: 'INVALID_ARGUMENT',
    message: 'Expected a list of stalls for stalls but received an object',
  });
  expect(verdictOf([{ first: 0, last: 1 }, {}]).message).toMatch(
    /for stalls\[1\].first but received undefined/,
  );
  expect(verdictOf([{ first: 5, last: 4 }]).message).toMatch(/behind it for stalls\[0\].last but received 4/);
  expect(verdictOf([{ first: 5, last: 2 ** 32 }]).message).toMatch(
    /from 0 to 4294967295 for stalls\[0\].last/,
  );
  for (const rateHz of [-1, 20.1, Number.NaN]) {
    expect(codeOf(() => receiver.askTime({ rateHz })).message).toMatch(/a number from 0 to 20 for rateHz/);
  }
  receiver.close();
});

test.each([
  ['no options', undefined, /options/],
  ['no path', { decode: true }, /a text for path but received undefined/],
  ['an empty path', { path: '', decode: true }, /the path of a movie for path/],
  ['no word about reads', { path: 'movie.mov', decode: true }, /for reads but received undefined/],
  ['no word about decoding', { path: 'movie.mov' }, /true or false for decode but received undefined/],
])('a check of a movie refuses %s', (_, options, expected) => {
  const thrown = codeOf(() => new classes.MovieCheck(options));
  expect(thrown.code).toBe('INVALID_ARGUMENT');
  expect(thrown.message).toMatch(expected);
});

test('a finder refuses what is not a list of texts, and loadNdi too', () => {
  expect(codeOf(() => new classes.Finder({ transport: 'ndi', extraAddresses: '127.0.0.1' })).code).toBe(
    'INVALID_ARGUMENT',
  );
  expect(codeOf(() => new classes.Finder({ transport: 'ndi', groups: [1] })).message).toMatch(/groups\[0\]/);
  expect(codeOf(() => new classes.Finder({ transport: 'ndi', showLocal: 'yes' })).message).toMatch(
    /true or false for showLocal/,
  );
  expect(codeOf(() => addon.loadNdi('x' as unknown as string[])).code).toBe('INVALID_ARGUMENT');
});

describe('after closing, twice', () => {
  let finder: Finder;
  let sender: Sender;
  let receiver: Receiver;
  let check: MovieCheck;

  beforeAll(() => {
    finder = new addon.Finder({ transport: 'ndi' });
    sender = new addon.Sender({ transport: 'ndi', source, name: uniqueName(), senderId: 1 });
    receiver = new addon.Receiver({ transport: 'ndi', name: 'NOBODY (nothing)', receiverName: 'r' });
    check = new addon.MovieCheck({ path: 'movie.mov', decode: true, reads: 'cached' });
    for (const handle of [finder, sender, receiver, check, finder, sender, receiver, check]) handle.close();
  });

  test('every use throws CLOSED', () => {
    const uses = [
      () => finder.sources(),
      () => sender.status(),
      () => sender.setFaults([]),
      () => sender.sendMetadata('<x/>'),
      () => receiver.status(),
      () => receiver.connect({ name: 'x' }),
      () => receiver.setPreview({ rateHz: 1, maxWidth: 100 }),
      () => receiver.preview(0),
      () => receiver.setView(null),
      () => receiver.takeView(),
      () => receiver.askTime({ rateHz: 1 }),
      () => receiver.setStalls([]),
      () => check.status(),
    ];
    for (const use of uses) expect(codeOf(use).code).toBe('CLOSED');
  });

  test('the records stay readable', () => {
    expect(sender.drain().overflowed).toBe(0);
    expect(sender.drainMisses().overflowed).toBe(0);
    expect(receiver.drain().frameNumber.length).toBe(0);
    expect(receiver.drainAudio().samples.length).toBe(0);
    expect(receiver.drainTime().askedUs.length).toBe(0);
    expect(receiver.drainMetadata()).toEqual([]);
  });
});

test('a method torn from its object throws instead of crashing', () => {
  expect(() => addon.Source.prototype.drain.call({} as Source)).toThrow();
  expect(() => addon.Sender.prototype.drain.call(source as unknown as Sender)).toThrow();
});
