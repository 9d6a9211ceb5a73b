// @module-tag machine

import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { machineClock } from '../engine/clock';
import { NodeApplication } from '../engine/node-application';
import { readSession } from '../engine/sessions/read-session';
import { AudioOffset } from '../engine/streams/clocks/audio-offset';
import { ClockOffset } from '../engine/streams/clocks/clock-offset';
import { slotPeriodNs } from '../engine/streams/counting/schedule';
import { HostConnection } from '../engine/streams/host-connection';
import { ndiTransport } from '../engine/streams/ndi-candidates';
import { rowSchema } from '../facts/row';
import { numberOf } from '../facts/row-figures';
import { exitCodes } from '../protocol/errors';
import type { OpenSource, ReceiverReport, RecordsMessage } from '../protocol/host';
import { PictureStatus } from '../protocol/records';
import { parseSharedRecords } from '../protocol/shared-records';
import { uniqueName, WhitelineCommand } from '../testing/command';
import { readStreamRun } from '../testing/named-rows';
import { sharedLoad } from '../testing/shared-load';
import { outputPaths, temporaryFolder } from '../testing/temporary-folder';
import { ndiPath } from './folders';

/** Processes of this machine, one of which has another machine's clock; real NDI between them. */
const skew = { WHITELINE_CLOCK_SKEW: '37ms,20ppm' };
const skewMs = 37;
const skewPpm = 20;
/** More than the latency of a small picture over loopback on a busy machine. */
const plausibleLatencyMs = 50;
/** It is about 0.1 ms where the processes need not wait for a processor. */
const mostShownMs = 5;

const folder = temporaryFolder();
const pathFor = outputPaths(folder);
const rate = { numerator: 30, denominator: 1 };
const options: OpenSource = {
  ...{ kind: 'white-line', width: 640, height: 360, rateNumerator: 30, rateDenominator: 1 },
  pixelFormat: 'uyvy',
};

let sender: WhitelineCommand | null = null;
let hosts: HostConnection[];
beforeEach(() => {
  hosts = [];
});
afterEach(() => {
  sender?.signal('SIGKILL');
  for (const host of hosts) void host.close();
  vi.unstubAllEnvs();
});

async function startHost(
  role: 'sending' | 'receiving',
  wallOffsetUs: number,
  onRecords: (message: RecordsMessage) => void = () => undefined,
): Promise<HostConnection> {
  const application = new NodeApplication({
    streamHostFile: resolve('dist/app/streamhost.cjs'),
    reportTemplate: '',
    appFolder: '',
  });
  const onDeath = (exitCode: number): void => {
    throw new Error(`the ${role} host ended with code ${exitCode}`);
  };
  const events = { onRecords, onDeath };
  const host = new HostConnection(role, application.spawnStreamHost(role), events, machineClock);
  hosts.push(host);
  const ready = await host.start({ transport: ndiTransport(ndiPath(), resolve('.')) }, wallOffsetUs);
  expect(ready.transportProblem).toBeNull();
  return host;
}

test('a host with another machine’s clock is found out within the shown ±, and its latency and sound are measured', async () => {
  const wallOffsetUs = machineClock.wallOffsetUs();
  const reports: ReceiverReport[] = [];
  const receiving = await startHost('receiving', wallOffsetUs, ({ receivers }) => reports.push(...receivers));
  vi.stubEnv('WHITELINE_CLOCK_SKEW', skew.WHITELINE_CLOCK_SKEW);
  const beforeNs = machineClock.monotonicNs();
  const sending = await startHost('sending', wallOffsetUs);
  const afterNs = machineClock.monotonicNs();

  await sending.request({ name: 'openSource', sourceId: 1, codeSourceId: 4711, options });
  const sourceName = await sending.request({
    ...{ name: 'openSender', streamId: 1, sourceId: 1, senderName: uniqueName() },
    ...{ shareRecords: true, audio: true },
  } as const);
  await sending.request({ name: 'sendLoad', load: sharedLoad({ measuredNs: 1, cpuPercent: 12.5 }) });
  const receiver = {
    name: 'openReceiver',
    streamId: 1,
    sourceName: String(sourceName),
    askTime: true,
  } as const;
  await receiving.request(receiver);
  const pictures = (): number =>
    reports.reduce((total, { captures }) => total + captures.captureNs.length, 0);
  await vi.waitFor(() => expect(pictures()).toBeGreaterThan(0));
  await machineClock.sleep(6000);
  await receiving.request({ name: 'flush' });
  const endNs = machineClock.monotonicNs();

  const reported = reports
    .flatMap(({ metadata }) => metadata)
    .flatMap((xml) => parseSharedRecords(xml) ?? []);
  expect(reported.length).toBeGreaterThan(10);
  expect(reported[reported.length - 1]).toMatchObject({ boot: '', wallOffsetUs });
  // Once, and not again.
  expect(reported.flatMap(({ load }) => load ?? [])).toEqual([
    sharedLoad({ measuredNs: 1, cpuPercent: 12.5 }),
  ]);
  const submitted = new Set(reported.flatMap(({ submitted }) => [...submitted]));
  const sourceId = reported[0]?.sourceId ?? 0;

  const clock = new ClockOffset(wallOffsetUs);
  const audio = new AudioOffset({ periodNs: slotPeriodNs(rate) }, Math.min(...submitted));
  const frames: { captureNs: number; frameNumber: number; releaseTimeUs: number }[] = [];
  for (const { time, audio: sound, captures } of reports) {
    clock.add(time);
    audio.addSound(sound);
    audio.addPictures(captures, sourceId);
    for (const [index, captureNs] of captures.captureNs.entries()) {
      if (captures.status[index] !== PictureStatus.Good) continue;
      const frameNumber = captures.frameNumber[index] ?? 0;
      frames.push({ captureNs, frameNumber, releaseTimeUs: captures.releaseTimeUs[index] ?? 0 });
    }
  }

  expect(clock.answers).toBeGreaterThan(20);
  expect(clock).toMatchObject({ stepCount: 0, refused: 0, overflowed: 0 });
  for (let atNs = endNs - 4e9; atNs < endNs; atNs += 0.1e9) {
    const estimateMs = (clock.differenceUs(atNs) ?? Number.NaN) / 1000;
    const shownMs = (clock.uncertaintyUs(atNs) ?? Number.NaN) / 1000;
    const [leastMs = 0, mostMs = 0] = [afterNs, beforeNs].map(
      (startNs) => skewMs + ((atNs - startNs) / 1e6) * (skewPpm / 1e6),
    );
    expect(estimateMs + shownMs).toBeGreaterThanOrEqual(leastMs);
    expect(estimateMs - shownMs).toBeLessThanOrEqual(mostMs);
    expect(shownMs).toBeLessThan(mostShownMs);
  }

  const latenciesMs = frames
    .filter(({ captureNs }) => captureNs > endNs - 4e9)
    .map(({ captureNs, releaseTimeUs }) => {
      const releasedUs = (captureNs / 1000 + (clock.offsetUs(captureNs) ?? Number.NaN)) % 2 ** 48;
      return (releasedUs - releaseTimeUs) / 1000;
    })
    .sort((a, b) => a - b);
  const medianMs = latenciesMs[latenciesMs.length >> 1] ?? Number.NaN;
  expect(medianMs).toBeGreaterThan(0);
  expect(medianMs).toBeLessThan(plausibleLatencyMs);

  const numbers = frames.map(({ frameNumber }) => frameNumber).filter((number) => submitted.has(number));
  const [first = 0, last = 0] = [numbers[30], numbers[numbers.length - 30]];
  const sound = audio.over(first, last, (slot) => submitted.has(slot));
  expect(sound?.blocksMissing).toBe(0);
  expect(Math.abs(sound?.offsetMs ?? Number.NaN)).toBeLessThan(plausibleLatencyMs);
  expect(audio.driftMs(first, last)).not.toBeNull();
});

