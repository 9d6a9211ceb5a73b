import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFiles } from '../engine/sessions/read-run';
import type { Row } from '../facts/row';
import type { Verdict } from '../facts/verdict';
import type { LoadSample } from '../protocol/load';
import { exampleRow, exampleRun } from './example-run';
import { loadSample } from './load-sample';

export interface RecordedRun {
  startedAt?: string;
  experiment?: string;
  verdict?: Verdict | null;
  reason?: string;
  host?: string;
  /** Machines of a fleet that took part. */
  machines?: readonly { name: string; id: string }[];
  state?: 'finished' | 'aborted';
  topology?: string;
  command?: string;
  parameters?: Readonly<Record<string, unknown>>;
  /** Beside hosts and topology. */
  environment?: Readonly<Record<string, unknown>>;
  endedAt?: string;
  /** The name of the plan or session that it is the first run of. */
  session?: string;
  /** These rows, or a number of rows like the example, numbered from 0. */
  rows?: readonly Row[] | number;
  samples?: readonly LoadSample[];
}

/** A run's files as a recorder leaves them, at a time of the test's own; returns its folder. */
export function recordRun(path: string, reported: RecordedRun = {}): string {
  const {
    startedAt = '2026-11-20T10:00:00.000Z',
    experiment = 'stream-load',
    verdict = 'PASS',
    reason = 'all well',
    host = 'render',
    machines = [],
    state = 'finished',
    topology,
    endedAt = startedAt,
    rows = 1,
    samples = [loadSample()],
  } = reported;
  const example = exampleRun([]);
  const { title, thresholds } = example;
  const { parameters = example.parameters, command = example.command, environment } = reported;
  const details = {
    ...{ id: startedAt.replace(/[:.]/g, '-'), startedAt, experiment, title, parameters, command, thresholds },
    ...(reported.session !== undefined && { session: { id: 'session', name: reported.session, order: 1 } }),
    environment: {
      hosts: [{ hostName: host }, ...machines.map((machine) => ({ hostName: machine.name, machine }))],
      topology,
      ...environment,
    },
  };
  const events = [
    { at: startedAt, kind: 'run-started', text: title, details },
    {
      ...{ at: startedAt, kind: 'run-ended', text: reason },
      details: { state, endedAt, verdict, reason },
    },
  ];
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, runFiles.events), linesOf(events));
  const rowsReported =
    typeof rows === 'number' ? Array.from({ length: rows }, (_, index) => exampleRow(index)) : rows;
  writeFileSync(join(path, runFiles.rows), linesOf(rowsReported));
  writeFileSync(join(path, runFiles.samples), linesOf(samples));
  return path;
}

const linesOf = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
