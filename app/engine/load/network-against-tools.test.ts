// @module-tag machine

import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'vite';
import { beforeAll, expect, test } from 'vitest';
import type { LoadSample } from '../../protocol/load';
import type { NamespaceReport } from '../../testing/namespace-load';
import { temporaryFolder } from '../../testing/temporary-folder';

/** Traffic that is known to the byte, in a network namespace of its own, under our sampler and the kernel's books. */

const folder = temporaryFolder();
let report: NamespaceReport;

/** Of UDP and of IP; loopback counts without the Ethernet header that comes before them. */
const headerBytes = 8 + 20;
const ethernetHeaderBytes = 14;
const withinShare = 0.01;

/** Interfaces in /sys are those of the namespace in which it was mounted. */
const asProgram = `mount -t sysfs sysfs /sys && ip link set lo up && exec "$@"`;

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: resolve('app/testing/namespace-load.ts'),
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: { output: { format: 'cjs', entryFileNames: 'program.cjs' } },
    },
  });
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const flags = [...asRoot, '--net', '--mount', 'sh', '-c', asProgram, 'sh', process.execPath];
  const { stdout } = await promisify(execFile)('unshare', [...flags, join(folder, 'program.cjs')], {
    maxBuffer: 1e7,
  });
  report = JSON.parse(stdout);
}, 30_000);

/** The samples that tile the time from before the first packet until after the last one: each reaches back by two. */
function tiles(): { sample: LoadSample; seconds: number }[] {
  const { samples, startNs, quietNs } = report;
  const first = samples.filter(({ atNs }) => atNs < startNs).length - 1;
  const tiled: { sample: LoadSample; seconds: number }[] = [];
  let before = samples[first];
  for (let index = first + 2; before && before.atNs < quietNs; index += 2) {
    const sample = samples[index];
    if (!sample) throw new Error('there are too few samples');
    tiled.push({ sample, seconds: (sample.atNs - before.atNs) / 1e9 });
    before = sample;
  }
  return tiled;
}

type Figure = (sample: LoadSample) => number | null | undefined;

function bytesOf(mbps: Figure): number {
  return tiles().reduce(
    (sum, { sample, seconds }) => sum + ((mbps(sample) ?? Number.NaN) * 1e6 * seconds) / 8,
    0,
  );
}

function countOf(count: Figure): number {
  return tiles().reduce((sum, { sample }) => sum + (count(sample) ?? Number.NaN), 0);
}

function on(
  name: string,
  figure: 'receiveMbps' | 'transmitMbps' | 'receiveDropped' | 'errors' | 'dropped',
): Figure {
  return ({ interfaces }) => interfaces.find((entry) => entry.name === name)?.[figure];
}

function expectWithin(ours: number, theirs: number): void {
  expect(Math.abs(ours / theirs - 1), `ours ${ours} bytes, theirs ${theirs} bytes`).toBeLessThan(withinShare);
}

/** Rise of a column of /proc/net/dev, counted after the name. */
function riseOf(name: string, column: number): number {
  const [before, after] = report.devices.map((text) => {
    const line = text.split('\n').find((entry) => entry.trim().startsWith(`${name}:`));
    return Number(line?.split(/[:\s]+/).filter((word) => word !== '')[1 + column]);
  });
  return (after ?? Number.NaN) - (before ?? Number.NaN);
}

const receiveColumn = 0;
const transmitColumn = 8;

test('what went out is what was sent, with its headers', () => {
  const { datagrams, payloadBytes, device } = report.load;
  const sent = datagrams * (payloadBytes + headerBytes + ethernetHeaderBytes);
  expectWithin(bytesOf(on(device, 'transmitMbps')), sent);
  expectWithin(
    bytesOf(({ wireTransmitMbps }) => wireTransmitMbps),
    sent,
  );
});

test('what came in is what was sent there, with its headers', () => {
  const { datagrams, payloadBytes, device, strayFrames, strayFrameBytes } = report.load;
  const sent = datagrams * (payloadBytes + headerBytes + ethernetHeaderBytes) + strayFrames * strayFrameBytes;
  expectWithin(bytesOf(on(device, 'receiveMbps')), sent);
  expectWithin(
    bytesOf(({ wireReceiveMbps }) => wireReceiveMbps),
    sent,
  );
});

test('loopback is apart from the wire, and carried what was sent through it', () => {
  const { datagrams, payloadBytes } = report.load;
  expectWithin(
    bytesOf(({ loopbackMbps }) => loopbackMbps),
    datagrams * (payloadBytes + headerBytes),
  );
});

test('bytes agree with /proc/net/dev', () => {
  const { device } = report.load;
  expectWithin(bytesOf(on(device, 'transmitMbps')), riseOf(device, transmitColumn));
  expectWithin(bytesOf(on(device, 'receiveMbps')), riseOf(device, receiveColumn));
  expectWithin(bytesOf(on('lo', 'transmitMbps')), riseOf('lo', transmitColumn));
});

test('packets that no one took are counted one by one, where they came in', () => {
  const { strayFrames, device } = report.load;
  expect(countOf(on(device, 'receiveDropped'))).toBe(strayFrames);
  expect(countOf(({ wireDropped }) => wireDropped)).toBe(strayFrames);
  expect(countOf(({ wireErrors }) => wireErrors)).toBe(0);
  expect(countOf(on('lo', 'dropped'))).toBe(0);
});

test('TCP segments that were sent again agree with nstat', () => {
  const reported = Number(/^TcpRetransSegs\s+(\d+)/m.exec(report.nstat)?.[1]);
  expect(reported).toBeGreaterThan(0);
  expect(countOf(({ tcpRetransmits }) => tcpRetransmits)).toBe(reported);
});

test('speed and MTU are those of the link', () => {
  const last = report.samples[report.samples.length - 1]?.interfaces ?? [];
  const { device, mtuBytes } = report.load;
  // A cable between namespaces has no speed; the kernel's driver says 10 Gb/s of each.
  expect(last.find(({ name }) => name === device)).toMatchObject({
    linkMbps: 10_000,
    mtuBytes,
    notMeasured: {},
  });
  expect(last.find(({ name }) => name === 'lo')).toMatchObject({
    linkMbps: null,
    mtuBytes: 65536,
    notMeasured: { linkMbps: 'loopback has no link' },
  });
});