test('the watcher of a sender on another machine shows the clocks’ difference and a plausible latency, each with its ±', async () => {
  const name = uniqueName();
  const startedNs = machineClock.monotonicNs();
  sender = new WhitelineCommand(['send', '--name', name, '--format', '640x360@30'], skew);
  await sender.says(new RegExp(`Sending white-line 640x360@30 as ${name} 1`));
  const session = pathFor('watched');
  const flags = ['--duration', '4', '--session', session, '--json'];
  const watch = new WhitelineCommand(['watch', `${name} 1`, ...flags]);
  const { exitCode, errors } = await watch.ended;
  expect([exitCodes.pass, exitCodes.fail, exitCodes.invalid], errors).toContain(exitCode);

  expect(errors).toContain(`\nSession: ${session}\n`);
  const [recorded] = readSession(session).runs;
  expect(recorded).toMatchObject({ experiment: 'watch', state: 'finished' });
  const [stream] = readStreamRun(join(session, recorded?.folder ?? '')).rows[0]?.perStream ?? [];
  const { clockOffsetMs, latencyUncertaintyMs, latencyMs } = stream ?? {};
  expect(latencyUncertaintyMs, JSON.stringify(stream?.notMeasured)).toBeGreaterThan(0);
  expect(latencyUncertaintyMs).toBeLessThan(mostShownMs);
  const driftMs = ((machineClock.monotonicNs() - startedNs) / 1e6) * (skewPpm / 1e6);
  // Each command takes the wall offset of its release clock by itself.
  const wallMs = 1;
  const shownMs = (latencyUncertaintyMs ?? 0) + wallMs;
  expect(clockOffsetMs).toBeGreaterThan(skewMs - shownMs);
  expect(clockOffsetMs).toBeLessThan(skewMs + driftMs + shownMs);
  expect(latencyMs?.p50).toBeGreaterThan(0);
  expect(latencyMs?.p50).toBeLessThan(plausibleLatencyMs);

  expect(JSON.parse(watch.output.trim().split('\n').at(-1) ?? '')).toMatchObject({
    ...{ type: 'end', verdict: recorded?.verdict, exitCode, folder: join(session, recorded?.folder ?? '') },
  });
  const row = rowSchema.parse(JSON.parse(watch.output.trim().split('\n').at(-2) ?? ''));
  expect(numberOf(row, 'latencyUncertaintyMs')).toBeGreaterThan(0);
  await watch.leavesNothingBehind();
  sender.signal('SIGINT');
  await sender.ended;
  await sender.leavesNothingBehind();
});

test('a clock that no one understands is refused before anything is sent', async () => {
  const command = new WhitelineCommand(['send', '--name', uniqueName()], { WHITELINE_CLOCK_SKEW: '37' });
  const { exitCode, errors, output } = await command.ended;
  expect(errors).toMatch(
    /Expected an offset and a rate like "37ms,20ppm".+WHITELINE_CLOCK_SKEW but received 37/,
  );
  expect(exitCode).toBe(exitCodes.badInput);
  expect(output).toBe('');
  await command.leavesNothingBehind();
});
