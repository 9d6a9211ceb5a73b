import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineClock } from '../engine/clock';
import { leastPlanFrames } from '../engine/faults/plan';
import { runSelftest } from '../engine/faults/selftest';
import { appVersion } from '../engine/sessions/environment';
import { Workbench } from '../engine/workbench';
import type { Certificate } from '../protocol/certificate';
import { badInput, exitCodes, WhitelineError } from '../protocol/errors';
import type { LoadSample } from '../protocol/load';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { abortOnInterrupt } from './interrupt';
import { print, printJson } from './terminal';
import { wholeNumber } from './whole-number';

interface SelftestFlags {
  frames: string;
  seed?: string;
  json?: boolean;
}

/** An hour at 60 frames a second. */
const mostFrames = 216_000;

/** Proves the instrument right on this very machine, or says what it counted wrong. */
export async function selftestCommand(flags: SelftestFlags): Promise<number> {
  const frames = wholeNumber(flags.frames, 'frames');
  if (frames < leastPlanFrames || frames > mostFrames)
    throw badInput('frames', `a whole number from ${leastPlanFrames} to ${mostFrames}`, flags.frames);
  const seed = flags.seed === undefined ? Date.now() % 1e9 : wholeNumber(flags.seed, 'seed');
  const logFolder = mkdtempSync(join(tmpdir(), 'whiteline-selftest-'));
  const samples: LoadSample[] = [];
  const abort = abortOnInterrupt();
  const bench = new Workbench({
    application: nodeApplication(),
    clock: machineClock,
    appFolder,
    ndiPath: ndiPath(),
    captureLogFolder: logFolder,
    noteEvent: () => undefined,
    onSample: (sample) => samples.push(sample),
    onChange: () => undefined,
  });
  try {
    const ready = await bench.start();
    if (ready.ndiProblem) throw new WhitelineError(ready.ndiProblem);
    if (!flags.json) print(`Self-test of ${frames} frames with the seed ${seed} …`);
    const certificate = await runSelftest({
      ...{ bench, logFolder, frames, seed, signal: abort.signal },
      samples: () => samples,
      whiteline: appVersion(appFolder),
      ndi: ready.ndi?.version ?? '',
    });
    if (flags.json) printJson(certificate);
    else print(...certificateText(certificate));
    return { EQUAL: exitCodes.pass, 'NOT EQUAL': exitCodes.fail, INVALID: exitCodes.invalid }[
      certificate.result
    ];
  } finally {
    void bench.close();
    rmSync(logFolder, { recursive: true, force: true });
  }
}

function certificateText(certificate: Certificate): string[] {
  const { verbs, checks, machine } = certificate;
  const unequal = checks.filter(({ equal }) => !equal);
  const lost = machine.missedFrames.length + machine.droppedFrames.length;
  return [
    `Whiteline ${certificate.whiteline} on ${certificate.host}, ${certificate.startedAt}`,
    certificate.ndi,
    `${certificate.format}, frames ${certificate.firstFrame} to ${certificate.lastFrame}, seed ${certificate.seed}`,
    '',
    columns('verb', 'put in', 'expected', 'counted', 'machine', ''),
    ...verbs.map(({ verb, faults, expected, counted, machine: own, figure, equal }) =>
      columns(verb, faults, expected, counted, own, `${equal ? 'equal' : 'NOT EQUAL'}  ${figure}`),
    ),
    '',
    `against the receiver’s own log: ${checks.length - unequal.length} of ${checks.length} counts equal`,
    ...unequal.map(({ name, expected, counted }) => `  NOT EQUAL  ${name}: ${counted}, expected ${expected}`),
    `lost by this machine itself: ${lost} frames (${machine.missedFrames.length} missed, ${machine.droppedFrames.length} dropped)`,
    `CPU ${percent(machine.cpuMeanPercent)} mean, ${percent(machine.cpuMaxPercent)} highest; taken away by a hypervisor ${percent(machine.cpuStealMaxPercent)}`,
    '',
    `${certificate.result}: ${certificate.reason}`,
    `Repeat with: ${certificate.command}`,
  ];
}

function columns(verb: string, ...cells: (string | number)[]): string {
  const last = cells.pop();
  return `${verb.padEnd(14)}${cells.map((cell) => String(cell).padStart(9)).join('')}  ${last}`.trimEnd();
}

function percent(value: number | null): string {
  return value === null ? 'not measured' : `${value.toFixed(0)} %`;
}
