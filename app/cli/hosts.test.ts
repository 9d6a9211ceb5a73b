import { expect, test } from 'vitest';
import { problemText, toProblem } from '../protocol/errors';
import { foundAddresses, foundHosts } from './hosts';

const asked: string[] = [];

async function find(name: string): Promise<void> {
  asked.push(name);
  if (name === 'nohost') throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
}

async function whyNot(looking: Promise<unknown>): Promise<string> {
  return looking.then(
    () => '',
    (error) => problemText(toProblem(error)),
  );
}

test.each([
  [
    'nohost:5961',
    /^Expected a host that can be found \(nohost: ENOTFOUND\) for address but received nohost:5961\. Check the name/,
  ],
  [
    '999.1.1.1:5961',
    /^Expected an IPv4 address of four numbers .+ for address but received 999\.1\.1\.1\. Use/,
  ],
  ['render:99999', /^Expected a port from 1 to 65535 .+ for address but received render:99999\. Use/],
  ['render:5961', /^$/],
  ['192.0.2.7:5961', /^$/],
])('--address %s', async (text, why) => {
  expect(await whyNot(foundAddresses(['render:5961', text], ['A', 'B'], find))).toMatch(why);
});

test.each([
  [
    ['192.0.2.7', 'nohost'],
    /^Expected a host that can be found \(nohost: ENOTFOUND\) for from but received nohost\. Check/,
  ],
  [['a host'], /^Expected the name or address of a host for from but received a host\. Use/],
  [['render', '2001:db8::1'], /^$/],
])('--from %s', async (hosts, why) => {
  expect(await whyNot(foundHosts(hosts, find))).toMatch(why);
});

test('an address is not asked for, and nor are the hosts that are set for this machine', async () => {
  asked.length = 0;
  await foundHosts(['192.0.2.7', '::1'], find);
  await foundAddresses(['192.0.2.7:5961'], ['A'], find);
  await foundHosts(undefined, find);
  expect(asked).toEqual([]);
});

test('more addresses than names are refused', async () => {
  const typed = ['192.0.2.7:5961', '192.0.2.8:5961'];
  expect(await whyNot(foundAddresses(typed, ['A'], find))).toBe(
    'Expected one for each name at most for address but received 192.0.2.8:5961. Leave it out, or name its sender',
  );
});
