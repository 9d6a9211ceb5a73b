import { join } from 'node:path';
import { expect, test } from 'vitest';
import { csvOf } from '../../engine/reports/csv';
import { readRun } from '../../engine/sessions/read-run';
import type { FactData } from '../../facts/fact';
import { reasonOf, wordsOf } from '../../facts/reason-words';
import { idsOf, scalarOf } from '../../facts/row-figures';
import { recordedRunsFolder } from '../../testing/recorded-runs';
import {
  type FoundCode,
  type FoundData,
  foundOf,
  foundOnWindows,
  stoppedMeanwhile,
  textOfFound,
} from './found-reasons';
import { checkNotOk } from './reasons';

const name = 'x0';
const slot = { name, lanes: 4, gigatransfers: 8, carriedMbps: 31_508 };
const path = { name, host: 'h', pathMtuBytes: 1400, ownMtuBytes: 1500 };
const driver = { name, driver: 'ixgbe', version: '5.1', firmware: '0x8000', bus: '0000:01:00.0' };
const packets = { name, packets: 3, seconds: 0.5 };
const totals = { name, broken: 1, dropped: 2 };
const clock = { sync: 'unknown', by: 'NTP', offsetUs: -0.25, detail: 'stratum 3' };
const disk = { movie: 'clip.mov', measuredMBps: 500, neededMBps: 100 };
const groups = { name, groups: '224.0.0.251\n224.0.0.1', version: 3 };
const addresses = 'x0 (10.0.0.1)\nx1 (10.0.1.1)';
const servers = 'h:5959 (silent)';

/** Of each code the data that it may have. */
const examples: { [Code in FoundCode]: FoundData<Code> } = {
  loopback: {},
  'link-put-off': { name },
  'link-absent': { name },
  'half-duplex': { name },
  'speed-not-known': { name, why: 'no reason' },
  'speed-low': { name, speedMbps: 100 },
  speed: { name, speedMbps: 1000, isFullDuplex: true },
  'interface-absent': { name },
  driver,
  'driver-on-usb': driver,
  'driver-not-known': { name, why: null },
  mtu: { name, mtuBytes: 1500 },
  'mtu-small': { name, mtuBytes: 1400, usualBytes: 1500 },
  'mtu-beyond-switches': { name, mtuBytes: 16_348, mostBytes: 9000 },
  'mtu-large': { name, mtuBytes: 9000 },
  'mtu-not-reported': { name },
  'path-carries-all': { host: 'h', pathMtuBytes: 1500 },
  'path-reports-less': path,
  'path-drops-larger': path,
  'ping-not-answered': { host: 'h' },
  'eee-off': { name },
  'eee-on-one-end': { name },
  'eee-active': { name },
  'eee-not-known': { name, why: 'no reason' },
  offloads: { name, features: 'rx-gro\nof-later' },
  'offloads-off': { name, features: 'tx-scatter-gather\nrx-gro' },
  'offloads-not-known': { name, why: null },
  slot,
  'slot-narrow-enough': { ...slot, cardLanes: 8 },
  'slot-narrow': { ...slot, cardLanes: 8 },
  'slot-too-slow': { ...slot, speedMbps: 40_000 },
  'slot-not-reported': { name },
  'no-errors': totals,
  'broken-earlier': totals,
  'packets-broken': packets,
  'packets-dropped': packets,
  'packets-not-counted': { name },
  buffers: { receiveBytes: 4_194_304, sendBytes: 4_194_304 },
  'buffers-small': { receiveBytes: 212_992, sendBytes: 212_992, wantedBytes: 2_097_152 },
  'buffers-not-reported': {},
  governors: { governors: 'performance\nschedutil' },
  'governors-slow': { governors: 'powersave' },
  'power-plan': { plan: 'performance' },
  'power-plan-weak': { plan: 'quiet' },
  'power-not-known': { why: 'no reason' },
  clock,
  'clock-alone': { ...clock, by: '', offsetUs: null },
  'no-clock-heard': { seconds: 3 },
  'clocks-heard': { version1: 1, version2: 2, seconds: 0.5, senders: '10.0.0.9' },
  'clock-ports-refused': {},
  'disk-fast-enough': { ...disk, sources: 5 },
  'disk-just-enough': disk,
  'disk-too-slow': disk,
  'disk-from-memory': disk,
  'movie-not-named': {},
  'movie-not-hap': { movie: 'clip.mov', codec: 'h264' },
  'movie-rate-not-reported': { movie: 'clip.mov' },
  'tool-not-installed': { tool: 'dd' },
  'groups-not-needed': groups,
  'groups-with-querier': { ...groups, version: 2 },
  'querier-not-seen': groups,
  'igmp-old': { ...groups, version: 1 },
  'groups-not-listed': { name },
  'marks-elsewhere': { name, queues: 'fq\nnoqueue', markingRules: null },
  'traffic-shaped': { name, queues: 'tbf' },
  'queues-not-understood': {},
  'firewall-open': { rules: 3 },
  'firewall-drops': { ports: '5353/udp\n5961/tcp' },
  'firewall-may-drop': { ports: '5961/udp' },
  'host-takes-connections': { host: 'h', open: '5961', refused: '5960' },
  'no-sender-listens': { host: 'h', ports: '5960\n5961' },
  'host-silent': { host: 'h', ports: '5961' },
  'host-not-reached': { host: 'h', ports: '5960' },
  'host-not-named': {},
  'host-is-here': { host: 'h' },
  'daemon-answers': {},
  'daemon-silent': {},
  'bus-dead': {},
  'daemon-absent': {},
  'discovery-of-system': {},
  'multicast-over-loopback': { daemonRuns: true },
  'address-absent': { name, daemonRuns: true },
  'multicast-not-sent': { why: 'no reason', daemonRuns: false },
  'no-source-listed': {},
  'sources-answer': { sources: 2 },
  'sources-stale': { sources: 3, names: 'A (b, c)\nlost', places: '10.0.0.7:5961\n', states: 'silent\n' },
  'no-address': {},
  'one-interface': { addresses: 'x0 (10.0.0.1)' },
  'interfaces-chosen': { addresses },
  'several-interfaces': { addresses, path: '/etc/ndi.json' },
  'interfaces-in-one-network': { addresses, second: 'x1' },
  'no-discovery-server': {},
  'servers-answer': { servers },
  'server-silent': { servers, path: '/etc/ndi.json' },
  'not-known': { why: 'no reason' },
};
const all = Object.entries<FactData>(examples);

