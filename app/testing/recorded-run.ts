import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFiles } from '../engine/sessions/read-run';
import type { Verdict } from '../protocol/verdict';
import { exampleRow, exampleRun, loadSample } from './example-run';

export interface RecordedRun {
  startedAt?: string;
  experiment?: string;
  verdict?: Verdict | null;
  reason?: string;
  host?: string;
  rows?: number;
}

/** A run's files as a recorder leaves them, at a time of the test's own; returns its folder. */
export function recordRun(path: string, told: RecordedRun = {}): string {
  const {
    startedAt = '2026-11-20T10:00:00.000Z',
    experiment = 'stream-load',
    verdict = 'PASS',
    reason = 'all well',
    host = 'render',
    rows = 1,
  } = told;
  const { title, parameters, command, thresholds } = exampleRun([]);
  const details = {
    ...{ id: startedAt.replace(/[:.]/g, '-'), startedAt, experiment, title, parameters, command, thresholds },
    environment: { hosts: [{ hostName: host }] },
  };
  const events = [
    { at: startedAt, kind: 'run-started', text: title, details },
    {
      ...{ at: startedAt, kind: 'run-ended', text: reason },
      details: { state: 'finished', endedAt: startedAt, verdict, reason },
    },
  ];
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, runFiles.events), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  const row = JSON.stringify(exampleRow());
  writeFileSync(join(path, runFiles.rows), `${row}\n`.repeat(rows));
  writeFileSync(join(path, runFiles.samples), `${JSON.stringify(loadSample())}\n`);
  return path;
}
