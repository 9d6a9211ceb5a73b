import { expect, test } from 'vitest';
import { declarations } from '../../experiments/declarations';
import { badInput, eachProblem, toProblem } from '../../protocol/errors';
import type { NativeHost } from '../capabilities/native-host';
import { experimentOf } from '../experiment/experiment-of';
import { parameterSchemas } from './parameters';
import { checkParameters } from './prepared-run';

const noMovie: NativeHost = {
  request: async () => {
    throw badInput('source', 'a movie', 'absent.mov');
  },
};

async function fieldsOf(id: string, typed: Record<string, unknown>, connected: string[] = []) {
  const refusal: unknown = await checkParameters(id, typed, noMovie, connected).then(
    () => null,
    (error: unknown) => error,
  );
  return refusal === null ? [] : eachProblem(toProblem(refusal)).map(({ field }) => field);
}

test.each([
  ['stream-load', { source: '/absent.mov', maxStreams: 500 }, ['maxStreams', 'source']],
  ['stream-load', { source: '/absent.mov', format: '1x1@1' }, ['format', 'source']],
  ['stream-load', { mix: ['noise', '/absent.mov'], repeats: 0 }, ['repeats', 'mix']],
  ['receiver-fan-out', { source: '/absent.mov', maxReceivers: 500 }, ['maxReceivers', 'source']],
  [
    'transport',
    { source: '/absent.mov', runtimes: ['/no'], maxStreams: 500 },
    ['maxStreams', 'source', 'runtimes'],
  ],
  ['transport', { receiverNamespace: '/no', maxStreams: 500 }, ['maxStreams', 'receiverNamespace']],
  [
    'pacing',
    { interface: 'no0', peerInterface: 'no1', repeats: 0 },
    ['repeats', 'interface', 'peerInterface'],
  ],
  ['pacing', { beside: 'stream-load', source: '/absent.mov', repeats: 0 }, ['repeats', 'source']],
  ['link', { host: 'no-such.invalid', repeats: 0 }, ['repeats', 'host']],
  ['link', { host: 'no-such.invalid', passPercent: 5, warnPercent: 9 }, ['warnPercent', 'host']],
  ['storage', { folders: ['/absent'], holdSeconds: -1 }, ['holdSeconds', 'folders']],
  ['codec-quality', { sources: ['/absent.mov'], frames: 0 }, ['frames', 'sources']],
  [
    'preflight',
    { host: 'no-such.invalid', interface: 'no0', movie: '/absent.mov', senders: -1 },
    ['senders', 'host', 'interface', 'movie'],
  ],
])('of %s with %j, what this machine lacks is said beside what is wrong', async (id, typed, fields) => {
  expect(await fieldsOf(id, typed)).toEqual(fields);
});

test.each([
  [
    'the movie of another machine',
    'stream-load',
    { source: '/absent.mov', sendOn: 'aa', maxStreams: 500 },
    ['maxStreams'],
  ],
  ['a movie beside a mix', 'stream-load', { source: '/absent.mov', mix: ['noise'], repeats: 0 }, ['repeats']],
  ['a source that is none', 'stream-load', { source: '', maxStreams: 500 }, ['source', 'maxStreams']],
  [
    'a source that plays beside nothing',
    'pacing',
    { beside: 'nothing', source: '/absent.mov', repeats: 0 },
    ['repeats'],
  ],
  ['the host of a pair', 'link', { host: 'no-such.invalid', sendOn: 'aa', repeats: 0 }, ['repeats']],
  ['the interface of another machine', 'preflight', { interface: 'no0', on: 'aa', senders: -1 }, ['senders']],
  ['an interface of machines', 'pacing', { interface: 'no0', sendOn: 'aa', repeats: 0 }, ['repeats']],
])('nothing is said of %s', async (_, id, typed, fields) => {
  expect(await fieldsOf(id, typed, ['aa'])).toEqual(fields);
});

test.each([
  ['sendOn', 'stream-load', { sendOn: 'mars' }],
  ['receiveOn', 'stream-load', { receiveOn: 'this machine,mars' }],
  ['on', 'preflight', { on: 'aa, mars' }],
  ['on', 'matrix', { on: 'aa,mars' }],
])('a machine that is not there is refused at %s of %s, with those that are', async (field, id, typed) => {
  const refused = checkParameters(id, typed, noMovie, ['aa', 'bb']);
  await expect(refused).rejects.toMatchObject({
    ...{
      field,
      value: 'mars',
      message: `Expected a machine whose agent is connected for ${field} but received mars`,
    },
    remedy: expect.stringContaining('Connected: aa, bb.'),
  });
});

test('machines that are there are not refused, and one that is not beside another field is', async () => {
  expect(await fieldsOf('stream-load', { sendOn: 'aa', receiveOn: 'bb' }, ['aa', 'bb'])).toEqual([]);
  expect(await fieldsOf('stream-load', { sendOn: 'mars', maxStreams: 500 })).toEqual([
    'maxStreams',
    'sendOn',
  ]);
});

test('what a machine is asked are parameters of the experiment', () => {
  const asked = declarations.flatMap(({ id }) => {
    const { declaration, machineChecks = [] } = experimentOf(id);
    const known = Object.keys(parameterSchemas(declaration));
    return machineChecks.flatMap(({ fields }) =>
      fields.map((field) => ({ id, field, isKnown: known.includes(field) })),
    );
  });
  expect(asked.filter(({ isKnown }) => !isKnown)).toEqual([]);
  expect(new Set(asked.map(({ id }) => id)).size).toBeGreaterThan(6);
});
