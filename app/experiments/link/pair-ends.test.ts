import { expect, test } from 'vitest';
import type { LinkEnd } from '../../engine/machines/link-end';
import { exitCodes, WhitelineError } from '../../protocol/errors';
import { whiteline } from '../../testing/command-here';
import { iperfVersions, type PairEnd } from './pair-ends';

const pair = ['--send-on', 'render-1', '--receive-on', 'display-1'];

test.each([
  [[...pair, '--host', '10.83.0.3'], 'Expected no host beside machines of the fleet'],
  [[...pair, '--port', '5201'], 'Expected no host beside machines of the fleet'],
  [['--send-on', 'render-1', '--receive-on', 'render-1'], 'another machine than that which sends'],
  [['--receive-on', 'render-1,display-1'], 'Expected one machine for --receive-on'],
])('%j is refused, with what to do', async (words, message) => {
  const { errors, exitCode } = await whiteline('run', 'link', ...words);
  expect(errors).toContain(message);
  expect(exitCode).toBe(exitCodes.badInput);
});

/** Nothing but its version is asked for. */
function end(name: string, iperfVersion: LinkEnd['iperfVersion']): PairEnd {
  const refused = (): never => {
    throw new Error('nothing is started before both have iperf3');
  };
  const link = { addresses: [], iperfVersion, serve: refused, reaches: refused };
  return { name, host: name, link, machine: null };
}

const missing = async (): Promise<never> => {
  throw new WhitelineError({ code: 'TOOL_MISSING', message: 'iperf3 is not installed, or not in PATH' });
};
const isThere = async (): Promise<string> => 'iperf 3.12';

test('a machine that lacks iperf3 is named with what to do, and so are both', async () => {
  const lacks = (name: string): string =>
    `${name}: iperf3 is not installed, or not in PATH. Install it (Debian: apt-get install iperf3)`;
  await expect(iperfVersions(end('render-1', isThere), end('display-1', missing))).rejects.toMatchObject({
    code: 'REQUIREMENT_MISSING',
    message: lacks('display-1'),
  });
  await expect(iperfVersions(end('render-1', missing), end('display-1', missing))).rejects.toMatchObject({
    message: `${lacks('render-1')}. ${lacks('display-1')}`,
  });
  expect(await iperfVersions(end('render-1', isThere), end('display-1', isThere))).toEqual({
    ...{ caller: 'iperf 3.12', server: 'iperf 3.12' },
  });
});

test('a server that cannot be started of an old iperf3 is refused by its machine, a client of it is not', async () => {
  const old = async (): Promise<string> => 'iperf 3.1';
  await expect(iperfVersions(end('render-1', isThere), end('display-1', old))).rejects.toThrow(
    /^display-1: Whiteline can start a server of iperf3 from 3\.2 on/,
  );
  expect(await iperfVersions(end('render-1', old), end('display-1', isThere))).toMatchObject({
    caller: 'iperf 3.1',
  });
});
