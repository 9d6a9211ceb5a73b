import { expect, test, vi } from 'vitest';
import { checkParameters, commandLine, readParameters } from './parameters';

test('a run can be repeated as a command line', () => {
  const parameters = readParameters({ source: "films/it's a film.mov", maxStreams: 2, holdSeconds: 2.5 });
  const command = commandLine('stream-load', parameters);
  expect(command).toMatch(/^whiteline run stream-load /);
  expect(command).toContain("--source 'films/it'\\''s a film.mov'");
  expect(command).toContain('--max-streams 2');
  expect(command).toContain('--hold 2.5s');
  expect(command).not.toContain('undefined');
  expect(command).not.toContain('--preload');
});

test('a switch is a flag without a value, and a fraction stays one', () => {
  const typed = { source: 'a.mov', preload: true, startFrame: 12, rate: '60000/1001' };
  const command = commandLine('stream-load', readParameters(typed));
  expect(command).toMatch(/--rate 60000\/1001 --start-frame 12 --preload(?! true)/);
  const without = commandLine('stream-load', readParameters({ source: 'a.mov', preload: false }));
  expect(without).not.toContain('preload');
});

test('the source is looked at last, and its problem is the answer', async () => {
  const choose = vi.fn(async () => {
    throw new Error('no such movie');
  });
  await expect(checkParameters({ source: 'a.mov' }, choose)).rejects.toThrow('no such movie');
  expect(choose).toHaveBeenCalledWith(expect.objectContaining({ source: 'a.mov', format: '1280x720@60' }));
});

test.each([
  [{ maxStreams: 1.5 }, 'maxStreams', 'Expected a whole number from 1 to 64 for maxStreams but received 1.5'],
  [{ holdSeconds: '5' }, 'holdSeconds', 'Expected a number from 0.5 to 86400 for holdSeconds but received 5'],
  [{ startFrame: -1 }, 'startFrame', /^Expected a whole number from 0 to 3999999 for startFrame/],
  [{ preload: 'yes' }, 'preload', 'Expected true or false for preload but received yes'],
  [{ rate: '59.9' }, 'rate', /^Expected frames per second up to 1000.+ for rate but received 59\.9/],
  [{ source: 5 }, 'source', 'Expected a text for source but received 5'],
  [{ format: '1x1@1' }, 'format', /^Expected an even width .+ for format but received 1x1@1/],
  [{ inject: 'tear:1' }, 'inject', /^Expected VERB:NUMBER .+ for inject but received tear:1/],
  [{ streams: 3 }, 'parameters', /^Expected a known parameter for parameters but received/],
])('%j is refused', async (input, field, message) => {
  const choose = vi.fn(async () => undefined);
  await expect(checkParameters(input, choose)).rejects.toMatchObject({
    ...{ code: 'BAD_INPUT', field, message: expect.stringMatching(message) },
  });
  expect(choose).not.toHaveBeenCalled();
});
