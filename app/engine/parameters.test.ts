import { expect, test } from 'vitest';
import { checkParameters, commandLine, readParameters } from './parameters';

test('a run can be repeated as a command line', () => {
  const parameters = readParameters({ source: "films/it's a film.mov", maxStreams: 2, holdSeconds: 2.5 });
  const command = commandLine('stream-load', parameters);
  expect(command).toMatch(/^whiteline run stream-load /);
  expect(command).toContain("--source 'films/it'\\''s a film.mov'");
  expect(command).toContain('--max-streams 2');
  expect(command).toContain('--hold 2.5s');
  expect(command).not.toContain('undefined');
});

test.each([
  [{ maxStreams: 1.5 }, 'maxStreams', 'Expected a whole number from 1 to 64 for maxStreams but received 1.5'],
  [{ holdSeconds: '5' }, 'holdSeconds', 'Expected a number from 0.5 to 86400 for holdSeconds but received 5'],
  [{ source: 5 }, 'source', 'Expected a text for source but received 5'],
  [{ format: '1x1@1' }, 'format', /^Expected an even width .+ for format but received 1x1@1/],
  [{ inject: 'tear:1' }, 'inject', /^Expected VERB:NUMBER .+ for inject but received tear:1/],
  [{ streams: 3 }, 'parameters', /^Expected a known parameter for parameters but received/],
])('%j is refused', async (input, field, message) => {
  await expect(checkParameters(input)).rejects.toMatchObject({
    ...{ code: 'BAD_INPUT', field, message: expect.stringMatching(message) },
  });
});
