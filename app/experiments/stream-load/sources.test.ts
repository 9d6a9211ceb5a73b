import { expect, test } from 'vitest';
import { streamLoadParameters } from './declaration';
import { checkRamp, mixText, playedSources, sourcesEach } from './sources';

const parameters = (input: Record<string, unknown>) => streamLoadParameters.parse(input);

test('a mix plays sources of their own sizes and rates, and the default format where one has none', () => {
  const mix = ['white-line 1280x720@59.94', 'noise', 'films/a b.mov', 'clip.mov 640x360@60000/1001'];
  const mixed = parameters({ mix, format: '640x360@30', pixelFormat: 'bgra', reads: 'direct' });
  expect(playedSources(mixed)).toEqual([
    { source: 'white-line', format: '1280x720@59.94', pixelFormat: 'bgra' },
    { source: 'noise', format: '640x360@30', pixelFormat: 'bgra' },
    { source: 'films/a b.mov', format: '640x360@30', pixelFormat: 'bgra', reads: 'direct' },
    {
      ...{ source: 'clip.mov', format: '640x360@30', pixelFormat: 'bgra', scale: '640x360', rate: '59.94' },
      reads: 'direct',
    },
  ]);
  expect(mixText(mixed)).toBe('white-line 1280x720@59.94 + noise + films/a b.mov + clip.mov 640x360@59.94');
});

test('without a mix the one source is played with all that is set of it', () => {
  const [played, ...others] = playedSources(parameters({ source: 'a.mov', scale: '640x360', preload: true }));
  expect(played).toMatchObject({ source: 'a.mov', scale: '640x360', preload: true });
  expect(others).toEqual([]);
  expect(mixText(parameters({}))).toBe('');
});

test('direct reads are refused where a mix has no movie', () => {
  expect(() => playedSources(parameters({ mix: ['noise', 'white-line'], reads: 'direct' }))).toThrow(
    'Expected cached with a mix of generated sources for reads but received direct',
  );
});

test.each(['scale', 'rate', 'startFrame', 'preload'])('%s is refused beside a mix', (field) => {
  const values = { scale: '640x360', rate: '60', startFrame: 5, preload: true };
  const value = values[field as keyof typeof values];
  expect(() => playedSources(parameters({ mix: ['noise'], [field]: value }))).toThrow(
    new RegExp(`Expected no value with a mix for ${field} but received`),
  );
});

test.each([
  [['', 'noise'], /Expected a source, then its size and rate if they differ/],
  [['noise 0x0@60'], /for mix but received 0x0@60/],
  [['noise 640x360@0'], /Expected frames per second/],
])('a mix of %j is refused', (mix, sentence) => {
  const result = streamLoadParameters.safeParse({ mix });
  expect(result.error?.issues[0]?.message).toMatch(sentence);
});

test('a stream in a process of its own has a source of its own', () => {
  expect(sourcesEach(parameters({}))).toBe(false);
  expect(sourcesEach(parameters({ sources: 'each' }))).toBe(true);
  expect(sourcesEach(parameters({ processes: 'each' }))).toBe(true);
  expect(() => checkRamp(parameters({ processes: 'each', sources: 'shared' }))).toThrow(
    /Expected each where every stream has a process of its own for sources but received shared/,
  );
  expect(() => checkRamp(parameters({ processes: 'each', sources: 'each', start: 4 }))).not.toThrow();
  expect(() => checkRamp(parameters({ start: 5 }))).toThrow(
    /Expected no more than the maximum of 4 streams for start but received 5/,
  );
  const inject = 'skip:5';
  expect(() => checkRamp(parameters({ inject, injectFrom: 5 }))).toThrow(
    /Expected no more than the maximum of 4 streams for injectFrom but received 5/,
  );
  expect(() => checkRamp(parameters({ inject, injectFrom: 4 }))).not.toThrow();
  expect(() => checkRamp(parameters({ goal: 5 }))).toThrow(
    /Expected no more than the maximum of 4 streams for goal but received 5/,
  );
  expect(() => checkRamp(parameters({ goal: 4 }))).not.toThrow();
});
