import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineClock } from '../engine/clock';
import { leastPlanFrames } from '../engine/faults/plan';
import { runSelftest, selftestFramesPerSecond } from '../engine/faults/selftest';
import { Instrument } from '../engine/instrument';
import { appVersion } from '../engine/sessions/environment';
import { parseDuration } from '../protocol/duration';
import { badInput, exitCodes, WhitelineError } from '../protocol/errors';
import type { LoadSample } from '../protocol/load';
import { ndiRuntimeOf } from '../protocol/transports';
import { certificateText } from './certificate-text';
import { appFolder, ndiPath, nodeApplication } from './folders';
import { abortOnInterrupt } from './interrupt';
import { print, printJson } from './terminal';
import { wholeNumber } from './whole-number';

interface SelftestFlags {
  duration: string;
  seed?: string;
  json?: boolean;
}

/** An hour at 60 frames a second. */
const mostFrames = 216_000;

/** Proves the instrument right on this very machine, or says what it counted wrong. */
export async function selftestCommand(flags: SelftestFlags): Promise<number> {
  const frames = Math.round(parseDuration(flags.duration, 'duration') * selftestFramesPerSecond);
  if (frames < leastPlanFrames || frames > mostFrames)
    throw badInput(
      'duration',
      `from ${leastPlanFrames / selftestFramesPerSecond}s to ${mostFrames / selftestFramesPerSecond}s`,
      flags.duration,
    );
  const seed = flags.seed === undefined ? Date.now() % 1e9 : wholeNumber(flags.seed, 'seed');
  const logFolder = mkdtempSync(join(tmpdir(), 'whiteline-selftest-'));
  const samples: LoadSample[] = [];
  let logProblem: string | null = null;
  const abort = abortOnInterrupt();
  const instrument = new Instrument({
    application: nodeApplication(),
    clock: machineClock,
    appFolder,
    ndiPath: ndiPath(),
    captureLogFolder: logFolder,
    noteEvent: (kind, text, details) => {
      if (kind === 'problem' && details?.log !== undefined) logProblem ??= text;
    },
    onSample: (sample) => samples.push(sample),
    onChange: () => undefined,
  });
  try {
    const ready = await instrument.start();
    if (ready.transportProblem) throw new WhitelineError(ready.transportProblem);
    if (!flags.json) print(`Self-test of ${frames / selftestFramesPerSecond} s with the seed ${seed} …`);
    const certificate = await runSelftest({
      ...{ instrument, logFolder, frames, seed, signal: abort.signal },
      samples: () => samples,
      logProblem: () => logProblem,
      whiteline: appVersion(appFolder),
      ndi: ndiRuntimeOf(ready.transport)?.version ?? '',
    });
    if (flags.json) printJson(certificate);
    else print(...certificateText(certificate));
    return { EQUAL: exitCodes.pass, 'NOT EQUAL': exitCodes.fail, INVALID: exitCodes.invalid }[
      certificate.result
    ];
  } finally {
    // Windows removes no file that a host still writes.
    await instrument.close();
    rmSync(logFolder, { recursive: true, force: true });
  }
}
