import { expect, test, vi } from 'vitest';
import { streamLoadDeclaration as declaration } from '../../experiments/stream-load/declaration';
import { injectedFaults } from '../../experiments/stream-load/injected-faults';
import { badInput, eachProblem, toProblem } from '../../protocol/errors';
import { commandLine, readParameters } from './parameters';
import { checkParameters } from './prepared-run';

test('a run can be repeated as a command line', () => {
  const parameters = readParameters(declaration, {
    source: "films/it's a film.mov",
    maxStreams: 2,
    holdSeconds: 2.5,
  });
  const command = commandLine(declaration, parameters);
  expect(command).toMatch(/^whiteline run stream-load /);
  expect(command).toContain("--source 'films/it'\\''s a film.mov'");
  expect(command).toContain('--max-streams 2');
  expect(command).toContain('--hold 2.5s');
  expect(command).not.toContain('undefined');
  expect(command).not.toContain('--preload');
});

test('a switch is a flag without a value, and a fraction stays one', () => {
  const typed = { source: 'a.mov', preload: true, startFrame: 12, rate: '60000/1001' };
  const command = commandLine(declaration, readParameters(declaration, typed));
  expect(command).toMatch(/--rate 60000\/1001 --start-frame 12 --preload(?! true)/);
  const without = commandLine(declaration, readParameters(declaration, { source: 'a.mov', preload: false }));
  expect(without).not.toContain('preload');
  expect(without).not.toContain('audio');
  expect(commandLine(declaration, readParameters(declaration, { audio: false }))).toMatch(
    /--no-audio(?! false)/,
  );
});

test('the source is checked last, and its problem is the answer', async () => {
  const request = vi.fn(async (): Promise<never> => {
    throw new Error('no such movie');
  });
  const check = checkParameters('stream-load', { source: 'a.mov' }, { request }, []);
  await expect(check).rejects.toThrow(/a\.mov/);
});

test.each([
  [{ maxStreams: 1.5 }, 'maxStreams', 'Expected a whole number from 1 to 64 for maxStreams but received 1.5'],
  [
    { holdSeconds: '5' },
    'holdSeconds',
    'Expected a number from 1.5 to 86400 s for holdSeconds but received 5',
  ],
  [{ startFrame: -1 }, 'startFrame', /^Expected a whole number from 0 to 3999999 for startFrame/],
  [{ preload: 'yes' }, 'preload', 'Expected true or false for preload but received yes'],
  [{ rate: '59.9' }, 'rate', /^Expected frames per second from 0.5 to 1000.+ for rate but received 59\.9/],
  [{ source: 5 }, 'source', 'Expected a text for source but received 5'],
  [{ format: '1x1@1' }, 'format', /^Expected an even width .+ for format but received 1x1@1/],
  [{ inject: 'drop:1' }, 'inject', /^Expected VERB:NUMBERS .+ for inject but received drop:1/],
  [{ streams: 3 }, 'parameters', /^Expected a known parameter for parameters but received/],
])('%j is refused', async (input, field, message) => {
  const request = vi.fn();
  await expect(checkParameters('stream-load', input, { request }, [])).rejects.toMatchObject({
    ...{ code: 'BAD_INPUT', field, message: expect.stringMatching(message) },
  });
  expect(request).not.toHaveBeenCalled();
});

test('faults are checked at the rate of what is played, and against the length of the row', async () => {
  const check = (inject: string) =>
    checkParameters(
      'stream-load',
      { inject, format: '1280x720@60', holdSeconds: 10 },
      { request: vi.fn() },
      [],
    );
  await expect(check('skip:598-599; black:596')).resolves.toMatchObject({ played: { remarks: [] } });
  await expect(check('skip:598-600')).rejects.toThrow('Expected faults within the 600 frames of the row');
  const inject = 'delay:10,50ms; skip:14';
  await expect(check(inject)).rejects.toThrow('reaches to 14 at this rate');
  const slow = { numerator: 6000, denominator: 1001 };
  expect(injectedFaults(readParameters(declaration, { inject, holdSeconds: 10 }), slow)).toHaveLength(2);
});

test('all fields that are wrong are named at once, each once', async () => {
  const typed = { maxStreams: 500, holdSeconds: 'abc', warmUpSeconds: 1, format: '1x1@1', audio: 'loud' };
  const refusal: unknown = await checkParameters('stream-load', typed, { request: vi.fn() }, []).catch(
    (error: unknown) => error,
  );
  const problems = eachProblem(toProblem(refusal));
  expect(problems.map(({ field }) => field).sort()).toEqual(['audio', 'format', 'holdSeconds', 'maxStreams']);
  expect(problems.every(({ code, others }) => code === 'BAD_INPUT' && others === undefined)).toBe(true);
  expect(problems.map(({ value }) => value)).toContain('abc');
});

test('a single field that is wrong has no others', async () => {
  const refusal: unknown = await checkParameters(
    'stream-load',
    { maxStreams: 500 },
    { request: vi.fn() },
    [],
  ).catch((error: unknown) => error);
  expect(toProblem(refusal)).not.toHaveProperty('others');
});

test('what fields ask of each other is said of all of them at once, a source that cannot be played too', async () => {
  const request = vi.fn().mockRejectedValue(badInput('source', 'a movie', 'a.mov'));
  const typed = { start: 9, goal: 8, maxStreams: 4, processes: 'each', sources: 'shared', source: 'a.mov' };
  const refusal: unknown = await checkParameters('stream-load', typed, { request }, []).catch(
    (error: unknown) => error,
  );
  const fields = eachProblem(toProblem(refusal)).map(({ field }) => field);
  expect(fields).toEqual(['start', 'goal', 'sources', 'source']);
});

test.each([
  ['link', { warnPercent: 95, maxStreams: 4, sendOn: 'a', receiveOn: 'a' }, ['maxStreams', 'warnPercent']],
  ['matrix', { on: 'a', link: false, leastMbps: 5 }, ['on', 'leastMbps']],
  [
    'nmos-scale',
    { expirySeconds: 2, kill: true, crosspoints: 900 },
    ['expirySeconds', 'crosspoints', 'registryCount'],
  ],
  [
    'fan-out',
    { link: 9, groupPort: 7410, domain: 0, receiveBufferBytes: 4096 },
    ['namespaces', 'receiveBufferBytes', 'groupPort'],
  ],
])('%s says all that its fields ask of each other', async (id, typed, fields) => {
  const refusal: unknown = await checkParameters(id, typed, { request: vi.fn() }, []).catch(
    (error: unknown) => error,
  );
  const found = eachProblem(toProblem(refusal)).map(({ field }) => field);
  expect(found).toEqual(expect.arrayContaining(fields));
});
