import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ndiPath } from '../../cli/folders';
import { numberOf } from '../../facts/row-figures';
import type { StreamsRow } from '../../facts/stream-row';
import { machineClock } from '../../protocol/machine-clock';
import { uniqueName } from '../../testing/command';
import { unknownMachine } from '../../testing/simulated-engine';
import { temporaryFolder } from '../../testing/temporary-folder';
import { Engine } from '../engine';
import { readCapturedLog } from '../faults/captured-log';
import { NodeApplication } from '../node-application';
import { readEvents, readRun } from '../sessions/read-run';
import { ndiTransport } from './ndi-candidates';

// The disk of the receivers' own logs fills up in the middle of a row, over real NDI.

const folder = temporaryFolder();
const patiently = { timeout: 60_000, interval: 50 };

test.runIf(process.getuid?.() === 0)(
  'a log whose disk fills up: the run says what it lacks, and counts on',
  async () => {
    const disk = join(folder, 'disk');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'whiteline-test', disk]);
    onTestFinished(() => void execFileSync('umount', ['--lazy', disk]));
    const engine = new Engine({
      application: new NodeApplication({
        ...{
          streamHostFile: resolve('dist/app/streamhost.cjs'),
          reportTemplate: '',
          appFolder: resolve('.'),
        },
      }),
      ...{ clock: machineClock, appFolder: resolve('.'), runsFolder: folder, version: 'test' },
      ...{ captureLogFolder: disk, transport: ndiTransport(ndiPath(), resolve('.')) },
      readMachine: async () => unknownMachine,
    });
    onTestFinished(() => engine.close());
    await engine.start();
    const parameters = {
      ...{ name: uniqueName(), format: '640x360@60', maxStreams: 1, holdSeconds: 5, warmUpSeconds: 0.5 },
      ...{ invalidRetries: 0, stopOn: ['loss'], stopAfterSeconds: 60 },
    };
    await engine.commands.startExperiment({ experiment: 'stream-load', parameters });
    const log = join(disk, 'captured-1.log');
    await vi.waitFor(() => expect(statSync(log).size).toBeGreaterThan(0), patiently);
    // The page that the log has begun takes some of the row.
    expect(() => writeFileSync(join(disk, 'filling'), Buffer.alloc(2 ** 17))).toThrow(/ENOSPC/);
    await vi.waitFor(() => expect(engine.state().mode).toBe('idle'), patiently);
    const path = engine.state().run?.folder ?? '';
    const texts = readEvents(path).flatMap(({ kind, text, streamId }) =>
      kind === 'problem' ? [`${streamId}: ${text}`] : [],
    );
    const [first = '', last = ''] = texts;
    expect(texts).toHaveLength(2);
    expect(first).toMatch(
      /^1: .+captured-1\.log lacks \d+ captured frames?: No space left on device\. Nothing/,
    );
    expect(last).toMatch(/^1: .+captured-1\.log lacks \d+ captured frames in all: No space left on device$/);
    const row = readRun(path).rows.at(-1) as StreamsRow;
    const [subject] = row.subjects;
    const received = subject ? (numberOf(subject, 'framesReceived') ?? 0) : 0;
    expect(subject?.figures.conserved).toBe(true);
    // The row goes on for seconds: all of its frames are in the log, or said to be missing.
    const lacking = Number(/lacks (\d+)/.exec(last)?.[1]);
    expect(readCapturedLog(log).length + lacking).toBeGreaterThanOrEqual(received);
    expect(received).toBeGreaterThan(60);
    expect(readFileSync(log, 'latin1').endsWith('\n')).toBe(true);
  },
);