/** Names that a reason has beside the data of what was found. */
const ofReasons = [
  ...['check', 'state', 'found', 'foundCode', 'text', 'seen', 'seenBeside', 'stream', 'judged', 'rule'],
  ...['measuredFrom', 'measuredTo', 'brokenFrom', 'brokenTo'],
];

test.each(all)('%s tells all of its data', (code, data) => {
  const told = new Set<string>();
  const watched = new Proxy(data, {
    get(of, key: string) {
      told.add(key);
      return of[key];
    },
  });
  const texts = Object.values(textOfFound({ code, data: watched }, wordsOf) ?? {});
  expect([...told].sort()).toEqual(Object.keys(data).sort());
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) {
    expect(text).toMatch(/\w/);
    expect(text).not.toMatch(/undefined|null|NaN|\n|\[object/);
  }
  for (const name of ofReasons) expect(data).not.toHaveProperty(name);
});

test('on Windows no command of Linux is advised, and our own are', () => {
  const own = foundOnWindows(foundOf('power-not-known', { why: 'Windows’ power plan is Balanced' }));
  expect(textOfFound(own, wordsOf)?.command).toBe('whiteline run quiet');
  for (const [code, data] of all) {
    const text = textOfFound({ code, data: { ...data, ...own.data } }, wordsOf);
    expect(text?.command ?? 'whiteline run').toMatch(/^whiteline /);
  }
});

test.each(all)('%s of a file without its data is worded nevertheless', (code) => {
  for (const text of Object.values(textOfFound({ code, data: {} }, wordsOf) ?? {}))
    expect(text).not.toMatch(/undefined|null|NaN/);
});

test.each(all)('%s reads the same as a reason', (code, data) => {
  const found = { code: code as FoundCode, data };
  expect(wordsOf([checkNotOk('mtu', 'warning', found)])).toBe(textOfFound(found, wordsOf)?.found);
});

test('a list is told with its signs of old', () => {
  const textOf = (code: FoundCode) => textOfFound({ code, data: examples[code] }, wordsOf)?.found;
  expect(textOf('sources-stale')).toBe(
    '3 NDI sources are listed, and nothing answers at A (b, c) (10.0.0.7:5961, silent), lost (no address)',
  );
  expect(textOf('firewall-drops')).toBe(
    'rules of this machine drop 5353/udp (discovery), 5961/tcp (a sender)',
  );
  expect(textOf('groups-not-needed')).toBe(
    'x0 is in 2 groups (224.0.0.251, 224.0.0.1), by IGMP version 3; whether there is a querier cannot be seen; NDI is not set to multicast and needs none',
  );
  expect(textOf('marks-elsewhere')).toBe(
    'whether rules here set the mark for precedence (DSCP) cannot be read, and the queue of x0 is fq, noqueue',
  );
});

test('what must not compile: a check says what its words tell, and nothing else', () => {
  const refused = () => [
    // @ts-expect-error: without its data
    foundOf('mtu'),
    // @ts-expect-error: without a part of it
    foundOf('mtu-small', { name, mtuBytes: 1400 }),
    // @ts-expect-error: words for a number
    foundOf('mtu', { name, mtuBytes: '1400' }),
    // @ts-expect-error: a name that nothing tells
    foundOf('mtu', { name, mtuBytes: 1400, bytes: 1400 }),
    // @ts-expect-error: no code
    foundOf('mtu-unknown', { name }),
    // @ts-expect-error: it has the data of what was found, which `checkNotOk` gives it
    reasonOf('check-not-ok', { check: 'mtu', state: 'warning' }),
  ];
  expect(refused).toBeTypeOf('function');
});

test('a code that only a newer version knows', () => {
  const found = { code: 'of-later', data: { name } };
  expect(textOfFound(found, wordsOf)).toBeNull();
  expect(scalarOf({ figures: {}, found }, 'preflight.found')).toBeNull();
  expect(idsOf({ figures: {}, found })).toEqual([]);
  const reason = { code: 'check-not-ok', data: { check: 'mtu', foundCode: 'of-later', name } };
  expect(wordsOf([reason])).toBe('of-later');
});

test('several processes that were stopped are all named', () => {
  const stop = (role: string) => reasonOf('process-stopped', { role, seconds: 0.5, limitSeconds: 0.25 });
  const found = stoppedMeanwhile([stop('engine'), stop('receiving')]);
  expect(textOfFound(found, wordsOf)).toEqual({
    found:
      'our engine process was stopped for 0.5 s (limit 0.25 s); our receiving process was stopped for 0.5 s (limit 0.25 s)',
    advice: 'Check again',
  });
});

test('rows of an earlier version are shown with their sentences', () => {
  const run = readRun(join(recordedRunsFolder, 'preflight'));
  const [first, , third] = run.rows;
  if (!first || !third) throw new Error('the recorded run has fewer rows');
  expect(first.found).toBeUndefined();
  expect(scalarOf(first, 'preflight.found')).toBe('the speed of eth0 is not told: the driver does not tell');
  expect(scalarOf(third, 'preflight.command')).toBe('ip link set dev eth0 mtu 1500');
  expect(wordsOf(third.reason)).toBe('eth0 carries packets of up to 1400 bytes');
  const sentence = { check: 'mtu', state: 'warning', found: 'eth0 carries packets of up to 1400 bytes' };
  expect(wordsOf([{ code: 'check-not-ok', data: sentence }])).toBe(sentence.found);
});

test('a row of this version stands in a table as one of an earlier version does', () => {
  const run = readRun(join(recordedRunsFolder, 'preflight'));
  const old = run.rows.filter(({ details }) => details?.check === 'mtu');
  const [row] = old;
  if (!row) throw new Error('the recorded run has no row of the MTU');
  const found = foundOf('mtu-small', { name: 'eth0', mtuBytes: 1400, usualBytes: 1500 });
  const figures = Object.fromEntries(
    Object.entries(row.figures).filter(([id]) => !/^preflight\.(found|advice|command)$/.test(id)),
  );
  const present = { ...row, figures, found, reason: [checkNotOk('mtu', 'warning', found)] };
  // The words of an advice may change; the table that they stand in may not.
  const advice = textOfFound(found, wordsOf)?.advice ?? '';
  const worded = { ...row, figures: { ...row.figures, 'preflight.advice': advice } };
  expect(csvOf({ ...run, rows: [present] })).toBe(csvOf({ ...run, rows: [worded] }));
  expect(idsOf(present).sort()).toEqual(idsOf(row).sort());
});
